#!/bin/bash
# What a campaign does when its storage fails: a clear error that names the file and the remedy, nothing half-written, and afterwards
# --resume comes to the same table. Exit status 2 before anything ran, 3 after. Disks are small tmpfs in a mount namespace of this test. All it
# writes and starts is in namespaces of its own, so that nothing is left of it at whatever instant it is killed.
# beside others: all trials are on the virtual clock, where a history depends on nothing outside; what it waits for comes before it goes on
set -u
cd "$(dirname "$0")/../.." || exit 3
BUILD=$(realpath "${BUILD:-build}")
folder=$BUILD/tests/storage # stays, and stays empty: the file system below is this test's alone
if [ "${1:-}" != inside ]; then
    alone=(--mount --pid --fork --kill-child --mount-proc --propagation private)
    [ "$(id -u)" -eq 0 ] || alone+=(--map-root-user)
    unshare "${alone[@]}" true 2>/dev/null || {
        echo "1..0 # SKIP mount namespaces are refused to this user"
        exit 0
    }
    mkdir -p "$folder" || exit 3
    export BUILD
    exec unshare "${alone[@]}" bash "$0" inside
fi
trap 'exit 143' HUP INT TERM # the first process of a namespace is deaf to what it does not trap
ukemi=$BUILD/bin/ukemi
mount -t tmpfs none "$folder" || exit 3

# campaign NAME TRIALS: two daemons, so many short trials of each.
campaign() {
    cat >"$folder/$1.yaml" <<CAMPAIGN
name: $1
target: hubo2
seed: 4
fault: { kind: kill, parameters: [signal=KILL], restart_after_s: 0.15 }
columns:
  - { title: Static, scenario: stand.yaml, trials: $2, at: { time_s: [0.2, 0.5] } }
rows:
  - { component: Planner,    expected: [No Effect] }
  - { component: Perception, expected: [No Effect] }
CAMPAIGN
}
cp tests/kill/stand.yaml "$folder/"
campaign small 2
campaign longer 6

# run CASE CAMPAIGN [OPTION...]: database and report in folders of the case; without gnuplot, which takes longer than the trials.
# Sets $code; what it said is in CASE/said.
run() {
    local case=$1 campaign=$2
    shift 2
    env PATH=/nowhere UKEMI_ROOT="$PWD" "$ukemi" campaign "$folder/$campaign.yaml" --jobs 2 --quiet \
        --db "$folder/$case/results/u.db" --output "$folder/$case/report" "$@" >"$folder/$case/said" 2>&1
    code=$?
    return 0
}
# The same in the background; await_run sets $code.
run_beside() {
    (run "$@" && exit "$code") &
    beside=$!
}
await_run() {
    wait "$beside"
    code=$?
}
make_case() { mkdir -p "$folder/$1/results" "$folder/$1/report"; }
# A database that holds a finished campaign already.
with_database() { make_case "$1" && cp "$folder/small/results/u.db" "$folder/$1/results/"; }

