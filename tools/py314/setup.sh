#!/usr/bin/env bash
# Prepares a folder from which programs run under CPython 3.14 (see run_py314.mjs):
#
#   tools/py314/setup.sh [FOLDER]           default: .py314 at the root of the project
#
# It holds the npm package `pyodide`, the Python packages that the tests need, and the entry script run_py314.mjs.
# Needs Node.js 18 or newer with npm, and a Python with pip (PYTHON=..., default python3).  A folder that is already
# prepared for the same versions is left as it is.
set -euo pipefail

pyodide_version=314.0.8
requirements=("pytest>=9" "attrs>=23.2" "typing-extensions>=4.12" "hypothesis>=6.130")
python=${PYTHON:-python3}

source_folder=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
folder=${1:-$source_folder/../../.py314}
mkdir -p "$folder"
folder=$(cd "$folder" && pwd)
stamp="pyodide $pyodide_version, ${requirements[*]}"

write_entry_script() {
    "$python" - "$source_folder/run_py314.mjs" > "$folder/run_py314.mjs" <<'PYTHON'
import json, pathlib, sys
print("#!/usr/bin/env node")
print("// Written by tools/py314/setup.sh.")
print('import { dirname } from "node:path";')
print('import { fileURLToPath } from "node:url";')
print(f"import {{ main }} from {json.dumps(pathlib.Path(sys.argv[1]).resolve().as_uri())};")
print("process.exit(await main(dirname(fileURLToPath(import.meta.url)), process.argv.slice(2)));")
PYTHON
}

install_interpreter() {
    printf '{"private": true}\n' > "$folder/package.json"
    npm install --prefix "$folder" --save-exact --ignore-scripts --no-audit --no-fund --loglevel=error \
        "pyodide@$pyodide_version"
}

# Prints the Python version and the ABI name of the interpreter's own wheels, as pip's options.
wheel_options() {
    "$python" - "$folder/node_modules/pyodide/pyodide-lock.json" <<'PYTHON'
import json, sys
with open(sys.argv[1], encoding="utf-8") as lock:
    info = json.load(lock)["info"]
version = ".".join(info["python"].split(".")[:2])
print("--python-version", version, "--abi", f"cp{version.replace('.', '')}", "--abi", "abi3", "--abi", "none")
print("--platform", f"pyemscripten_{info['abi_version']}_wasm32", "--platform", "any")
PYTHON
}

install_packages() {
    local options
    read -r -d '' -a options < <(wheel_options) || true
    rm -rf "$folder/packages"
    "$python" -m pip install --quiet --no-compile --target "$folder/packages" --implementation cp \
        --only-binary=:all: "${options[@]}" "$@"
}

write_entry_script
if [[ ! -f $folder/stamp || $(< "$folder/stamp") != "$stamp" ]]; then
    rm -f "$folder/stamp"
    install_interpreter
    # The newest hypothesis has a compiled part, for which there may be no wheel; its older releases have none.
    install_packages "${requirements[@]}" || {
        echo "setup.sh: trying again with the last hypothesis that is pure Python" >&2
        install_packages "${requirements[@]}" "hypothesis<6.156"
    }
    printf '%s' "$stamp" > "$folder/stamp"
fi
node "$folder/run_py314.mjs" -c 'import sys; print("CPython", sys.version)'
