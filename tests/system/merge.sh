#!/bin/bash
# Parts of a campaign, merged into one: the campaign that was run whole, as the database and the report say. tests/unit/campaign/shard_test.c
# has more orders, and what is refused of the databases themselves.
# Environment: MERGE_KILLS (100), kills of a merge, and MANY (20000), trials of one, at night.
# beside others: all trials are on the virtual clock, where a history depends on nothing outside
set -u
cd "$(dirname "$0")/../.." || exit 3
. tests/tap
. tests/cluster/campaign
write_campaign "$folder" c 2
campaign() { "$ukemi" campaign "$folder/c.yaml" --quiet --db "$@"; } # DATABASE OPTION...
campaign "$folder/whole.db" --output "$folder/whole" >"$folder/said" 2>&1
part() { answers 0 'part [01] of 2 of campaign 1: all 2 trials are stored, 2 passed' campaign "$folder/parts/$1.db" --shard "$1/2"; }
claim "a part of a campaign is run" part 0
claim "... which is run again in no time, as all is stored" part 0
claim "what is missing is told, with the command for its part" answers 3 'campaign .*c.yaml --db .*/0.db --shard 1/2   # 2 missing' campaign "$folder/parts/0.db" --missing
claim "it cannot be finished then" answers 3 '2 of 4 trials are stored, so it cannot be finished' campaign "$folder/parts/0.db" --finish --output "$folder/no"
claim "the other part" part 1
merge() { "$ukemi" merge "$folder/all.db" "$@"; }
claim "a folder of parts is merged" answers 0 'all.db: 4 trials added, 0 there already; 1 campaign, 0 judgings and 2 histories added' merge "$folder/parts"
claim "... and again, which adds nothing" answers 0 'all.db: 0 trials added, 4 there already; 0 campaigns, 0 judgings and 0 histories added' merge "$folder/parts/1.db" "$folder/parts/0.db"
claim "nothing is missing" answers 0 '^0 of 4 trials are missing' campaign "$folder/all.db" --missing
claim "it is finished, with its report" answers 0 '^campaign 1: 4 trials, 4 passed' campaign "$folder/all.db" --finish --output "$folder/merged"
claim "all that is stored of its trials is what the whole campaign has" diff <(facts "$folder/whole.db") <(facts "$folder/all.db")
claim "... and so is its table" diff <(grep -v ' min simulated' "$folder/whole/table1.txt") <(grep -v ' min simulated' "$folder/merged/table1.txt")
claim "the sessions are told" answers 0 '^0\|2\|1\|2$' sqlite3 "$folder/all.db" 'SELECT shard, shards, jobs > 0, trials FROM session ORDER BY shard, session_id'
claim "a trial of it is shown with its history" answers 0 '^page: ' "$ukemi" view 1 --db "$folder/all.db" --output "$folder/v.html"

# ---- bad input ----------------------------------------------------------------------------------------------------
as_before() { # PATTERN COMMAND...: refused, and the merged database is the same to the byte
    local before
    before=$(cksum "$folder/all.db")
    answers 2 "$@" && [ "$before" = "$(cksum "$folder/all.db")" ]
}
mkdir "$folder/none"
claim "a folder without databases is refused" as_before 'none: no databases' merge "$folder/none"
claim "... a database that is not there" as_before 'gone.db: there is no such database' merge "$folder/gone.db"
claim "... a merge onto itself" as_before 'cannot be merged into itself' merge "$folder/parts/0.db" "$folder/all.db"
echo 'no database' >"$folder/text.db"
claim "... a text" as_before 'text.db: .*not a (result )?database' merge "$folder/text.db"
cp "$folder/parts/0.db" "$folder/new.db" && sqlite3 "$folder/new.db" 'PRAGMA user_version = 99'
claim "... a newer schema" as_before 'new.db: has schema version 99' merge "$folder/new.db"
cp "$folder/parts/0.db" "$folder/other.db" && sqlite3 "$folder/other.db" "UPDATE campaign SET target = 'hrp3p', digest = '0'; UPDATE content SET hash = '0' WHERE name = 'scenario stand.yaml'"
claim "... another target and scenario, which are named" as_before 'other.db: .*its target was hubo2, and is hrp3p, scenario stand.yaml is another' merge "$folder/other.db"
cp "$folder/parts/1.db" "$folder/two.db" && sqlite3 "$folder/two.db" "UPDATE trial SET history_hash = '00000000000000000000000000000000', history_path = NULL WHERE number = 1"
claim "... a trial with another history, with both hashes" as_before 'has two results: its history is [0-9a-f]{32} in .*all.db, where it is trial [0-9]+, and 0{32} as trial' merge "$folder/two.db"
"$ukemi" bench store b --runs 1 --db "$folder/bench.db" -- printf 'a\tlatency\tus\tless\t1\n' >/dev/null
claim "... a benchmark" as_before 'bench.db: .*is a benchmark' merge "$folder/bench.db"
fresh() { answers 2 'is none of' "$ukemi" merge "$folder/fresh.db" "$folder/parts/0.db" "$folder/other.db" && [ ! -e "$folder/fresh.db" ]; }
claim "... parts of two campaigns, and no database is made" fresh
for shard in 5/4 4/4 -1/4 1/0 x/2 1 ''; do
    claim "a part '$shard' is refused" answers 2 "--shard" campaign "$folder/p.db" --shard "$shard"
