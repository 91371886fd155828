#!/usr/bin/env bash
# Runs each benchmark once, to see that it works: .ci/benchmarks.sh PYTHON
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."
for benchmark in benchmarks/bm_*.py; do
    echo "== $benchmark"
    "$1" "$benchmark" --debug-single-value
done
echo "== benchmarks/versus.py"
"$1" benchmarks/versus.py --no-torch --repeats 1
