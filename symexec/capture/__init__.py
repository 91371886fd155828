"""From a recording to code: guards, compute, validate, commit, exits, anchors."""
