# shellcheck shell=bash
# Finds Pythons and prepares virtual environments; to be sourced, with the root of the project as current folder.
# Environments lie in .venv-3.11, .venv-3.12 ... and are kept; they are brought up to date when pyproject.toml changes.

supported_versions=(3.13 3.12 3.11)
usable_versions=(3.14 "${supported_versions[@]}") # if asked for

# Prints the path of a CPython of version $1 (such as 3.12) from PATH or pyenv; fails if there is none.
find_python() {
    local version=$1 candidate
    for candidate in "python$version" python3 python "$HOME/.pyenv/versions/$version".*/bin/python; do
        if is_python "$candidate" "$version"; then
            command -v "$candidate"
            return
        fi
    done
    return 1
}

is_python() {
    "$1" -c 'import ensurepip, platform, sys, venv
version = ".".join(map(str, sys.version_info[:2]))
sys.exit(platform.python_implementation() != "CPython" or version != sys.argv[1])' "$2" 2> /dev/null
}

# Prints the path of the newest supported Python, or of $PYTHON if that is set.
choose_python() {
    local version
    if [[ -n ${PYTHON:-} ]]; then
        for version in "${usable_versions[@]}"; do
            is_python "$PYTHON" "$version" && command -v "$PYTHON" && return
        done
        echo "PYTHON=$PYTHON does not run, or is no CPython 3.11 to 3.14" >&2
        return 1
    fi
    for version in "${supported_versions[@]}"; do
        find_python "$version" && return
    done
    echo "CPython 3.11, 3.12 or 3.13 is needed; none was found on PATH or in ~/.pyenv/versions" >&2
    return 1
}

# prepare_environment PYTHON GROUP...: prints the path of the Python of an environment that holds this project, in
# place, and the dependency groups.
prepare_environment() {
    local python=$1 folder group missing=() options=()
    shift
    folder=.venv-$("$python" -c 'import sys; print("%d.%d" % sys.version_info[:2])')
    [[ -x $folder/bin/python ]] || "$python" -m venv "$folder" >&2
    for group in "$@"; do
        cmp -s pyproject.toml "$folder/installed-$group.toml" || missing+=("$group")
    done
    if ((${#missing[@]} > 0)); then
        "$folder/bin/python" -m pip install --quiet --upgrade "pip>=25.1" >&2
        for group in "${missing[@]}"; do
            options+=(--group "$group")
        done
        "$folder/bin/python" -m pip install --quiet --editable . "${options[@]}" >&2
        for group in "${missing[@]}"; do
            cp pyproject.toml "$folder/installed-$group.toml"
        done
    fi
    echo "$PWD/$folder/bin/python"
}
