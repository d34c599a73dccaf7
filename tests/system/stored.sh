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
    env PATH=/nowhere UKEMI_ROOT="$PWD" "$ukemi" campaign "$folder/c.yaml" --quiet --jobs 1 --db "$1" --output "$folder/page" "${@:2}"
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
claim "report says so, and leaves its figures out" foreign report --output "$folder/other"
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

# ---- a campaign goes on only if it is the same ----------------------------------------------------------------
mkdir -p "$folder/stack/targets/mine"
cp targets/hubo2/*.xml targets/hubo2/*.msg "$folder/stack/targets/mine/"
sed 's/^name: .*/name: mine/' targets/hubo2/target.yaml >"$folder/stack/targets/mine/target.yaml"
cp "$BUILD/targets/hubo2/perception" "$folder/stack/targets/mine/seer"
sed -i 's#targets/hubo2/perception#seer#' "$folder/stack/targets/mine/target.yaml"
export UKEMI_PATH=$folder/stack
plan_campaign 4 6
sed -i 's/^target: .*/target: mine/' "$folder/c.yaml" "$folder/stand.yaml"
db=$folder/m.db
has_trials() { [ "$(rows 'SELECT count(*) FROM trial' 2>/dev/null || echo 0)" -ge "$1" ]; }
# begin: the campaign beside, until it has stored a trial.
begin() {
    campaign "$db" >"$folder/said" 2>&1 &
    beside=$!
    await 60 has_trials 1
}
ended() { # PATTERN CODE: the campaign beside ended so
    wait "$beside"
    code=$?
    answered "$2" "$1"
}
terminate() { begin && kill -TERM "$(pgrep -P $beside -x ukemi || echo $beside)" && ended 'interrupted: [1-5] of 6 trials are stored; go on with: .*--resume' 75; }
claim "SIGTERM ends a campaign with 75, and says how to go on" terminate
cp "$db" "$folder/part.db"
refused() { answers 2 "was another: .*$1.*leave out --resume" campaign "$db" --resume && ! has_trials 6; }
cp "$folder/stack/targets/mine/seer" "$folder/seer"
echo >>"$folder/stack/targets/mine/seer"
claim "it does not go on with another program" refused 'target seer is another'
cp "$folder/seer" "$folder/stack/targets/mine/seer"
sed -i 's/trials: 6/trials: 5/' "$folder/c.yaml"
claim "... nor with other squares" refused 'square Planner, Static is another'
sed -i 's/trials: 5/trials: 6/; s/seed: 4/seed: 5/' "$folder/c.yaml"
claim "... nor with another seed" refused 'its seed was 4, and is 5'
sed -i 's/seed: 5/seed: 4/; s/signal=KILL/signal=TERM/' "$folder/c.yaml"
claim "... nor with another fault" refused 'square Planner, Static is another'
sed -i 's/signal=TERM/signal=KILL/' "$folder/c.yaml"
sed -i 's/^watch_s:.*/watch_s: 0.4/' "$folder/stand.yaml"
claim "... nor with another scenario" refused 'scenario stand.yaml is another'
sed -i 's/^watch_s:.*/watch_s: 0.5 # a comment/' "$folder/stand.yaml"
claim "with what it was it goes on, whatever the comments say" answers 0 '6 trials, 6 passed' campaign "$db" --resume
claim "a finished campaign is left alone" answers 0 'is finished: all 6 trials are stored .*nothing was run' campaign "$db" --resume
claim "... and there is still one" answers 0 '^1$' rows "SELECT count(*) FROM campaign"
claim "each trial has the digest of its campaign" answers 0 '^6$' rows "SELECT count(*) FROM trial JOIN campaign USING (digest) WHERE length(digest) = 32"
sed -i 's/trials: 6/trials: 5/' "$folder/c.yaml"
refused_finished() { answers 2 'was another: .*leave out --resume' campaign "$db" --resume; }
claim "a finished one that was another is not begun under its name, either" refused_finished
db=$folder/n.db
sed -i 's/trials: 5/trials: 6/' "$folder/c.yaml"
replace() { begin && echo >>"$folder/stack/targets/mine/seer" && ended 'trials? lost: target seer has changed while the campaign ran' 3; }
claim "a program that is replaced while the campaign runs ends it, and loses its trial" replace
cp "$folder/seer" "$folder/stack/targets/mine/seer"
claim "with the one that it began with it goes on" answers 0 '6 trials, 6 passed' campaign "$db" --resume

