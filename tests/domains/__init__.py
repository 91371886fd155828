"""Domains: what they predict is what the framework does."""
