#!/bin/bash
# The latency benchmark: what it says on the virtual clock is exact; in real time only that it measures, says and stores all it should. How
# fast this machine is, is nobody's claim here.
# beside others: in real time it claims only that something is measured, said and stored
set -u
cd "$(dirname "$0")/../.." || exit 3
. tests/tap

bench() { run "$ukemi" bench "$@"; }

# ---- exact: the virtual clock
planned() { bench latency --virtual --duration 6 --scenario "$1"; }

planned 001-stand
claim "on the virtual clock the loop takes one period, every time" \
    answered 0 '^  state to acquired +[0-9]+ +10000.0 +10000.0 +10000.0 +10000.0 +10000.0 '
claim "and nobody misses a deadline" said '^  states due +489 ' '^  hardware state missed +0 \[0, 0\] %' '^  balance command missed +0 \[0, 0\] %' \
    '^  control reference missed +0 \[0, 0\] %' '^  hardware send missed +0 \[0, 0\] %' '^  loops never closed +0 \[0, 0\] %'
cp "$folder/said" "$folder/first"
planned 001-stand
claim "and a second time it says the same" diff "$folder/first" "$folder/said"
planned tests/canaries/hubo2/late-balance.yaml
claim "a Balance that oversleeps every tenth state is reported with exactly the deadlines it misses" \
    answered 1 '^  states due +489 ' '^  balance command missed +8.998 ' '^  control reference missed +0 ' '^  loops never closed +17.996 ' # 44 and 88 of 489
claim "and its loop, with what was omitted, breaks the bound" said 'p99.9 of the loop is 30.000 ms: NOT MET'

bench latency --virtual --duration 3 --scenario 001-stand --scenario tests/canaries/hubo2/late-balance.yaml=late
claim "a scenario may be measured under a label of its own" said '^late: 1 of 1 runs count$'

# ---- any target
bench latency --target pendulum --virtual
claim "a target of three lines of chain is measured, named by who wrote and who took" \
    answered 0 '^  force to felt +1390 +5000.0 ' '^  controller force missed +0 ' 'p99.9 of the loop is 5.000 ms: met \(the bound is 10.000 ms'
bench latency --target pendulum --chain pool --virtual
claim "a chain that it does not have is bad input" answered 2 'chains: there is no '
bench latency --target hubo2 --virtual
claim "a chain that names no scenario needs one" answered 2 'loop names no scenario to measure; add `scenario`, or name one with --scenario'
claim "ukemi check says how many were joined, in a short trial" answers 0 '^  force: 601 seen, 601 joined to pole$' "$ukemi" check targets/pendulum/target.yaml

# ---- in real time: structure
has "real-time priority" || {
    skip "in real time a run measures, says and stores all that it should" "$lacking"
    plan
    exit 0
}
bench latency --runs 1 --duration 3 --scenario 001-stand --db "$folder/l.db" --output "$folder/report"
claim "in real time it ends with an answer: the bound is met or not" answered "0 1" 'p99.9 of the loop is [0-9.]+ ms: (met|NOT MET)'
rows=()
for row in 'readings gathered' 'balance wakes' 'balance computes' 'command waits for control' 'control computes' 'reference waits for hardware' \
    'frames reach the boards' 'boards are read' 'state completed' 'state to acquired' 'sensor to board' 'corrected loop' 'loop, stalls included' \
    'machine wakes' 'machine computes' 'machine hops'; do
    rows+=("^ +$row +[0-9]+ +[0-9.]+ ")
done
claim "every stage and every part of the machine's floor has its row" said "${rows[@]}"
claim "the stalls of the machine are told" said '^  machine stalls +[0-9]+ ' '^  machine stalled +[0-9.e+-]+ .* ms$'
page_has_plots() { grep -c '<svg' "$folder/report/latency.html" && [ "$(grep -c '<svg' "$folder/report/latency.html")" -ge 4 ] && not grep 'No plot' "$folder/report/latency.html"; }
claim "it writes its page, with every plot in it" page_has_plots
claim "it says how to compare what watching costs" said "^what watching costs: ukemi diff latency --squares .001-stand,without probes.$"
claim "what watching costs is on the page, thrice" [ "$(grep -c '<td>state to command median</td>' "$folder/report/latency.html")" = 3 ]
cp "$folder/report/latency.html" "$folder/first.html"
claim "the page can be made again from what is stored" "$ukemi" report latency --db "$folder/l.db" --output "$folder/report"
claim "... and is the same" cmp "$folder/first.html" "$folder/report/latency.html"
trial=$(sqlite3 "$folder/l.db" "SELECT min(trial_id) FROM trial")
claim "its histograms can be had as HdrHistogram prints them" answers 0 '^#\[Mean' "$ukemi" export "$trial" --format hgrm --metric 'state to acquired' --db "$folder/l.db"
claim "... and as cyclictest does" answers 0 '^# Min Latencies' "$ukemi" export "$trial" --format cyclictest --metric 'machine wakes' --db "$folder/l.db"
claim "the run is stored: figures of every stage" answers 0 '^(1[5-9]|[2-9][0-9])$' \
    sqlite3 "$folder/l.db" "SELECT count(DISTINCT metric) FROM figure WHERE metric LIKE '% median'"
