#!/bin/bash
# The same tests in a build with address, leak and undefined-behaviour sanitizers: unit tests, kept fuzz inputs, and
# whole trials. What a sanitizer finds ends its program with a status that fails the test or, in a trial, the verdict: see
# tests/care/sanitizer.c. Two daemons with mistakes built in must be caught, else nothing was looked at.
#
#   SAN_TRIALS="NAME..."   the scenarios run (013-balance-killed-outside 054-bus-off)
#   LONG=1                 unit tests of all rooms, the command line, and longer trials; part of `make nightly`
#
# limit: 1800 s
# beside others: tests of the wall clock are left out, and trials are on the virtual one
set -u
cd "$(dirname "$0")/../.." || exit 3
. tests/tap
ukemi=$BUILD/san/bin/ukemi
export UKEMI_ROOT=$PWD
log=$BUILD/san/log

if ! echo 'int main(void){return 0;}' | "${CC:-gcc}" -x c -fsanitize=address,undefined -o /dev/null - 2>/dev/null; then
    echo "1..0 # SKIP ${CC:-gcc} has no address and undefined-behaviour sanitizers"
    exit 0
fi
bash tests/care/san-build.sh >"$folder/built" # nearly always it has been made meanwhile, or is being made
grep -q '^ok' "$folder/built"
code=$?
result $code "there is a build with sanitizers" "$folder/built"
[ $code -eq 0 ] || {
    plan
    exit 1
}

# Those that step through single instructions look at the ordinary build's instructions; those on the wall clock judge its speed.
# Others that the night has repeat what shorter ones do. The Makefile says whose rooms' turn is at night.
left_out='kill|orphan|canary|clock_wall|detection|stress' again=1
trials=${SAN_TRIALS:-013-balance-killed-outside 054-bus-off}
if [ -n "${LONG:-}" ]; then
    again='' trials+=" 011-control-stalled 012-hardware-restarted"
else
    left_out+='|^shard_test|^night_test|^storm_test|^report_pages_test|^campaign_test|^freshness_test|^keys_test|^formula_definition'
fi
tests=()
for name in $(env -u MAKEFLAGS -u MAKELEVEL -u MFLAGS make -s sanitized-tests); do
    [[ $name =~ $left_out ]] || tests+=("$name")
done
# Reports go to files, as some programs close their standard error.
reports=$BUILD/san/reports
rm -rf "$reports"
mkdir -p "$reports"
ASAN_OPTIONS=log_path=$reports/asan UBSAN_OPTIONS=log_path=$reports/ubsan \
    ONCE=$again BUILD=$BUILD/san tests/run "${tests[@]}" system-fuzz-replay ${LONG:+system-cli} >"$log" 2>&1
code=$?
cat "$reports"/* >>"$log" 2>/dev/null
# One claim for each test of that run: its lines are "NAME N checks T s ok".
while read -r name checks _ _ _ mark; do
    [ "$mark" = "${mark#ok}" ]
    result $((1 - $?)) "$name under sanitizers: $checks checks" "$log"
done < <(grep -E '^[a-z][a-z0-9_-]+ +[0-9]+ checks ' "$log" | sort)
[ $code -eq 0 ] && [ "$n" -gt ${#tests[@]} ]
result $? "all of them ran" "$log"
result "$(find "$reports" -type f | wc -l)" "none of them left a report" "$log"

for scenario in $trials; do
    "$ukemi" run "$scenario" --seed 1 >"$log" 2>&1
    result $? "no sanitizer has anything to say about $scenario, its verdict is PASS" "$log"
done
# caught CLAIM SCENARIO WORDS: the trial fails because Perception ended with the sanitizers' status, and its last words are these.
caught() {
    "$ukemi" run "tests/care/$2.yaml" --seed 1 >"$log" 2>&1
    [ $? -eq 1 ] && grep -q 'FAIL  *peers-survive .*99' "$log" && grep -q "$3" "$log"
    result $? "$1" "$log"
}
caught "a daemon that reads beyond a block of memory is failed" overflow heap-buffer-overflow
caught "a daemon that loses a block of memory while it runs is failed" leak '^ *> leaked, as seen'
plan