# ---- what judged a trial judges it again, wherever that is --------------------------------------------------------
# A campaign that is named by its path from here, with a program that judges beside its scenario, and a module of that program.
mkdir "$folder/A" "$folder/B"
plan_campaign 4 1
sed -i 's/^target: .*/target: mine/' "$folder/c.yaml"
mv "$folder/c.yaml" "$folder/stand.yaml" "$folder/A"
cat >>"$folder/A/stand.yaml" <<'PROMISES'
promises:
  - { name: high, always: 'truth.pelvis_m[2] > 0.1' }
  - { name: own, program: oracle.py }
PROMISES
printf '#!/usr/bin/python3\nimport sys\nsys.dont_write_bytecode = True\nimport words\nsys.stdin.buffer.read()\nprint("PASS 1 - " + words.said)\n' >"$folder/A/oracle.py"
chmod +x "$folder/A/oracle.py"
echo 'said = "as in A"' >"$folder/A/words.py"
mkdir "$folder/scrap"
here() { (cd "$1" && env PATH=/usr/bin:/bin TMPDIR="$folder/scrap" UKEMI_PATH="$places" "$ukemi" "${@:2}"); } # FOLDER WORD...
places=$folder/stack
large=$folder/stack/targets/mine/mesh.bin # more than a database keeps
head -c 4200000 /dev/zero >"$large"
claim "a campaign is named by its path from here" here "$folder/A" campaign c.yaml --quiet --jobs 1 --db "$folder/j.db" --output "$folder/page"
cp "$folder/A/"* "$folder/B"
sed -i 's/> 0.1/> 9/' "$folder/B/stand.yaml"
echo 'said = "as in B"' >"$folder/B/words.py"
again() { answers 0 '^PASS$' here "$1" judge 1 --db "$folder/j.db" && said 'PASS  own .*as in A'; }
untold() { again "$1" && ! grep -q 'changed since' "$folder/said"; }
claim "from a folder with other files of these names it is judged by its own, and nothing is told" untold "$folder/B"
sed -i 's/> 0.1/> 8/' "$folder/A/stand.yaml"
echo >>"$folder/stack/targets/mine/seer"
told() { again / && said 'changed since the campaign ran: scenario stand.yaml .*/A/stand.yaml., target seer '; }
claim "files that have changed are told, in one sentence, and the stored ones judge" told
cp "$large" "$folder/mesh.bin"
echo >>"$large"
refused_large() { answers 2 "mesh.bin: is not what it was when the campaign ran, and is too large" here / "$@" --db "$folder/j.db"; }
claim "a file above 4 MiB that has changed is refused" refused_large judge 1
claim "... by who draws it, too" refused_large view 1 --output "$folder/v.html"
claim "... and nothing was stored or written" test "$(sqlite3 "$folder/j.db" 'SELECT count(*) FROM judging')" = 3 -a ! -e "$folder/v.html"
cp "$folder/mesh.bin" "$large"
claim "as it was it is taken again" again /
changed=$folder/A/stand.yaml
claim "to run it again takes those of now, and says so" answers 1 "scenario stand.yaml .$changed., target seer .*the present ones are run" here / run --trial 1 --db "$folder/j.db"
rm -r "$folder/A" "$folder/stack"
places=
claim "with all of them gone it is judged in /" untold /
claim "... it has a page" answers 0 '^page: ' here / view 1 --db "$folder/j.db" --output "$folder/v.html"
claim "... and series" answers 0 '^time_s' here / series 1 --db "$folder/j.db"
claim "... and a report with its place in files" answers 0 'c(ampaign)? ' here / report --db "$folder/j.db" --format github
claim "... and is exported" answers 0 ' frames of ' here / export 1 --db "$folder/j.db" -o "$folder/t.log"
claim "nothing is left of what was laid out for that" test -z "$(ls "$folder/scrap")"
end_judge() { # SIGNAL: while its program is asked
    here / judge 1 --db "$folder/j.db" &
    local shell=$!
    await 20 sh -c "ls '$folder/scrap' | grep -q ukemi" || return 1
    kill -"$1" "$(pgrep -P $shell -x ukemi || echo $shell)"
    wait $shell
    await 20 sh -c "test -z \"\$(ls '$folder/scrap')\""
}
claim "... nor if it is interrupted" end_judge INT
claim "... nor if it is killed" end_judge KILL
chmod o+w "$folder/j.db"
claim "programs of a database that others may write are not run" answers 2 'j.db: others may write it' here / judge 1 --db "$folder/j.db"
chmod o-w "$folder/j.db"
sqlite3 "$folder/j.db" "UPDATE bytes SET bytes = CAST('name: evil' AS BLOB) WHERE name = 'scenario stand.yaml'"
claim "bytes that are not those of their hash judge nothing" answers 2 'the bytes of scenario stand.yaml in the database are not those' here / judge 1 --db "$folder/j.db"
sqlite3 "$folder/j.db" "DELETE FROM content"
claim "of a database without them the present files are taken, which is told" answers 2 'an older ukemi stored it, without the files that judge it' here / judge 1 --db "$folder/j.db"

