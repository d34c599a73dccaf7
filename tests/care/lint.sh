#!/bin/bash
# Static analysis finds nothing: one claim for each tool; see scripts/lint, .clang-tidy.
#
# By day clang-tidy looks at what the last commits have changed, and what is not committed: the rest was looked at when it changed.
#
#   LONG=1   all sources, those of tests, too, cppcheck, and clang's analyzer; part of `make nightly`
#
# limit: 3600 s
# in idle time: it reads sources, of which no other test knows
set -u
cd "$(dirname "$0")/../.." || exit 3
. tests/tap
export LINT_FOLDERS="src targets faults harness"
if [ -n "${LONG:-}" ]; then
    export LINT_FOLDERS+=" tests" LINT_NODES=20000
else
    export LINT_CHECKS='-clang-analyzer-*'
    # Without a history, all.
    LINT_SOURCES=$({ git log -n 30 --format= --name-only && git diff --name-only HEAD; } 2>/dev/null | grep '\.c$' | sort -u | tr '\n' ' ')
    export LINT_SOURCES
fi

# nothing TARGET: `make TARGET` has nothing to say but what it is at.
nothing() {
    # Of make's own settings those of the run around this test are not for the build within it.
    env -u MAKEFLAGS -u MAKELEVEL -u MFLAGS make -k -j"$(nproc)" --output-sync=target BUILD="$BUILD" "$1" >"$folder/lint" 2>&1
    local code=$?
    grep -vE '^  (TIDY|CC|LINK) ' "$folder/lint"
    return $code
}
# shellcheck disable=SC2086 # words
sources() { if [ -n "${LINT_SOURCES:-}" ]; then wc -w <<<"$LINT_SOURCES"; else find $LINT_FOLDERS -name '*.c' | wc -l; fi; }
claim_with clang-tidy "finds nothing in $(sources) sources" nothing lint-tidy
[ -z "${LONG:-}" ] || claim_with cppcheck "finds nothing" nothing lint-cppcheck
claim_with shellcheck "finds nothing in the scripts" nothing lint-shell
claim_with mandoc "finds the man pages well-formed" nothing lint-man
claim_with clang-format "would change no source" nothing lint-format

# A mistake must be found, else the settings are not those of .clang-tidy.
finds_a_leak() {
    printf '%s\n' '#include <stdlib.h>' 'int main(int c, char **v)' '{' '    char *p = malloc(9);' '    p[9] = v[0][0];' '    return c;' '}' \
        >"$folder/canary.c"
    not env -u LINT_CHECKS scripts/lint tidy "$folder/canary.c" --config-file=.clang-tidy -- >"$folder/found" 2>&1
    local code=$?
    cat "$folder/found"
    [ $code -eq 0 ] && grep -q 'clang-analyzer-unix.Malloc' "$folder/found"
}
claim_with clang-tidy "finds a leak" finds_a_leak
plan
