#!/bin/bash
# The latency benchmark: what it says on the virtual clock is exact; in real time only that it measures, says and stores all it should. How
# fast this machine is, is nobody's claim here.
set -u
cd "$(dirname "$0")/../.." || exit 3
ukemi=${BUILD:-build}/bin/ukemi
folder=$(mktemp -d) || exit 3
trap 'rm -rf "$folder"' EXIT
n=0

# claim TEXT 1|0: what was last run lies in $folder/out.
claim() {
    n=$((n + 1))
    if [ "$2" = 1 ]; then
        echo "ok $n - $1"
    else
        echo "not ok $n - $1"
        echo "# exit $code"
        sed 's/^/# /' "$folder/out"
    fi
}

# bench ARGUMENT...: its output and exit code.
bench() {
    "$ukemi" bench "$@" >"$folder/out" 2>&1 </dev/null
    code=$?
}

# says PATTERN; leaves CODE...: 1 or 0.
says() { grep -qE -- "$1" "$folder/out" && echo 1 || echo 0; }
leaves() { [[ " $* " == *" $code "* ]] && echo 1 || echo 0; }
both() { [ "$1$2" = 11 ] && echo 1 || echo 0; }

# ---- exact: the virtual clock
planned() { bench latency --virtual --duration 6 --scenario "$1"; }

planned 001-stand
claim "on the virtual clock the loop takes one period, every time" \
    "$(both "$(leaves 0)" "$(says '^  state to acquired +[0-9]+ +10000.0 +10000.0 +10000.0 +10000.0 +10000.0 ')")"
claim "and nobody misses a deadline" "$(says 'state 0 of ([0-9]+), balance command 0 of \1, control reference 0 of \1, .*send 0 of \1; loops never closed 0$')"
cp "$folder/out" "$folder/first"
planned 001-stand
claim "and a second time it says the same" "$(cmp -s "$folder/out" "$folder/first" && echo 1 || echo 0)"
planned tests/canaries/late-balance.yaml
claim "a Balance that oversleeps every tenth state is reported with exactly the deadlines it misses" \
    "$(both "$(leaves 1)" "$(says 'balance command 44 of 489, control reference 0 of 489, .*never closed 88$')")"
claim "and its loop, with what was omitted, breaks the bound" "$(says 'p99.9 of the loop is 30.000 ms: NOT MET')"

bench latency --virtual --duration 3 --scenario 001-stand --scenario tests/canaries/late-balance.yaml=late
claim "a scenario may be measured under a label of its own" "$(says '^late: late-balance, 1 runs')"

# ---- in real time: structure
bench latency --runs 1 --duration 3 --scenario 001-stand --db "$folder/l.db" --report "$folder/report"
claim "in real time it ends with an answer: the bound is met or not" "$(both "$(leaves 0 1)" "$(says 'p99.9 of the loop is [0-9.]+ ms: (met|NOT MET)')")"
rows=0
for row in 'readings gathered' 'balance wakes' 'balance computes' 'command waits for control' 'control computes' 'reference waits for hardware' \
    'frames reach the boards' 'boards are read' 'state completed' 'state to acquired' 'sensor to board' 'with what was omitted' \
    'machine wakes' 'machine computes' 'machine hops'; do
    rows=$((rows + $(says "^ +$row +[0-9]+ +[0-9.]+ ")))
done
claim "every stage and every part of the machine's floor has its row" "$([ $rows = 15 ] && echo 1 || echo 0)"
claim "the stalls of the machine are told" "$(says '^  machine +[0-9]+ stalls, ')"
claim "what watching costs is told, thrice" "$([ "$(grep -cE '^  (without probes|recorder every 40 ms|without the floor beside it) +state to command' "$folder/out")" = 3 ] && echo 1 || echo 0)"
claim "it writes its page, with every plot in it" \
    "$([ "$(grep -c '<svg' "$folder/report/latency.html")" -ge 4 ] && ! grep -q 'No plot' "$folder/report/latency.html" && echo 1 || echo 0)"
claim "and histograms as HdrHistogram and cyclictest print them" \
    "$(grep -q '^#\[Mean' "$folder/report/001-stand.hgrm" && grep -q '^# Min Latencies' "$folder/report/001-stand.cyclictest" && echo 1 || echo 0)"
stored=$(sqlite3 "$folder/l.db" "SELECT count(DISTINCT metric) FROM figure WHERE metric LIKE '% median'" 2>/dev/null)
claim "the run is stored: figures of every stage" "$([ "${stored:-0}" -ge 15 ] && echo 1 || echo 0)"
bench latency --runs 1 --duration 3 --no-cost --scenario tests/canaries/late-balance.yaml --db "$folder/l.db" --report "$folder/report"
claim "in real time, too, the Balance that oversleeps is reported" "$(says 'balance command [1-9][0-9]* of ')"
bench latency --runs 1 --duration 3 --no-cost --scenario 062-cpu-hog-above --db "$folder/l.db" --report "$folder/report"
claim "a scenario that only real time knows is measured, without a schedule" "$(both "$(leaves 0 1)" "$(says '^062-cpu-hog-above +10.000 +- +[0-9]')")"
bench floor --runs 1 --duration 1 --db "$folder/l.db"
claim "the machine's floor is put beside cyclictest, or says what is missing" "$(both "$(leaves 0)" "$(says '^(ratio, ours / cyclictest: median|SKIP: there is no cyclictest)')")"

# ---- bad input
bench latency --runs 0
claim "no runs are bad input" "$(both "$(leaves 2)" "$(says 'at least one run')")"
bench latency --duration 1
claim "a run without a counted second is bad input" "$(both "$(leaves 2)" "$(says 'first second')")"
bench latency --scenario 999-fly
claim "a scenario that does not exist is bad input" "$(both "$(leaves 2)" "$(says 'no such file')")"
bench latency --virtual --scenario 001-stand --scenario 001-stand
claim "two of one label are bad input" "$(both "$(leaves 2)" "$(says 'write --scenario NAME=LABEL')")"
bench latency --target hubo3 --scenario 001-stand
claim "another target than the scenario's is bad input" "$(both "$(leaves 2)" "$(says 'is of target hubo2')")"
bench floor --priority 1
claim "a floor without room for its partner's priority is bad input" "$(both "$(leaves 2)" "$(says 'a priority of 2')")"
bench nothing
claim "a benchmark that does not exist is bad input" "$(both "$(leaves 2)" "$(says "there is no benchmark 'nothing'")")"
echo "1..$n"
