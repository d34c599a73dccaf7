#!/bin/bash
# Canaries of the test runner: what fails must count as failed, whatever way it fails.
set -u
cd "$(dirname "$0")/../.." || exit 3
. tests/tap
mkdir -p "$folder/tests/unit"

# counted CODE CLOSING-LINE NAME RUNNER [VARIABLE=VALUE...]: this runner of tests ends so with the tests of that name.
counted() {
    run env "${@:5}" "$4" "$3"
    answered "$1" && [ "$(tail -1 "$folder/said")" = "$2" ]
}
# expect CLAIM CODE CLOSING-LINE SCRIPT: a unit test program made of SCRIPT gives this.
expect() {
    printf '#!/bin/sh\n%s\n' "$4" >"$folder/tests/unit/canary_test"
    chmod +x "$folder/tests/unit/canary_test"
    claim "$1" counted "$2" "$3" canary_test tests/run BUILD="$folder" UNIT_LIMIT_S="${limit_s:-60}"
}

expect "passing checks are counted" 0 "3 passed, 0 failed, 0 skipped" 'echo "100%: Checks: 3, Failures: 0, Errors: 0"'
expect "failures and errors both fail" 1 "1 passed, 2 failed, 0 skipped" 'echo "33%: Checks: 3, Failures: 1, Errors: 1"; exit 1'
expect "a crash fails" 1 "0 passed, 1 failed, 0 skipped" 'kill -SEGV $$'
expect "a test that checks nothing fails" 1 "0 passed, 1 failed, 0 skipped" 'exit 0'
expect "an exit code alone fails" 1 "3 passed, 1 failed, 0 skipped" 'echo "100%: Checks: 3, Failures: 0, Errors: 0"; exit 1'
limit_s=2 expect "a test that hangs fails" 1 "0 passed, 1 failed, 0 skipped" 'sleep 60'

# The scripts of a tree of its own, with nothing but the runner and one script.
mkdir -p "$folder/tree/tests/care" "$folder/tree/tests/system"
cp tests/run "$folder/tree/tests/"
# expect_script FOLDER CLAIM CODE CLOSING-LINE SCRIPT: tests/FOLDER/canary.sh made of SCRIPT gives this, by its name.
expect_script() {
    echo "$5" >"$folder/tree/tests/$1/canary.sh"
    claim "$2" counted "$3" "$4" "$1-canary" "$folder/tree/tests/run" BUILD="$folder/tree/build"
    rm "$folder/tree/tests/$1/canary.sh"
}
for where in system care; do
    expect_script $where "claims of tests/$where are counted one by one" 1 "2 passed, 1 failed, 1 skipped" \
        'printf "ok 1 - a\nok 2 - b\nnot ok 3 - c\nok 4 - d # SKIP no tool\n1..4\n"'
done
expect_script care "a tool that is missing is skipped, with its reason, and is no pass" 0 "0 passed, 0 failed, 1 skipped" \
    'echo "1..0 # SKIP no tool"'
expect_script care "a script that stops half-way fails" 1 "1 passed, 1 failed, 0 skipped" 'printf "1..2\nok 1 - a\n"'
plan
