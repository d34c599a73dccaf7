#!/bin/bash
# Every call of the lab that can fail, fails: once, and for good from then on; tests/failing/drive.c says what must hold then.
# `make check-failing` tries many more. Environment: PLACES (1 per command, kind of call and mode; 0: all), SHIFT (7);
# CUTS of the power (12).
# beside others: what it claims does not depend on time, and it is in namespaces of its own
set -u
cd "$(dirname "$0")/../.." || exit 3
. tests/tap
shift_by=${SHIFT:-7}
out=$folder/failing.out

# says NAME REGEX: a line of the summary.
says() { grep -qxE "$1: $2" "$out"; }

"$BUILD/tests/failing/drive" "$ukemi" "$BUILD/tests/failing/fail_nth.so" "$folder" --places "${PLACES:-1}" --shift "$shift_by" >"$out" 2>&1
code=$?
if [ $code -eq 77 ]; then
    skip "calls that fail" "$(sed -n 's/^busy: //p' "$out" | grep . || echo "namespaces are refused to this user")"
else
    sed 's/^\([^#]\)/# \1/' "$out"
    for kind in memory open read write process lock; do
        says "failing $kind" '[1-9][0-9]*'
        result $? "calls of the kind '$kind' failed, from place $shift_by on"
    done
    says "ended otherwise" 0
    result $? "every command ended with what it does undisturbed, or with 3: neither input nor target were blamed"
    says leaks 0
    result $? "no process, mount, shared memory, temporary or half-written file is left"
    says bad 0
    result $? "nothing stored is lost or wrong, and --resume completes with the results of an undisturbed campaign"
    [ $code -eq 0 ]
    result $? "nothing else went wrong"
fi

# power SEED FOLDER [CUTS]: leaves the summary in FOLDER.out.
power() {
    mkdir "$folder/$2"
    "$BUILD/tests/failing/power" "$ukemi" "$BUILD/tests/failing/power_log.so" "$folder/$2" "${3:-${CUTS:-12}}" "$1" >"$folder/$2.out" 2>&1
}
power "$shift_by" power
result $? "the power cut at ${CUTS:-12} instants, seed $shift_by: the database is sound, every stored trial whole, --resume completes" "$folder/power.out"
UKEMI_POWER_DEAF=1 power "$shift_by" deaf 40
grep -qE '^bad: [1-9]' "$folder/deaf.out"
result $? "a disk that forgets what was synchronised is found out" "$folder/deaf.out"
plan
