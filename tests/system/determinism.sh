#!/bin/bash
# The same trial gives the same history, on any core, with other trials beside it, killed and restarted daemons included.
#
#   LONG=1   four runs of each, not two; part of `make nightly`
#
# beside others: that is what it claims
set -u
cd "$(dirname "$0")/../.." || exit 3
. tests/tap
runner=$BUILD/tests/bench/trial_run
cores=$(nproc) copies=${LONG:+4}
copies=${copies:-2}

# hash FILE: of the history, nothing if the trial did not run.
hash() { grep -q '^OK: ran' "$1" && sed -n 's/.*hash //p' "$1"; }

for scenario in 010-planner-killed-dynamic 013-balance-killed-outside 041-bus-corruption; do
    for ((copy = 0; copy < copies; copy++)); do
        "$runner" scenarios/*/$scenario.yaml 11 $((copy % cores)) >"$folder/$copy" 2>&1 &
        [ $((copy % 2)) -eq 1 ] && wait
    done
    wait
    same=$(for ((copy = 0; copy < copies; copy++)); do hash "$folder/$copy"; done | sort | uniq -c)
    [[ $same =~ ^\ *$copies\ [0-9a-f]{32}$ ]]
    result $? "$copies runs of $scenario, two at a time, on $cores cores, give one history" <(echo "$same")
done

"$runner" scenarios/process/013-balance-killed-outside.yaml 12 >"$folder/other" 2>&1
[ -n "$(hash "$folder/other")" ] && [ "$(hash "$folder/other")" != "$(hash "$folder/0")" ]
result $? "another seed gives another history"
plan