# claim TEXT CODE: prints the line of a claim. Anything to explain a failure is in CASE/said.
claim() {
    if [ "$2" -eq 0 ]; then echo "ok - $1"; else
        echo "not ok - $1"
        sed 's/^/# /' "$folder/$case/said"
    fi
}
# refused CODE PATTERN: the last run ended so, said so in a few lines, and left nothing half-written.
refused() {
    [ "$code" -eq "$1" ] && grep -qE "error: .*$2" "$folder/$case/said" && [ "$(wc -l <"$folder/$case/said")" -le 8 ] &&
        [ -z "$(find "$folder/$case" -name '*.part' -o -name '*.tmp' -o -name '*.svg' -size 0)" ]
}
# trials DB: those of its newest campaign, with all that must be the same.
trials() {
    sqlite3 "$1" "PRAGMA integrity_check; SELECT position, number, seed, verdict, history_hash, observed, is_example,
                  history_path IS NOT NULL FROM trial_view WHERE campaign_id = (SELECT max(campaign_id) FROM campaign) ORDER BY 1, 2;
                  SELECT 'unfinished' FROM campaign WHERE finished_utc IS NULL"
}
# table CASE: the printed one, without what depends on time and on earlier campaigns of the same database.
table() { sed '/min simulated/d; /^$/N; /^\nSince /,$d' "$folder/$1/report/table1.txt"; }
# same CAMPAIGN: the last run passed, and came to the trials and the table of the undisturbed one.
same() {
    [ "$code" -eq 0 ] && [ "$(trials "$folder/$case/results/u.db")" = "$(trials "$folder/$1/results/u.db")" ] &&
        diff <(table "$case") <(table "$1") >/dev/null
}
# until_started DB N: waits until it holds N campaigns.
until_started() {
    for _ in $(seq 6000); do
        [ "$(sqlite3 "$1" 'SELECT count(*) FROM campaign' 2>/dev/null)" = "$2" ] && return 0
        sleep 0.01
    done
    return 1
}
# hold DB SQL: a client with an open transaction; let_go ends it.
hold() {
    coproc client { sqlite3 -bail -cmd '.timeout 60000' "$1" 2>/dev/null; }
    client_in=${client[1]} client_out=${client[0]}
    ask "$2"
}
# ask SQL: sets $answer to what the client is told; false if it has ended.
ask() {
    local line
    answer=
    echo "$1; SELECT 'asked';" >&"$client_in"
    while read -r line; do
        [ "$line" = asked ] && return 0
        answer+=$line
    done <&"$client_out"
    return 1
}
let_go() {
    echo ".quit" >&"$client_in"
    # shellcheck disable=SC2154 # coproc sets it
    wait "$client_PID" 2>/dev/null
}

# hold_underway: the longer campaign runs beside, and has not finished when a client takes the lock that it needs for that. One that was
# quicker is run again.
hold_underway() {
    local database=$folder/$case/results/u.db
    for _ in $(seq 50); do
        rm -rf "${folder:?}/$case"
        with_database $case
        run_beside $case longer
        until_started "$database" 2 && hold "$database" 'BEGIN IMMEDIATE' &&
            ask 'SELECT count(*) FROM campaign WHERE finished_utc IS NULL' || return 1
        [ "$answer" = 1 ] && return 0
        let_go
        await_run
    done
    return 1
}

# resize SIZE FOLDER: the disk there. Its present options, which mount would repeat, name users that an ordinary user's namespace does not know.
resize() { mount --options-source disable -o "remount,size=$1" "$2"; }

# ---- the cases; those that wait for a lock run beside the others -------------------------------------------

locked_at_the_start() {
    case=locked-first
    with_database $case
    hold "$folder/$case/results/u.db" 'BEGIN IMMEDIATE'
    run $case small
    refused 2 'u.db: .*locked; another program writes to it: wait'
    claim "a database another program writes to: bad input, after a while" $?
    let_go
    run $case small
    same small
    claim "when that program has ended the campaign runs" $?
}

locked_underway() {
    case=locked-later
    hold_underway
    await_run
    refused 3 'u.db: .*locked; another program writes to it: wait.*run it again, a campaign with --resume'
    claim "a database locked while the campaign runs: the lab fails and says how to go on" $?
    let_go
    run $case longer --resume
    same longer
    claim "afterwards --resume comes to the same table" $?
}

being_read() {
    case="read"
    with_database $case
    hold "$folder/$case/results/u.db" 'BEGIN; SELECT count(*) FROM trial'
    run $case small
    same small
    claim "a long reader disturbs nothing" $?
    let_go
}

