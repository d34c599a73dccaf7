#!/bin/bash
# Canaries of the test runner: what fails must count as failed, whatever way it fails.
set -u
cd "$(dirname "$0")/../.." || exit 3
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
mkdir -p "$folder/tests/unit"
number=0

# expect CLAIM CODE CLOSING-LINE SCRIPT: a unit test program made of SCRIPT gives this.
expect() {
    local claim=$1 code=$2 closing=$3 got got_code mark=ok
    printf '#!/bin/sh\n%s\n' "$4" >"$folder/tests/unit/canary_test"
    chmod +x "$folder/tests/unit/canary_test"
    got=$(BUILD=$folder UNIT_LIMIT_S=2 tests/run canary_test 2>&1)
    got_code=$?
    [ "$got_code" -eq "$code" ] && [ "$(tail -1 <<<"$got")" = "$closing" ] || mark="not ok"
    number=$((number + 1))
    echo "$mark $number - $claim"
    [ "$mark" = ok ] || sed 's/^/# /' <<<"$got"
}

expect "passing checks are counted" 0 "3 passed, 0 failed, 0 skipped" 'echo "100%: Checks: 3, Failures: 0, Errors: 0"'
expect "failures and errors both fail" 1 "1 passed, 2 failed, 0 skipped" 'echo "33%: Checks: 3, Failures: 1, Errors: 1"; exit 1'
expect "a crash fails" 1 "0 passed, 1 failed, 0 skipped" 'kill -SEGV $$'
expect "a test that checks nothing fails" 1 "0 passed, 1 failed, 0 skipped" 'exit 0'
expect "an exit code alone fails" 1 "3 passed, 1 failed, 0 skipped" 'echo "100%: Checks: 3, Failures: 0, Errors: 0"; exit 1'
expect "a test that hangs fails" 1 "0 passed, 1 failed, 0 skipped" 'sleep 60'
echo "1..$number"
