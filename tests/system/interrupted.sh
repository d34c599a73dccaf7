#!/bin/bash
# A benchmark that is interrupted leaves the runs it stored, whole, as a benchmark that is not finished, and nothing else: no process, and no history
# that no run names once the next one has begun, which works as if nothing had been.
# beside others: it waits for what it kills, and measures nothing
set -u
cd "$(dirname "$0")/../.." || exit 3
. tests/tap
database=$folder/i.db
rows() { sqlite3 "$database" "$1"; }
diff_of() { "$ukemi" diff "$@" --db "$database"; }

# waits COUNTER RUN: prints figures until its run number RUN, which never ends.
cat >"$folder/waits" <<'END_OF_PROGRAM'
#!/bin/bash
runs=$(($(cat "$1" 2>/dev/null || echo 0) + 1))
echo $runs >"$1"
if [ $runs -eq "$2" ]; then
    echo $$ >"$1.pid"
    exec sleep 1000
fi
printf 'a\tlatency\tus\tless\t%d\na\trate\t1/s\tmore\t%d\n' $((100 + runs)) $((200 + runs))
END_OF_PROGRAM
chmod +x "$folder/waits"

# gone PID: there is no such process, or nobody has asked yet how it ended.
gone() { [ ! -e "/proc/$1" ] || grep -q '^State:.Z' "/proc/$1/status"; }
# interrupt SIGNAL FILE COMMAND...: ukemi with this signal as soon as the file is there. A shell's background jobs ignore INT unless told otherwise.
interrupt() {
    env --default-signal=INT "$ukemi" "${@:3}" --db "$database" -- "${program[@]}" >"$folder/said" 2>&1 </dev/null &
    await 60 test -s "$2"
    kill "-$1" $!
    wait $! 2>/dev/null
    code=$?
}

for signal in KILL INT; do
    program=("$folder/waits" "$folder/$signal" 3)
    interrupt $signal "$folder/$signal.pid" bench store "$signal" --runs 10
    claim "$signal ends a benchmark" [ $code -gt 128 ]
    claim "... and the program it measures" await 60 gone "$(cat "$folder/$signal.pid")"
    claim "... the runs it stored are whole" [ "$(rows "SELECT count(*), count(DISTINCT run) FROM figure_view WHERE campaign = '$signal'")" = "4|2" ]
    claim "... and shown as of a benchmark that is not finished" answers 0 " $signal .* 2 runs of 1 configuration, .*\(not finished\)" "$ukemi" show --db "$database"
    claim "... which no comparison takes for one" answers 2 "$signal: no finished benchmark of this name" diff_of "$signal" --last 1
    claim "... and no report" answers 2 "$signal" "$ukemi" report "$signal" --db "$database"
    for _ in 1 2; do "$ukemi" bench store "$signal" --runs 10 --db "$database" -- "$folder/waits" "$folder/again" 0 >/dev/null; done
    claim "the next ones work, and are compared without it" answers 0 "^0 worse, 0 better" diff_of "$signal" --last 1 --relevant 20
done

program=("$folder/waits" "$folder/newer" 2)
interrupt KILL "$folder/newer.pid" bench store INT --runs 10
claim "a comparison says so when the newest is not finished, and takes the one before" answers 0 "number 7 'INT' is newer than number 6, but not finished" diff_of INT --last 1 --relevant 20

program=("$folder/waits" "$folder/first" 1)
interrupt KILL "$folder/first.pid" bench store first --runs 10
claim "killed in its first run it leaves none" [ "$(rows "SELECT count(*) FROM campaign WHERE name = 'first'")" = 0 ]

# The runs of daemons are stored at the end, so its histories have no name until then.
program=()
interrupt KILL "$folder/i.db-histories/8-0-0.mcap" bench daemons --runs 3 --duration 3 --scenario tests/canaries/hubo2/reckless-control.yaml
claim "a benchmark of daemons is killed when it has kept a history" test -s "$folder/i.db-histories/8-0-0.mcap"
claim "... and has stored nothing" [ "$(rows "SELECT count(*) FROM campaign JOIN square USING (campaign_id) WHERE name = 'daemons'")" = 0 ]
claim "... no process of it is left" await 60 not pgrep -f "$database"
# A process that ends has no command line any more some time before it lets go of its files.
claim "... nor its lock" await 60 not grep -q ":$(stat -c %i "$database") " /proc/locks
"$ukemi" bench store next --runs 1 --db "$database" -- "$folder/waits" "$folder/again" 0 >/dev/null
claim "the next benchmark, of whatever, removes the history" [ -z "$(ls "$folder/i.db-histories")" ]
claim "... and the campaign, which has nothing" [ "$(rows "SELECT count(*) FROM campaign WHERE name = 'daemons'")" = 0 ]
claim "... and keeps the runs that were stored" [ "$(rows "SELECT count(*) FROM figure_view WHERE campaign_id IN (SELECT campaign_id FROM campaign WHERE finished_utc IS NULL)")" = 10 ]
claim "the database is sound" [ "$(rows "PRAGMA integrity_check")" = ok ]
plan
