#!/bin/bash
# Canaries of the test runner: what fails must count as failed, whatever way it fails; who runs beside whom; what an interrupt leaves.
# beside others: its scripts wait for each other for a minute
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
    claim "$1" counted "$2" "$3" canary_test tests/run BUILD="$folder" UNIT_LIMIT_S="${limit_s:-60}" MACHINE="${MACHINE:-}"
}

expect "passing checks are counted" 0 "3 passed, 0 failed, 0 skipped" 'echo "100%: Checks: 3, Failures: 0, Errors: 0"'
expect "failures and errors both fail" 1 "1 passed, 2 failed, 0 skipped" 'echo "33%: Checks: 3, Failures: 1, Errors: 1"; exit 1'
expect "a crash fails" 1 "0 passed, 1 failed, 0 skipped" 'kill -SEGV $$'
expect "a test that checks nothing fails" 1 "0 passed, 1 failed, 0 skipped" 'exit 0'
expect "an exit code alone fails" 1 "3 passed, 1 failed, 0 skipped" 'echo "100%: Checks: 3, Failures: 0, Errors: 0"; exit 1'
claim "words that no test has in its name are refused" answers 2 'no test has any of "no-such-test"' tests/run no-such-test
limit_s=2 MACHINE=quiet expect "a test that hangs fails" 1 "0 passed, 1 failed, 0 skipped" 'sleep 60'
limit_s=2 MACHINE=busy expect "... but on a busy machine, whose fault it may be" 0 "0 passed, 0 failed, 1 skipped" 'sleep 60'
limit_s=2 MACHINE=busy expect "a test that hangs and does not end when it is asked to fails on any machine" 1 "0 passed, 1 failed, 0 skipped" \
    "trap '' TERM; sleep 1000 & while :; do wait; done"

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

# ---- which tests run side by side -----------------------------------------------------------------------------------

rm -r "$folder/tree/tests/system"
mkdir "$folder/tree/tests/system" "$folder/there"
cp tests/tap "$folder/tree/tests/"
# script NAME WISH LINE...: tests/system/NAME.sh; while it runs there is a file there/NAME.
script() {
    printf '%s\n' "# $2: for a reason" '. tests/tap' "cd $folder/there && touch $1" "${@:3}" "rm $1" plan >"$folder/tree/tests/system/$1.sh"
}
run_tree() { run env JOBS=1 BUILD="$folder/tree/build" "$folder/tree/tests/run" system; }

# Each leaves its mark, and then waits for another's.
script alone none 'touch alone-was' "claim 'nobody is there' not ls east west" "claim 'the patient one is' await 60 test -e patient"
script east "beside others" 'touch east-was' "claim 'west comes' await 60 test -e west-was"
script west "beside others" 'touch west-was' "claim 'east comes' await 60 test -e east-was"
# shellcheck disable=SC2016 # the script's
script patient "in idle time" "claim 'cores that nobody wants' answers 0 SCHED_IDLE chrt -p \$\$" "claim 'alone is there' await 60 test -e alone-was" \
    "! chrt --idle 0 chrt --other 0 true || claim 'in the end as any other' await 60 answers 0 SCHED_OTHER chrt -p \$\$"
run_tree
chrt --idle 0 chrt --other 0 true 2>/dev/null && all=7 || all=6 # not everybody may go back
claim "scripts that do not mind company meet each other, and not one that has not said so; what can wait begins at once, on idle cores" \
    answered 0 "^$all passed, 0 failed, 0 skipped\$"
rm "$folder/tree/tests/system/"{alone,patient}.sh "$folder"/there/*-was
sed -i 's/beside others/in company/' "$folder/tree/tests/system/"{east,west}.sh
sed -i 's/await 60/await 1/' "$folder/tree/tests/system/"{east,west}.sh
run_tree
claim "those that have not said so do not meet" answered 1 '^not ok 1 - west comes'

# ---- interrupted ------------------------------------------------------------------------------------------------------

. tests/system/processes
rm "$folder/tree/tests/system/"*.sh
# shellcheck disable=SC2016 # the script's
for name in first second; do
    script $name "beside others" 'sleep 1000 & echo $! $UKEMI_TEST_CELLS >of-'$name 'wait'
done
ended_by() { # ended_by SIGNAL STATUS
    JOBS=1 env --default-signal=INT BUILD="$folder/tree/build" "$folder/tree/tests/run" system &
    local runner=$! sleeper cells
    await 60 test -s "$folder/there/of-first" -a -s "$folder/there/of-second"
    kill "-$1" $runner
    wait $runner
    [ $? -eq "$2" ] || return 1
    while read -r sleeper cells; do
        echo "of a test: process $sleeper, folder $cells"
        gone 10 "$sleeper" && [ -n "$cells" ] && [ ! -e "$cells" ] || return 1
    done < <(cat "$folder"/there/of-*)
    rm "$folder"/there/*
}
claim "interrupted it ends its tests, and leaves neither process nor folder" ended_by INT 130
claim "so it does when it is asked to end" ended_by TERM 143
plan
