#!/usr/bin/env bash
# Runs the tests under CPython 3.14 as WebAssembly, each folder of tests in a process of its own: a fault in bytecode
# there ends the whole process.  Prints pytest's closing line for each.
set -uo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.." || exit 1

tools/py314/setup.sh .py314 || exit 1
failed=0 passed=0
for part in tests/*/ tests/test_*.py; do
    if [[ -d $part && -z $(find "$part" -name 'test_*.py' -print -quit) || ! -e $part ]]; then
        continue
    fi
    echo "== $part"
    node .py314/run_py314.mjs --cwd "$PWD" --env CI=true pytest -q "$part"
    status=$?
    case $status in
        0) passed=$((passed + 1)) ;;
        5) echo "nothing to run here on 3.14" ;;
        *) failed=$((failed + 1)); echo "FAILED with status $status: $part" ;;
    esac
done
echo "3.14: $passed parts passed, $failed failed"
((failed == 0 && passed > 0))
