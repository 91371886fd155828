#!/usr/bin/env bash
# Checks the types, for the oldest Python that is supported and for the newest: .ci/types.sh PYTHON
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."
"$1" -m mypy
"$1" -m mypy --python-version 3.14 symexec
