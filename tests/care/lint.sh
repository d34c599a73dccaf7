#!/bin/bash
# Static analysis finds nothing: one claim for each tool; see scripts/lint, .clang-tidy.
set -u
cd "$(dirname "$0")/../.." || exit 3
build=${BUILD:-build}
n=0

# claim TOOL TARGET TEXT: `make TARGET` has nothing to say; without TOOL nobody looked, which is no pass.
claim() {
    local output code
    n=$((n + 1))
    if ! command -v "$1" >/dev/null; then
        echo "ok $n - $3 # SKIP $1 is not installed; see scripts/deps"
        return
    fi
    # Of make's own settings those of the run around this test are not for the build within it.
    output=$(env -u MAKEFLAGS -u MAKELEVEL -u MFLAGS make -k -j"$(nproc)" --output-sync=target BUILD="$build" "$2" 2>&1)
    code=$?
    [ $code -eq 0 ] && echo "ok $n - $3" || echo "not ok $n - $3"
    [ $code -eq 0 ] || grep -vE '^  (TIDY|CC|LINK) ' <<<"$output" | sed 's/^/# /'
}

claim clang-tidy lint-tidy "clang-tidy finds nothing in $(find src targets faults harness tests -name '*.c' | wc -l) sources"
claim cppcheck lint-cppcheck "cppcheck finds nothing"
claim shellcheck lint-shell "shellcheck finds nothing in the scripts"
claim mandoc lint-man "the man pages are well-formed"
claim clang-format lint-format "every source is formatted"

# A mistake must be found, else the settings are not those of .clang-tidy.
if command -v clang-tidy >/dev/null; then
    folder=$(mktemp -d)
    printf '%s\n' '#include <stdlib.h>' 'int main(int c, char **v)' '{' '    char *p = malloc(9);' '    p[9] = v[0][0];' '    return c;' '}' \
        >"$folder/canary.c"
    n=$((n + 1))
    if output=$(scripts/lint tidy "$folder/canary.c" --config-file=.clang-tidy -- 2>&1) || ! grep -q 'clang-analyzer-unix.Malloc' <<<"$output"; then
        echo "not ok $n - a leak is found by clang-tidy"
        sed 's/^/# /' <<<"$output"
    else
        echo "ok $n - a leak is found by clang-tidy"
    fi
    rm -r "$folder"
fi
echo "1..$n"
