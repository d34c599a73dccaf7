#!/bin/bash
# The same trial gives the same history, on any core, with other trials beside it, killed and restarted daemons included.
set -u
cd "$(dirname "$0")/../.." || exit 3
runner=$BUILD/tests/bench/trial_run
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cores=$(nproc)
number=0

# hash FILE: of the history, nothing if the trial did not run.
hash() { grep -q '^OK: ran' "$1" && sed -n 's/.*hash //p' "$1"; }

for scenario in 003-walk-dynamic 010-planner-killed-dynamic 013-balance-killed-outside 041-bus-corruption; do
    for copy in 0 1 2 3; do
        "$runner" scenarios/$scenario.yaml 11 $((copy % cores)) >"$folder/$copy" 2>&1 &
        [ $((copy % 2)) -eq 1 ] && wait
    done
    wait
    same=$(for copy in 0 1 2 3; do hash "$folder/$copy"; done | sort | uniq -c)
    number=$((number + 1))
    claim="four runs of $scenario, two at a time, on $cores cores, give one history"
    if [[ $same =~ ^\ *4\ [0-9a-f]{32}$ ]]; then
        echo "ok $number - $claim"
    else
        echo "not ok $number - $claim"
        echo "$same" | sed 's/^/# /'
    fi
done

"$runner" scenarios/013-balance-killed-outside.yaml 12 >"$folder/other" 2>&1
number=$((number + 1))
claim="another seed gives another history"
if [ -n "$(hash "$folder/other")" ] && [ "$(hash "$folder/other")" != "$(hash "$folder/3")" ]; then
    echo "ok $number - $claim"
else
    echo "not ok $number - $claim"
fi
echo "1..$number"
