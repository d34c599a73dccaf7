#!/bin/bash
# The benchmark of what the daemons compute: that it measures, says and stores what it should, and leaves nothing. What comes out in real
# time, and that a daemon a fifth slower is found, is this machine's answer and nobody's claim here: tests/bench/slowdown.
# beside others: what comes out in real time is nobody's claim
set -u
cd "$(dirname "$0")/../.." || exit 3
. tests/tap
needs "real-time priority"
bench() { "$ukemi" bench daemons "$@" --db "$folder/u.db"; }
# count WHAT FROM: of the database.
count() { sqlite3 "$folder/u.db" "SELECT count($1) FROM $2"; }

run bench --runs 1 --duration 0.6 --scenario 034-rate-500-hz --scenario tests/canaries/hubo2/slow-balance.yaml=slow
claim "two configurations are measured in turns" answered 0 "^campaign 1 'daemons'"
# A run in which the machine was slow does not count. Which do is chance, and of one configuration all may not; of both some do.
for square in 034-rate-500-hz slow; do
    counting=$(sed -n "s/^$square: \([0-3]\) of [1-3] runs count$/\1/p" "$folder/said")
    claim "it says how many runs of $square count: ${counting:=?}" [ "$counting" != "?" ]
    claim "... and these are stored" [ "$(count 'DISTINCT run' "figure_view WHERE square = '$square'")" = "$counting" ]
done
for daemon in hardware control balance; do
    claim "what $daemon computes is stored" \
        [ "$(count '*' "figure_view WHERE metric = '$daemon computes' AND unit = 'us/ms' AND better = 'less' AND value > 0")" -gt 0 ]
done
claim "no run of one configuration is the pair of one of the other" \
    [ "$(count '*' "(SELECT DISTINCT run, square FROM figure_view) GROUP BY run HAVING count(*) > 1")" = "" ]
claim "nothing is left running" not pgrep -P $$

claim "no run is bad input" answers 2 "--runs: '0' is not a whole number from 1 to 1000" bench --runs 0
claim "so is a run too short to count anything" answers 2 "--duration: '0.3' is not a number from 0.5 to 3600" bench --duration 0.3
claim "so is a scenario that is not there" answers 2 "999-fly" bench --scenario 999-fly
claim "so is one label for two" answers 2 "two are called '034-rate-500-hz'; write --scenario NAME=LABEL" \
    bench --scenario 034-rate-500-hz --scenario 034-rate-500-hz
claim "so are words that are no option" answers 2 "'fast' is one word too many; .ukemi bench daemons --help. says" bench fast
claim "none of them is in the database" [ "$(count '*' campaign)" = 1 ]
plan
