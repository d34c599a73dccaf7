#!/bin/bash
# Storms: trials that are drawn from a file run, are stored, go on, and are the same when they are written down.
#
# beside others: all trials are on the virtual clock
set -u
cd "$(dirname "$0")/../.." || exit 3
. tests/tap
db=$folder/storm.db
storm() { "$ukemi" storm pendulum --db "$db" --quiet "$@"; }
query() { sqlite3 "$db" "$1"; }

# same_as_written: each stored trial, written down as a scenario and run, has the stored hash.
same_as_written() {
    local seed hash count=0
    while IFS='|' read -r seed hash; do
        "$ukemi" storm pendulum --seed "$seed" --write "$folder/one.yaml" >/dev/null || return 1
        "$ukemi" run "$folder/one.yaml" --seed "$seed" | grep -q "^history $hash" || return 1
        count=$((count + 1))
    done < <(query "SELECT seed, history_hash FROM trial WHERE $1")
    [ $count -gt 0 ]
}
claim "a storm runs its trials, all of which pass" storm --trials 3 --no-report
claim "... and goes on with more" storm --trials 4 --resume --output "$folder/page"
has_four() { [ "$(query 'SELECT kind, count(*), count(DISTINCT trial.seed), trials_planned FROM campaign JOIN square USING (campaign_id) JOIN trial USING (square_id)')" = "storm|4|4|4" ]; }
claim "... in the same campaign, each trial with a seed of its own" has_four
claim "a trial that is written down is the same, bit by bit" same_as_written "number = 1"
claim "so is a stored one that is run again" "$ukemi" run --trial 2 --db "$db" --check-determinism
has_page() { grep -q '<h1>Storm pendulum' "$folder/page/index.html" && grep -q '^4 trials: 4 passed' "$folder/page/table.txt"; }
claim "the page says what was tried" has_page
all_written() { storm --trials 40 --resume --no-report && same_as_written "number >= 4"; }
at_night "40 of 40 written trials have the stored hash" all_written
claim "what a target does not bear is a finding, and the first one ends the storm" answers 1 '^NEW   soft: pole-stays of pendulum ' \
    "$ukemi" storm tests/data/storms/soft.yaml --first --jobs 1 --db "$folder/soft.db" --quiet --no-report
claim "... which is listed" answers 1 '^NEW   soft: pole-stays of pendulum ' "$ukemi" findings --db "$folder/soft.db"
mkdir -p "$folder/mine/scenarios/findings"
printf 'known:\n  - { target: pendulum, oracle: pole-stays, party: "*", acting: "*", reason: it is a test }\n' >"$folder/mine/scenarios/findings/known.yaml"
claim "... and is none that counts where it is known" answers 0 '^known soft: pole-stays of pendulum ' \
    env UKEMI_PATH="$folder/mine" "$ukemi" findings --db "$folder/soft.db"
shrunk() {
    "$ukemi" shrink tests/data/storms/three.yaml --seed 5559978118134859468 --output "$folder/small.yaml" --jobs "$1" >"$folder/said" &&
        grep -q '3 faults to 1 in .*, locally minimal; it replays bit by bit' "$folder/said" && [ "$(grep -c 'kind: ' "$folder/small.yaml")" = 1 ] &&
        grep -q 'kind: channel-delay' "$folder/small.yaml"
}
same_by_many() { shrunk 1 && mv "$folder/small.yaml" "$folder/one.yaml" && shrunk 2 && cmp "$folder/one.yaml" "$folder/small.yaml"; }
at_night "of three faults the one that matters is left, whatever runs beside each other" same_by_many
claim "what passes cannot be smaller" answers 2 'is PASS, not FAIL; only what fails' "$ukemi" shrink 494-pole-left-alone --seed 1
claim "--seed alone is refused with what goes with it" answers 2 'seed and --write belong together' "$ukemi" storm pendulum --seed 5
claim "a budget that is no time is refused" answers 2 'budget 2x: not a time' "$ukemi" storm pendulum --budget 2x
plan
