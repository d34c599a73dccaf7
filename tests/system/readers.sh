#!/bin/bash
# Readers read: results in folders that may not be written, of other users, of a writer at work or killed, of older schemas; and
# nobody touches or waits for what is no result database, no history, no file.
# beside others: all trials are on the virtual clock, and nothing is claimed of time
set -u
cd "$(dirname "$0")/../.." || exit 3
. tests/tap
chmod 755 "$folder"
writers=()
trap 'kill -KILL "${writers[@]}" 2>/dev/null; rm -rf "$folder"' EXIT

sed 's/^duration_s:.*/duration_s: 1.5/; s/^watch_s:.*/watch_s: 0.5/' tests/kill/stand.yaml >"$folder/stand.yaml"
cat >"$folder/c.yaml" <<CAMPAIGN
name: c
target: hubo2
seed: 4
fault: { kind: kill, parameters: [signal=KILL], restart_after_s: 0.15 }
columns:
  - { title: Static, scenario: stand.yaml, trials: 1, at: { time_s: [0.2, 0.5] } }
rows:
  - { component: Planner, expected: [No Effect] }
CAMPAIGN
mkdir "$folder/r"
db="$folder/r/u?%.db" # a name that means something else in a URI
campaign() { "$ukemi" campaign "$folder/c.yaml" --quiet --jobs 1 --db "$1" --output "$folder/page"; } # DATABASE
campaign "$db" >"$folder/campaign" 2>&1
result $? "there are results" "$folder/campaign"

# ---- results that may not be written ----------------------------------------------------------------
reader=()
if [ "$(id -u)" -eq 0 ]; then
    reader=(setpriv --reuid=65534 --regid=65534 --clear-groups)
else
    chmod a-w "$folder/r" "$db"
fi
sums() { (cd "$1" && find . -type f -exec cksum {} + | sort); } # FOLDER
sums "$folder/r" >"$folder/before"
mkdir -m 777 "$folder/free"
reads() { # CODES PATTERN WORD...: what another user is answered
    answers "$1" "$2" "${reader[@]}" "$ukemi" "${@:3}"
}
can_reach() { "${reader[@]}" test -x "$ukemi"; }
if can_reach; then
    claim "a reader is shown results that he may not write" reads 0 '^ *1 .*c ' show --db "$db"
    claim "and a trial" reads 0 'Planner' show 1 --db "$db"
    claim "he makes a report of them elsewhere" reads 0 'free/page/index.html' report --db "$db" --output "$folder/free/page"
    claim "with its plots" grep -q '<svg' "$folder/free/page/index.html"
    claim "he judges a trial again, which is not added" reads 0 'this judgement is not added' judge 1 --db "$db"
    claim "he gets its series" reads 0 'pelvis|time' series 1 --db "$db"
    claim "he exports its frames" reads 0 '' export 1 --db "$db" -o "$folder/free/t.log"
    claim "he runs it again" reads 0 '^PASS$' run --trial 1 --db "$db"
    claim "nothing of the results has changed" diff "$folder/before" <(sums "$folder/r")
else
    skip "another user reads results" "another user cannot reach $ukemi"
fi
chmod u+w "$folder/r" "$db"

# A writer at work: what it has stored lies beside the database still.
hold() { # DATABASE SQL: runs it in a process that keeps the database open
    mkfifo "$1.stop"
    (exec sqlite3 "$1" <"$1.stop" >/dev/null 2>&1) &
    writers+=($!)
    exec {stop}>"$1.stop"
    printf '%s\n' "$2" >&$stop
}
wal=$folder/r/wal.db
cp "$db" "$wal"
hold "$wal" "PRAGMA journal_mode = WAL; PRAGMA wal_autocheckpoint = 0; UPDATE campaign SET name = 'renamed';"
written() { [ -s "$wal-wal" ] && [ "$(sqlite3 -readonly "$wal" 'SELECT name FROM campaign')" = renamed ]; }
await 30 written
[ "$(id -u)" -eq 0 ] || chmod a-w "$folder/r"
if can_reach; then
    claim "beside a writer a reader sees what it has stored" reads 0 'renamed' show --db "$wal"
    kill -KILL "${writers[-1]}"
    wait "${writers[-1]}" 2>/dev/null
    claim "when the writer was killed, too" reads 0 'renamed' show --db "$wal"
    claim "and so has his report" reads 0 'free/page/index.html' report --db "$wal" --output "$folder/free/page"
else
    skip "another user reads beside a writer" "another user cannot reach $ukemi"
fi
chmod u+w "$folder/r"