# ---- a damaged database is never shown as if it were whole ----------------------------------------------------
# Every sector of it is lost once, or every eighth by day.
whole=$folder/m.db
sqlite3 "$whole" 'PRAGMA wal_checkpoint(TRUNCATE); PRAGMA journal_mode = DELETE' >/dev/null
"$ukemi" show --db "$whole" >"$folder/all"
report() { "$ukemi" report --db "$1" --format junit; }
report "$whole" >"$folder/all.xml"
damaged() { # STEP: sectors apart
    local sector sectors wrong=0 told=0
    sectors=$(($(stat -c %s "$whole") / 512))
    for ((sector = 0; sector < sectors; sector += $1)); do
        cp "$whole" "$folder/d.db"
        dd if=/dev/zero of="$folder/d.db" bs=512 seek=$sector count=1 conv=notrunc status=none
        if "$ukemi" show --db "$folder/d.db" >"$folder/some" 2>"$folder/why"; then
            grep -q '6 trials, 6 passed' "$folder/some" || { wrong=1 && echo "sector $sector: fewer trials, and no word"; }
        elif [ $? -eq 3 ] || grep -qE 'is not a result database|file is not a database|schema version' "$folder/why"; then
            told=$((told + 1))
        else
            wrong=1 && cat "$folder/why"
        fi
    done
    echo "$told of $sectors sectors told"
    [ $wrong -eq 0 ] && [ $told -gt 5 ]
}
claim "a sector that is lost is told, or takes away no trial" damaged 23
at_night "... whichever it is" damaged 1
cp "$whole" "$folder/d.db"
sqlite3 "$folder/d.db" 'PRAGMA foreign_keys = OFF; DELETE FROM judging WHERE trial_id = (SELECT max(trial_id) FROM trial)'
claim "a trial without its judging is told" answers 3 'is damaged .trial [0-9]+ has no judging|is damaged .a row of (verdict|observation) belongs' "$ukemi" show --db "$folder/d.db"
claim "... by JUnit, too" answers 3 'is damaged' report "$folder/d.db"
claim "... and by judge" answers 3 'is damaged' "$ukemi" judge 1 --db "$folder/d.db"
plan
