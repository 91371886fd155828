#!/usr/bin/env bash
# Builds source archive and wheel, installs the wheel in a fresh environment and runs the archive's tests of the
# whole against it, in a folder where the source of the package is not: the flat layout would otherwise hide what the wheel lacks.
#   .ci/package.sh PYTHON WORK_FOLDER        PYTHON: one of an environment with the group `dev`
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."
python=$1 work=$2

rm -rf "$work/package"
mkdir -p "$work/package"
"$python" -m build --outdir "$work/package" . > "$work/package/build.log" || {
    cat "$work/package/build.log"
    exit 1
}
tar -xzf "$work"/package/symexec-*.tar.gz -C "$work/package" --one-top-level=archive --strip-components=1
rm -r "$work/package/archive/symexec"

"$python" -m venv "$work/package/venv"
fresh=$(cd "$work/package/venv/bin" && pwd)/python
"$fresh" -m pip install --quiet --upgrade "pip>=25.1"
"$fresh" -m pip install --quiet "$work"/package/symexec-*.whl --group "$work/package/archive/pyproject.toml:test"
cd "$work/package/archive"
"$fresh" -c 'import pathlib, symexec; assert "site-packages" in symexec.__file__, symexec.__file__
assert pathlib.Path(symexec.__file__).with_name("py.typed").exists()'
"$(dirname "$fresh")/symexec" --help > /dev/null
# What reaches every part of the package; the tests of its parts run from the source.
"$fresh" -m pytest -q tests/hard tests/prefix tests/corpus tests/ladder tests/typing tests/equivalents tests/test_*.py