# ---- older schemas ------------------------------------------------------------------------------------
# older VERSION: the same results in a database of that version, $folder/old-VERSION/u.db
pivot() { echo "max($1) FILTER (WHERE name = '$2')"; }
older() {
    local place=$folder/old-$1
    mkdir -p "$place" && cp -r "$db-histories" "$place/"
    {
        cat tests/data/schema-1.sql
        [ "$1" -lt 2 ] || {
            sed -n '/^CREATE TABLE bus_load/,/^)/p' harness/store/schema.sql
            echo 'PRAGMA user_version = 2;'
        }
        echo "ATTACH '$db' AS now; PRAGMA foreign_keys = OFF;"
        echo "INSERT INTO machine SELECT machine_id, cpu_model, cores, kernel FROM now.machine;"
        echo "INSERT INTO campaign SELECT campaign_id, name, file, target, seed, clock_mode, recheck_share, jobs, build_id, machine_id, started_utc, finished_utc, wall_s FROM now.campaign;"
        for table in build fault process_event judging; do
            echo "INSERT INTO $table SELECT * FROM now.$table;"
        done
        echo "INSERT INTO trial SELECT trial_id, square_id, number, target, scenario, seed, clock_mode, build_id, machine_id, outcome, reason, simulated_s, \
            wall_s, cpu_s, grants, history_hash, recheck_hash, history_path, is_example, finished_utc FROM now.trial;"
        echo "INSERT INTO verdict SELECT judging_id, oracle, verdict, margin, unit, detail FROM now.verdict;"
        echo "INSERT INTO cell SELECT * FROM now.square;"
        echo "INSERT INTO observation SELECT judging_id, $(pivot text motion), 'no-effect', '', $(pivot text behaviour), $(for name in fault_s \
            gait_phase com_margin_m capture_point_margin_m com_margin_worst_m fall_after_s reaction_s stop_s deceleration_max_rad_s2 restart_s \
            resume_s steps_after_fault; do echo "$(pivot value $name),"; done) $(pivot text completed) = 'yes' FROM now.observation GROUP BY 1;"
        [ "$1" -lt 2 ] || echo "INSERT INTO bus_load SELECT * FROM now.bus_load;"
    } | sqlite3 -bail "$place/u.db"
}
"$ukemi" report --db "$db" --output "$folder/free/now" >/dev/null 2>&1
for version in 1 2; do
    claim "there are results of version $version" older $version
    old=$folder/old-$version/u.db
    cksum "$old" >"$folder/before"
    claim "results of version $version are shown" answers 0 '^ *1 .*c ' "$ukemi" show --db "$old"
    claim "a trial of version $version, too" answers 0 'Planner' "$ukemi" show 1 --db "$old"
    run "$ukemi" report --db "$old" --output "$folder/free/old"
    claim "their table is that of today's version" diff "$folder/free/now/table1.csv" "$folder/free/old/table1.csv"
    claim "a trial of version $version is judged again" answers 0 '^PASS$' "$ukemi" judge 1 --db "$old"
    claim "readers have not changed a byte of it" diff "$folder/before" <(cksum "$old")
    claim "a campaign goes on in it" campaign "$old"
    whole() { [ "$(sqlite3 "$old" 'PRAGMA user_version; PRAGMA integrity_check; PRAGMA foreign_key_check; SELECT count(*) FROM trial')" = "$(printf '%s\nok\n2' "$(sqlite3 "$db" 'PRAGMA user_version')")" ]; }
    claim "which is of today's version then, whole, with the earlier trial" whole
    claim "and has the tables, views and indices of a new one" diff <(sqlite3 "$db" '.schema --nosys' | sort) <(sqlite3 "$old" '.schema --nosys' | sort)
done

# ---- what is not ours -----------------------------------------------------------------------------------
foreign() { # NAME SQL: a database of another application, which nobody touches
    local place=$folder/foreign-$1
    mkdir "$place"
    hold "$place/u.db" "$2"
    await 30 test -s "$place/u.db"
    sqlite3 "$place/u.db" 'SELECT 1' >/dev/null
    kill -KILL "${writers[-1]}"
    wait "${writers[-1]}" 2>/dev/null
    exec {stop}>&-
    sums "$place" >"$folder/before"
    answers 2 'is not a result database of ukemi' campaign "$place/u.db" && answers 2 'is not a result database of ukemi' "$ukemi" show --db "$place/u.db" &&
        diff "$folder/before" <(sums "$place")
}
claim "a database with tables of another application is refused and not touched" foreign tables 'CREATE TABLE t (x);'
claim "so is one without tables" foreign application 'PRAGMA application_id = 7;'
claim "so is one that has a version only" foreign version 'PRAGMA user_version = 7;'
claim "so is one whose writer was killed" foreign killed 'PRAGMA journal_mode = WAL; PRAGMA wal_autocheckpoint = 0; CREATE TABLE t (x); INSERT INTO t VALUES (1);'
: >"$folder/empty.db"
claim "an empty file becomes a result database" campaign "$folder/empty.db"