done
claim "an overlap of 200% is refused" answers 2 'overlap 200%: is no share' campaign "$folder/p.db" --shard 0/2 --overlap 200%
claim "... and one of no part" answers 2 'overlap is for a part' campaign "$folder/p.db" --overlap 1%
claim "a part is not finished" answers 2 'finish is for the whole' campaign "$folder/p.db" --shard 0/2 --finish
claim "nothing was made of all that" test ! -e "$folder/p.db"

# ---- killed -------------------------------------------------------------------------------------------------------
# At instants spread over a merge, into a new database and into one that has a part: it is as before or has all, is sound, has the histories
# that it names and no others, and can be merged again.
whole_or_nothing() { # TRIALS BEFORE
    local trials
    trials=$([ ! -e "$folder/k.db" ] || sqlite3 "$folder/k.db" 'SELECT count(*) FROM trial' 2>/dev/null)
    [ "$trials" = 4 ] || [ "${trials:-0}" = "$1" ] || { echo "$trials trials"; return 1; }
    [ ! -s "$folder/k.db" ] || [ "$(sqlite3 "$folder/k.db" 'PRAGMA integrity_check')" = ok ] || return 1
    "$ukemi" merge "$folder/k.db" "$folder/parts" >"$folder/again" 2>&1 || { cat "$folder/again"; return 1; }
    [ "$(sqlite3 "$folder/k.db" 'SELECT count(*) FROM trial')" = 4 ] || return 1
    diff <(sqlite3 "$folder/k.db" 'SELECT history_path FROM trial WHERE history_path IS NOT NULL ORDER BY 1') <(cd "$folder" && ls k.db-histories/*)
}
killed() { # KILLS
    local i start_ms whole_ms pid
    start_ms=$(date +%s%N)
    "$ukemi" merge "$folder/k.db" "$folder/parts" >/dev/null
    whole_ms=$((($(date +%s%N) - start_ms) / 1000000 + 1))
    for ((i = 0; i < $1; i++)); do
        rm -rf "$folder"/k.db*
        [ $((i % 2)) -eq 0 ] || "$ukemi" merge "$folder/k.db" "$folder/parts/0.db" >/dev/null
        "$ukemi" merge "$folder/k.db" "$folder/parts" >/dev/null 2>&1 &
        pid=$!
        sleep "$(printf '0.%03d' $((whole_ms * i / $1 % 1000)))"
        kill -KILL $pid 2>/dev/null
        wait $pid 2>/dev/null
        whole_or_nothing $((i % 2 * 2)) || { echo "kill $i, after $((whole_ms * i / $1)) ms of $whole_ms"; return 1; }
    done
}
claim "killed at 6 instants of a merge the target is whole" killed 6
# Made of these trials, MANY (20000) of them; what it costs is printed.
many() {
    local trials=${MANY:-20000}
    python3 tests/cluster/many.py "$folder/whole.db" "$folder/many" "$trials" 10 &&
        (time "$ukemi" merge "$folder/many.db" "$folder/many") >"$folder/said" 2>&1 && grep -q ": $trials trials added" "$folder/said" &&
        (time "$ukemi" report 1 --db "$folder/many.db" --output "$folder/page") >>"$folder/said" 2>&1 &&
        [ "$(grep -c "$((trials / 2))/$((trials / 2))" "$folder/page/table1.txt")" = 2 ]
}
at_night "${MANY:-20000} trials of ten parts are merged and reported" many
at_night "killed at ${MERGE_KILLS:-100} instants" killed "${MERGE_KILLS:-100}"
plan
