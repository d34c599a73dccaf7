#!/bin/bash
# The benchmark of what the daemons compute: that it measures, says and stores what it should, and leaves nothing. What comes out in real
# time, and that a daemon a fifth slower is found, is this machine's answer and nobody's claim here: tests/bench/slowdown.
set -u
cd "$(dirname "$0")/../.." || exit 3
ukemi=${BUILD:-build}/bin/ukemi
folder=$(mktemp -d) || exit 3
trap 'rm -rf "$folder"' EXIT
n=0

# report TEXT CODE: the line of a claim; what the last command said is in $folder/said.
report() {
    n=$((n + 1))
    if [ "$2" -eq 0 ]; then echo "ok $n - $1"; else
        echo "not ok $n - $1"
        sed 's/^/# /' "$folder/said"
    fi
}
# claim TEXT EXIT PATTERN ARGUMENT...: the benchmark ends with EXIT and prints a line with PATTERN.
claim() {
    local text=$1 expected=$2 pattern=$3 actual
    shift 3
    "$ukemi" bench daemons "$@" --db "$folder/u.db" >"$folder/said" 2>&1 </dev/null
    actual=$?
    echo "(exit $actual, expected $expected and a line matching: $pattern)" >>"$folder/said"
    [ $actual -eq "$expected" ] && grep -qE -- "$pattern" "$folder/said"
    report "$text" $?
}
figures() { sqlite3 "$folder/u.db" "SELECT count(*) FROM figure_view WHERE unit = 'us/ms' AND better = 'less' AND value > 0 AND $1"; }

claim "two configurations are measured in turns" 0 "^campaign 1 'daemons'" --runs 1 --duration 0.6 --scenario 034-rate-500-hz --scenario tests/canaries/slow-balance.yaml=slow
for cell in 034-rate-500-hz slow; do
    grep -qE "^$cell: [1-3] of [1-3] runs count" "$folder/said"
    report "it says how many runs of $cell count" $?
    for daemon in hardware control balance; do
        [ "$(figures "cell = '$cell' AND metric = '$daemon computes'")" -gt 0 ]
        report "what $daemon computes is stored, in $cell" $?
    done
done
[ "$(sqlite3 "$folder/u.db" "SELECT count(*) FROM (SELECT DISTINCT run, cell FROM figure_view) GROUP BY run HAVING count(*) > 1")" = "" ]
report "no run of one configuration is the pair of one of the other" $?
! pgrep -P $$ >/dev/null
report "nothing is left running" $?

claim "no run is bad input" 2 "--runs 0: give at least one" --runs 0
claim "so is a run too short to count anything" 2 "--duration: '0.3' is no number between 0.5 and 3600" --duration 0.3
claim "so is a scenario that is not there" 2 "999-fly" --scenario 999-fly
claim "so is one label for two" 2 "two are called '034-rate-500-hz'; write --scenario NAME=LABEL" --scenario 034-rate-500-hz --scenario 034-rate-500-hz
claim "so are words that are no option" 2 "usage: ukemi bench daemons" fast
[ "$(sqlite3 "$folder/u.db" "SELECT count(*) FROM campaign")" = 1 ]
report "none of them is in the database" $?
echo "1..$n"