full_disk() {
    case=full-database
    make_case $case
    mount -t tmpfs -o size=64m none "$folder/$case/results"
    with_database $case
    mkdir -p "$folder/$case/results/u.db-histories"
    mount -t tmpfs none "$folder/$case/results/u.db-histories"
    # Room for the start of a campaign, but not for its trials.
    used=$(du -k "$folder/$case/results/u.db" | cut -f1)
    resize $((used + 160))k "$folder/$case/results"
    run $case small
    refused 3 'u.db: .*full.*make room on the disk, then run it again, a campaign with --resume'
    claim "no room for the database: the lab fails and says how to go on" $?
    # Opening it needs room for SQLite's own files: look at a copy.
    mkdir "$folder/copy"
    cp "$folder/$case/results/"u.db* "$folder/copy/"
    [ "$(sqlite3 "$folder/copy/u.db" 'PRAGMA integrity_check')" = ok ]
    claim "the full database is sound" $?
    resize 64m "$folder/$case/results"
    run $case small --resume
    same small
    claim "with room --resume comes to the same table" $?

    case=full-histories
    make_case $case
    mkdir "$folder/$case/results/u.db-histories"
    mount -t tmpfs -o size=32k none "$folder/$case/results/u.db-histories"
    run $case small
    refused 3 'u.db-histories/1-.*mcap: cannot be written: No space left on device; make room' && grep -q 'trials lost: .*history' "$folder/$case/said"
    claim "no room for the histories: their trials are lost, and said to be" $?
    [ -z "$(ls "$folder/$case/results/u.db-histories")" ]
    claim "no part of a history is left" $?
    resize 64m "$folder/$case/results/u.db-histories"
    run $case small --resume
    same small
    claim "with room for them --resume comes to the same table" $?

    case=full-report
    make_case $case
    mount -t tmpfs -o size=8k none "$folder/$case/report"
    run $case small
    refused 3 'report/.*: No space left on device; .*make room' && grep -q 'all trials are stored, but.*go on with: .*--resume' "$folder/$case/said"
    claim "no room for the report: the trials are stored, and the error says how to go on" $?
    resize 64m "$folder/$case/report"
    run $case small --resume
    same small && [ "$(sqlite3 "$folder/$case/results/u.db" 'SELECT count(*) FROM campaign')" = 1 ]
    claim "with room --resume writes the report, and runs nothing again" $?
}