bench latency --runs 1 --duration 3 --no-cost --scenario tests/canaries/hubo2/late-balance.yaml --db "$folder/l.db" --output "$folder/report"
claim "in real time, too, the Balance that oversleeps is reported" said '^  balance command missed +[0-9.]*[1-9]'
bench latency --runs 1 --duration 3 --no-cost --scenario 062-cpu-hog-above --db "$folder/l.db" --output "$folder/report"
claim_in_real_time "a scenario that only real time knows is measured, without a schedule" answered "0 1" '^  state to acquired +[0-9]+ +[0-9. ]+$' '^062-cpu-hog-above: p99.9 of the loop is [0-9.]+ ms' 
bench floor --runs 1 --duration 1 --allow-skip --db "$folder/l.db"
claim "the machine's floor is put beside cyclictest, or says what is missing" answered 0 '^(  wakes / cyclictest median|SKIP: there is no cyclictest)'

# ---- an ordinary user, in a folder of their own
user=(setpriv --reuid=65534 --regid=65534 --clear-groups --inh-caps=-all --bounding-set=-all)
mkdir "$folder/theirs"
ordinary() { (cd "$folder/theirs" && "${user[@]}" "$ukemi" bench latency --runs 1 --duration 2 --no-cost --scenario 001-stand); }
claim="without real-time priority it says so, and a bound that is not met is not the target's fault"
if [ "$(id -u)" -ne 0 ] || ! chmod 711 "$folder" || ! chown 65534:65534 "$folder/theirs"; then
    skip "$claim" "not root"
elif ! "${user[@]}" unshare -Upnim --fork true 2>/dev/null || ! "${user[@]}" test -x "$ukemi"; then
    skip "$claim" "user namespaces are refused to ordinary users here, or they cannot reach $ukemi"
else
    run ordinary
    claim "$claim" answered "0 3" 'SCHED_FIFO or locked memory was refused: .*say little about the target'
    claim "... and so does its page, which finds its templates from any folder" \
        grep -q '<p class="warning">Without real-time priority' "$folder/theirs/report/latency/latency.html"
fi

# ---- bad input
bench latency --runs 0
claim "no runs are bad input" answered 2 "--runs: '0' is not a whole number from 1"
bench latency --duration 1
claim "a run without a counted second is bad input" answered 2 "--duration: '1' is not a number from 2"
bench latency --scenario 999-fly
claim "a scenario that does not exist is bad input" answered 2 'no such file'
bench latency --virtual --scenario 001-stand --scenario 001-stand
claim "two of one label are bad input" answered 2 'write --scenario NAME=LABEL'
bench latency --virtual --scenario "001-stand=$(printf 'x%.0s' {1..200})"
claim "a label that is too long is bad input" answered 2 'give a shorter one'
bench latency --virtual --duration 2 --scenario 001-stand extra
claim "a word too many is bad input, and named" answered 2 "'extra' is one word too many"
bench latency --output /proc/nowhere --scenario 001-stand
claim "a folder that cannot be written is bad input before anything is measured" answered 2 '/proc/nowhere: .*name another folder'
claim "... indeed" not said '^run 1'
for option in "--db $folder/virtual.db" "--output $folder/virtual" "--runs 2"; do
    # shellcheck disable=SC2086 # an option and its value
    bench latency --scenario 001-stand $option --virtual
    claim "${option%% *} says something only in real time, and is refused on the virtual clock" answered 2 "${option%% *}: has no meaning with --virtual, .*leave out one"
done
claim "... and nothing is written" not ls "$folder"/virtual*
bench floor --scenario 001-stand
claim "an option that a benchmark has no use for is bad input" answered 2 "unrecognized option '--scenario'"
bench nothing
claim "a benchmark that does not exist is bad input" answered 2 "there is no benchmark 'nothing'"
plan
