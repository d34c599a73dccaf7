#!/bin/bash
# What is stored stays what it was: a history is taken by its hash and not by its name, a campaign goes on only if it is the same, a trial is
# judged by what judged it, and a damaged database is never shown as if it were whole.
# beside others: all trials are on the virtual clock, and nothing is claimed of time
set -u
cd "$(dirname "$0")/../.." || exit 3
. tests/tap

sed 's/^duration_s:.*/duration_s: 1.5/; s/^watch_s:.*/watch_s: 0.5/' tests/kill/stand.yaml >"$folder/stand.yaml"
# plan SEED TRIALS: the campaign c.
plan_campaign() {
    cat >"$folder/c.yaml" <<CAMPAIGN
name: c
target: hubo2
seed: $1
fault: { kind: kill, parameters: [signal=KILL], restart_after_s: 0.15 }
columns:
  - { title: Static, scenario: stand.yaml, trials: $2, at: { time_s: [0.2, 0.5] } }
rows:
  - { component: Planner, expected: [No Effect] }
CAMPAIGN
}
db=$folder/u.db
campaign() { # DATABASE OPTION...: without gnuplot, which takes longer than the trials
    env PATH=/nowhere UKEMI_ROOT="$PWD" "$ukemi" campaign "$folder/c.yaml" --quiet --jobs 1 --db "$1" --report "$folder/page" "${@:2}"
}
rows() { sqlite3 "$db" "$1"; } # SQL

# ---- histories, by their hash -------------------------------------------------------------------------------
plan_campaign 4 1
claim "there are results" campaign "$db"
history=$folder/$(rows "SELECT history_path FROM trial")
claim "a history is called by its hash, and has no other name" answers 0 '^[0-9a-f]{32}\.mcap$' ls "$folder/u.db-histories"
# As in the folders of earlier releases: another database at the same place has written a history of the same name.
claim "another trial has another history" "$ukemi" run "$folder/stand.yaml" --seed 9 --keep "$folder/other.mcap"
cp "$history" "$folder/own.mcap"
cp "$folder/other.mcap" "$history"
foreign() { answers 2 'is not the history of trial 1: its hash is [0-9a-f]{32}, the trial' "$ukemi" "$@" --db "$db" && said 'run --trial 1'; }
claim "judge refuses the history of another trial" foreign judge 1
claim "... and has stored no judging" answers 0 '^1$' rows "SELECT count(*) FROM judging"
claim "view refuses it" foreign view 1 --output "$folder/v.html"
claim "series refuses it" foreign series 1
claim "show refuses it" foreign show 1
claim "show --all refuses it" foreign show 1 --all
claim "export refuses it" foreign export 1 -o "$folder/t.log"
claim "a film refuses it" foreign export 1 --format film -o "$folder/f.webp"
claim "report says so, and leaves its figures out" foreign report --to "$folder/other"
claim "nothing was written of it" test ! -e "$folder/v.html" -a ! -e "$folder/t.log" -a ! -e "$folder/f.webp"
cp "$folder/own.mcap" "$history"
claim "its own history is judged" answers 0 '^PASS$' "$ukemi" judge 1 --db "$db"
rm "$history"
claim "of a history that is gone the remedy is named" answers 2 "run --trial 1 --db $db --keep $history" "$ukemi" judge 1 --db "$db"
claim "which brings it back" "$ukemi" run --trial 1 --db "$db" --keep "$history"
claim "as it was" answers 0 '^PASS$' "$ukemi" judge 1 --db "$db"

mkdir "$folder/elsewhere"
ln -s "$folder/elsewhere/real.db" "$folder/link.db"
claim "a symbolic link is a database" campaign "$folder/link.db"
claim "whose histories are beside the file that it leads to" answers 0 '\.mcap$' ls "$folder/elsewhere/real.db-histories"
claim "they are found by the link" answers 0 '^PASS$' "$ukemi" judge 1 --db "$folder/link.db"
claim "and by the file" answers 0 '^PASS$' "$ukemi" judge 1 --db "$folder/elsewhere/real.db"
plan