# ---- created by two at once -------------------------------------------------------------------------------
together() {
    local i pid all=0
    for i in 1 2 3 4 5 6 7 8; do
        local pids=()
        for _ in 1 2 3 4; do
            "$ukemi" bench store b --runs 1 --db "$folder/race-$i.db" -- printf 'a\tm\tns\tless\t1\n' >>"$folder/race" 2>&1 &
            pids+=($!)
        done
        for pid in "${pids[@]}"; do wait "$pid" || all=1; done
        [ "$(sqlite3 "$folder/race-$i.db" 'SELECT count(*) FROM campaign')" = 4 ] || all=1
    done
    cat "$folder/race"
    return $all
}
claim "four that create the same database at once all store in it" together

# ---- no files ---------------------------------------------------------------------------------------------
mkfifo "$folder/fifo" "$folder/fifo.yaml" "$folder/fifo.mcap"
waits_not() { answers 2 "$1" timeout 20 "${@:2}"; } # PATTERN COMMAND...
claim "a FIFO as history is refused" waits_not 'fifo.mcap: is a FIFO; name a file' "$ukemi" judge "$folder/fifo.mcap" 001-stand
claim "a FIFO to be exported" waits_not 'fifo.mcap: is a FIFO' "$ukemi" export "$folder/fifo.mcap" -o "$folder/x.log"
claim "a FIFO as scenario" waits_not 'fifo.yaml:1: is a FIFO' "$ukemi" run "$folder/fifo.yaml"
claim "a FIFO as campaign" waits_not 'fifo.yaml:1: is a FIFO' "$ukemi" campaign "$folder/fifo.yaml" --db "$folder/x.db"
claim "a FIFO as database to be read" waits_not 'fifo: is a FIFO' "$ukemi" show --db "$folder/fifo"
claim "a FIFO as database to be written" waits_not 'fifo: is a FIFO' "$ukemi" campaign "$folder/c.yaml" --db "$folder/fifo" --output "$folder/page"
claim "a device as scenario" waits_not '/dev/zero:1: is a device' "$ukemi" run /dev/zero
claim "a device as history" waits_not '/dev/zero: is a device' "$ukemi" judge /dev/zero 001-stand
truncate -s 2G "$folder/sparse"
mkdir "$folder/dir.yaml"
for what in '/dev/zero: is a device' '/proc/kmsg: is a file of the kernel' '/proc/self/mem: is a file of the kernel' 'fifo: is a FIFO' \
    'dir.yaml: is a folder' 'sparse: .*(too large|not a result database)'; do
    name=${what%%:*}
    [ "${name#/}" != "$name" ] || name=$folder/$name
    claim "check refuses at once: ${what%(*}" waits_not "${what/:/(:1)?:}" "$ukemi" check "$name"
    claim "as a database to be read, too" waits_not "$what" "$ukemi" show --db "$name"
    claim "and to be written" waits_not "$what" "$ukemi" campaign "$folder/c.yaml" --db "$name" --output "$folder/page"
done
claim "a device as database" waits_not '/dev/null: is a device' "$ukemi" show --db /dev/null
mkdir -p "$folder/stack/targets/mine" "$folder/pages/reports"
cp -r targets/hubo2/*.xml targets/hubo2/*.msg "$folder/stack/targets/mine/"
sed 's/^name: .*/name: mine/' targets/hubo2/target.yaml >"$folder/stack/targets/mine/target.yaml"
sed 's/^target: .*/target: mine/' scenarios/motion/001-stand.yaml >"$folder/mine.yaml"
rm "$folder/stack/targets/mine/hubo2.xml" && mkfifo "$folder/stack/targets/mine/hubo2.xml"
claim "a FIFO as robot description" waits_not 'hubo2.xml:1: is a FIFO' env UKEMI_PATH="$folder/stack" "$ukemi" run "$folder/mine.yaml"
mkfifo "$folder/pages/reports/page.md"
claim "a FIFO as template" waits_not 'page.md: is a FIFO' env UKEMI_PATH="$folder/pages" "$ukemi" report --db "$db" --output "$folder/free/page"

# ---- what killed campaigns have left ------------------------------------------------------------------------
histories=$db-histories
touch -d '2 minutes ago' "$histories/1-0-7.mcap.123.part" "$histories/9-0-0.mcap.123.part" "$histories/notes.part"
touch "$histories/8-0-0.mcap.123.part"
campaign "$db" >/dev/null 2>&1
swept() { [ ! -e "$histories/1-0-7.mcap.123.part" ] && [ ! -e "$histories/9-0-0.mcap.123.part" ]; }
claim "what killed runs of other campaigns left half written is swept by the next one" swept
claim "but nothing that may be being written, or is somebody's own" test -e "$histories/8-0-0.mcap.123.part" -a -e "$histories/notes.part"
plan