# merge INTO OPTION...: the small campaign into a database of the case.
merge() {
    "$ukemi" merge "$folder/$case/results/$1" "$folder/small/results/u.db" "${@:2}" >"$folder/$case/said" 2>&1
    code=$?
}
# merged_whole INTO TRIALS
merged_whole() {
    [ "$code" -eq 0 ] && [ "$(sqlite3 "$folder/$case/results/$1" 'PRAGMA integrity_check; SELECT count(*) FROM trial' | xargs)" = "ok $2" ] &&
        diff <(sqlite3 "$folder/$case/results/$1" 'SELECT DISTINCT history_path FROM trial WHERE history_path IS NOT NULL ORDER BY 1') \
            <(cd "$folder/$case/results" && ls "$1"-histories/*)
}
# A merge into a full disk: a new database, one that has another campaign, and histories for which there is no room.
full_merge() {
    local before size
    case=full-merge
    make_case $case
    mount -t tmpfs -o size=64m none "$folder/$case/results"
    for size in 4 60 150; do # no room for its first pages, for its schema, for its trials
        resize ${size}k "$folder/$case/results"
        merge new.db
        refused 3 'new.db: .*(full|No space left).*(run it|merge) again' && [ -z "$(ls -A "$folder/$case/results")" ] || break
    done
    [ $size = 150 ] && [ -z "$(ls -A "$folder/$case/results")" ]
    claim "no room for a database to merge into: the lab fails, and there is none afterwards" $?
    resize 64m "$folder/$case/results"
    merge new.db
    merged_whole new.db 4
    claim "with room the same command merges" $?

    case=full-merge-into
    make_case $case
    mount -t tmpfs -o size=64m none "$folder/$case/results"
    cp -r "$folder"/longer/results/u.db* "$folder/$case/results/"
    before=$(cd "$folder/$case/results" && find u.db* -type f ! -name '*-wal' ! -name '*-shm' -exec cksum {} + | sort)
    for size in 20 60 120; do
        resize $(($(du -ks "$folder/$case/results" | cut -f1) + size))k "$folder/$case/results"
        merge u.db --add
        refused 3 'u.db.*: .*(full|No space left).*(run it|merge) again' || break
        [ "$before" = "$(cd "$folder/$case/results" && find u.db* -type f ! -name '*-wal' ! -name '*-shm' -exec cksum {} + | sort)" ] || break
    done
    [ "$code" = 3 ] && [ $size = 120 ]
    claim "no room in a database that has another campaign: it is as before, and so are its histories" $?
    resize 64m "$folder/$case/results"
    merge u.db --add
    merged_whole u.db 16
    claim "with room the same command merges, and adds" $?

    case=full-merge-histories
    make_case $case
    mkdir "$folder/$case/results/u.db-histories"
    mount -t tmpfs -o size=32k none "$folder/$case/results/u.db-histories"
    merge u.db
    refused 3 'u.db-histories.*: .*No space left on device; make room' && [ -z "$(ls "$folder/$case/results/u.db-histories")" ]
    claim "no room for the histories: nothing is merged, and no part of one is left" $?
    resize 64m "$folder/$case/results/u.db-histories"
    merge u.db
    merged_whole u.db 4
    claim "with room for them the same command merges" $?
}

read_only() {
    case=read-only-results
    make_case $case
    mount --bind "$folder/$case/results" "$folder/$case/results"
    mount -o remount,bind,ro "$folder/$case/results"
    run $case small
    refused 2 'results.*writ' && [ -z "$(ls -A "$folder/$case/results")" ]
    claim "a results folder that may not be written is bad input" $?

    case=read-only-database
    with_database $case
    mount --bind "$folder/$case/results/u.db" "$folder/$case/results/u.db"
    mount -o remount,bind,ro "$folder/$case/results/u.db"
    run $case small
    refused 2 'u.db: may not be written; make file and folder writable'
    claim "a database that may not be written is bad input" $?

    case=read-only-report
    make_case $case
    mount --bind "$folder/$case/report" "$folder/$case/report"
    mount -o remount,bind,ro "$folder/$case/report"
    run $case small
    refused 2 'report: Read-only file system; .*name another folder' && [ ! -e "$folder/$case/results/u.db" ]
    claim "a report folder that may not be written is bad input, before anything runs" $?

    case=report-file
    make_case $case
    rmdir "$folder/$case/report"
    touch "$folder/$case/report"
    run $case small
    refused 2 'report: Not a directory; .*name another folder' && [ ! -e "$folder/$case/results/u.db" ] && [ ! -s "$folder/$case/report" ]
    claim "a file where the report should go is bad input, before anything runs" $?
}

spoilt() {
    case=newer
    with_database $case
    sqlite3 "$folder/$case/results/u.db" 'PRAGMA user_version = 99' >/dev/null
    sum=$(cksum <"$folder/$case/results/u.db")
    run $case small
    refused 2 'u.db: has schema version 99, this ukemi knows version [0-9]+; use the ukemi it is of' &&
        [ "$sum" = "$(cksum <"$folder/$case/results/u.db")" ]
    claim "a database of a newer schema is refused and not touched" $?

    case=damaged
    with_database $case
    # The root page of the trials: what is asked for first.
    page=$(sqlite3 "$folder/$case/results/u.db" "SELECT rootpage FROM sqlite_schema WHERE name = 'trial'")
    dd if=/dev/zero of="$folder/$case/results/u.db" bs=4096 seek=$((page - 1)) count=1 conv=notrunc status=none
    sum=$(cksum <"$folder/$case/results/u.db")
    run $case small
    refused 2 'u.db: .*damaged.*put back a copy' && [ "$sum" = "$(cksum <"$folder/$case/results/u.db")" ]
    claim "a damaged database is refused and not touched" $?
    env UKEMI_ROOT="$PWD" "$ukemi" show --db "$folder/$case/results/u.db" >"$folder/$case/said" 2>&1
    code=$?
    refused 3 'u.db: .*damaged.*put back a copy'
    claim "showing a damaged database says so" $?

    case=removed
    hold_underway
    rm -r "$folder/$case/results"
    let_go
    await_run
    refused 3 'u.db: was removed or replaced while it was written' && [ ! -e "$folder/$case/results/u.db" ]
    claim "results removed while the campaign runs: the lab fails and says so" $?
    run $case longer --resume
    same longer
    claim "run again it comes to the same table" $?
}

case=small
make_case small
make_case longer
run small small
[ "$code" -eq 0 ]
claim "undisturbed the campaign passes" $? >"$folder/0"
run longer longer
locked_at_the_start >"$folder/1" 2>&1 &
locked_underway >"$folder/2" 2>&1 &
{
    being_read
    full_disk
    full_merge
    read_only
    spoilt
} >"$folder/3" 2>&1
wait
cat "$folder"/[0-3] | awk '/^(not )?ok/ { n++; sub(/ok -/, "ok " n " -") } { print } END { print "1.." n }'
