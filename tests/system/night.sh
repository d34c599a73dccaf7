#!/bin/bash
# Nights of a small campaign: what is new, known and gone; one that is ended, and one that runs out of time; whom it tells.
# tests/unit/campaign/night_test.c has more of what a finding is, tests/unit/files/keys_test.c what is refused of a file.
# beside others: all trials are on the virtual clock, where a history depends on nothing outside
set -u
cd "$(dirname "$0")/../.." || exit 3
. tests/tap
mkdir -p "$folder/p/targets/pole"
root=$PWD
cd "$folder/p" || exit 3
touch "$folder/hooked"
echo 'format: 1' >ukemi.yaml
cat >targets/pole/target.yaml <<'END'
format: 2
name: pole
world: world
processes:
  - { name: world,      component: "",         run: [targets/pendulum/world],      priority: 60 }
  - { name: controller, component: Controller, run: [targets/pendulum/controller], priority: 40 }
channels:
  - { name: pole,  message: pole.msg,  frame_size_max_B: 64, slots: 16, writer: world,      floor_hz: 150 }
  - { name: force, message: force.msg, frame_size_max_B: 64, slots: 16, writer: controller, floor_hz: 150, needs: pole }
quantities:
  lean_rad: abs(pole.angle_rad)
observations:
  - { name: lean_max_rad, value: lean_rad, of: max, unit: rad }
END
cp "$root"/targets/pendulum/{pole,force}.msg targets/pole/
cat >stand.yaml <<'END'
name: stand
claim: The pole leans less than 12 degrees.
target: pole
duration_s: 1.2
watch_s: 0.4
promises:
  - { name: pole-stays, always: lean_rad < 0.2 }
END
cat >poles.yaml <<'END'
name: poles
target: pole
seed: 1
columns:
  - { title: At rest, scenario: stand.yaml, trials: 2, at: { time_s: [0.5, 0.6] } }
rows:
  - { component: Controller, title: Controller killed, fault: { kind: kill, parameters: [signal=KILL], restart_after_s: 0.1 } }
  - { component: force, title: Forces lost, fault: { kind: channel-drop, duration_s: 0.2, parameters: [share=0.25, burst=3] } }
END
cat >night.yaml <<'END'
name: small
parts:
  - { campaign: poles.yaml }
mail: [me@example.org]
hook: tell
END
cat >tell <<'END'
#!/bin/sh
echo "$UKEMI_NIGHT: $UKEMI_NIGHT_NEW new, $UKEMI_NIGHT_GONE gone, status $UKEMI_NIGHT_STATUS, $UKEMI_NIGHT_PAGE, $(grep -c .)" >>../hooked
END
printf '#!/bin/sh\n{ echo "$@"; cat; } >>../mailed\n' >sendmail
chmod +x tell sendmail
export UKEMI_SENDMAIL=$PWD/sendmail
night() { "$ukemi" night night.yaml --quiet --jobs 2 --db u.db "$@"; }

claim "a night in which all passes" answers 0 '^Night 1 of small, .*: 0 new, 0 gone, 0 known, 0 flaky$' night
claim "... tells nobody" test ! -s ../hooked -a ! -e ../mailed
sed -i 's/lean_rad: abs/lean_rad: 90 * abs/' targets/pole/target.yaml
run night
claim "a changed target shows what is new, with the command that runs it again" answered 1 '^Night 2 of small, .*: 2 new, 0 gone' \
    '^new FAIL: poles: Forces lost, At rest, 2 of 2 \(pole-stays\)$' '^  ukemi run --trial [0-9]+ --db u.db$' '^moved: poles: Forces lost, At rest: fails, 2 of 2; before 0 of 2'
claim "... also on a page, with the campaign's report beside it" grep -q 'poles/index.html#problems' report/small/index.html
claim "... which is there" test -e report/small/poles/index.html
claim "... to JUnit" grep -q '<failure type="FAIL" message="pole-stays: ' report/small/night.xml
claim_with xmllint "reads it" xmllint --noout report/small/night.xml
claim "... to TAP" grep -qx 'not ok 3 - poles: Forces lost, At rest' report/small/night.tap
claim "... to GitHub" grep -qE '^::error title=new FAIL: poles: Forces lost, At rest::pole-stays: .*%0Aagain: ukemi run --trial ' report/small/night.github
failed() { [ "$(sqlite3 :memory: "SELECT json_extract(readfile('report/small/night.json'), '\$.results.summary.$1')")" = "$2" ]; }
claim "... to readers of CTRF" failed failed 2
claim "the hook is told, and reads the text" grep -qE '^small: 2 new, 0 gone, status 1, /.*/report/small/index.html, [1-9]' ../hooked
claim "the mail goes to the address" answers 0 '^-i -- me@example.org$' cat ../mailed
claim "... with a subject" grep -qx 'Subject: ukemi small: 2 new, 0 gone, 0 known' ../mailed
run night
claim "what is known is no failure" answered 0 '^Night 3 of small, .*: 0 new, 0 gone, 2 known' '^known: FAIL of poles: Forces lost, At rest, 2 of 2'
claim "... and no success: TAP's TODO" grep -qx 'not ok 3 - poles: Forces lost, At rest # TODO known: pole-stays' report/small/night.tap
claim "... CTRF's other" failed other 2
claim "... and nobody is told" test "$(grep -c . ../hooked)" = 1
sed -i 's/lean_rad: 90 \* abs/lean_rad: abs/' targets/pole/target.yaml
run night
claim "what is gone is told, and quantities that changed" answered 0 '^Night 4 of small, .*: 0 new, 2 gone' '^gone: FAIL of poles: Forces lost' '^poles .* \.FF\. $'

# ---- budget and signals -----------------------------------------------------------------------------------------------------
campaigns() { sqlite3 u.db 'SELECT count(*) FROM campaign'; }
trials() { sqlite3 -cmd '.timeout 9000' u.db 'SELECT count(*) FROM trial'; }
claim "a night without time says so" answers 0 '^poles +(out of time|not begun) ' night --budget 0.001s
started=$(campaigns)
claim "... and its campaign goes on in the next" answers 0 '^poles +finished +4 of +4' night
claim "... as the same one" test "$(campaigns)" = "$started" -a "$(trials)" = 20
"$ukemi" night night.yaml --quiet --jobs 1 --db u.db >said.txt 2>&1 &
pid=$!
has_trials() { [ "$(trials)" -ge "$1" ]; }
await 60 has_trials 21
kill -TERM $pid
wait $pid
code=$?
cp said.txt "$folder/said"
claim "told to end it ends with 75, and says how to go on" answered 75 'the same command goes on with it'
run night
claim "... and does: the same night, and no trial is run twice" answered 0 '^ukemi: the night that began before goes on' '^Night 7 of small' '^poles +finished +4 of +4'
claim "... so that all are there" test "$(trials)" = 24

# ---- keeping ----------------------------------------------------------------------------------------------------------------
prune() { "$ukemi" prune --db u.db "$@"; }
kept() { sqlite3 u.db "SELECT count(*) FROM trial_view WHERE history_path IS NOT NULL AND $1"; }
files() { diff <(sqlite3 u.db 'SELECT DISTINCT history_path FROM trial WHERE history_path IS NOT NULL ORDER BY 1') <(ls u.db-histories/*); }
failing=$(kept "verdict = 'FAIL'")
claim "histories of old nights go, but those of failures" answers 0 '^[1-9][0-9]* histories deleted' prune --keep-nights 1 --keep-failures
claim "... which all remain" test "$(kept "verdict = 'FAIL'")" = "$failing" -a "$failing" -gt 2
claim "... and the examples of the newest campaign" test "$(kept 'is_example AND campaign_id = (SELECT max(campaign_id) FROM campaign)')" = 2
claim "... and no others" test "$(kept "verdict = 'PASS' AND campaign_id < (SELECT max(campaign_id) FROM campaign)")" = 0
claim "files are what rows name" files
claim "of failures only those that show a finding are needed" answers 0 'of which [1-4] are needed' prune --keep-nights 1
claim "... of each square the newest" test "$(kept "verdict = 'FAIL' AND campaign_id = 3")" = 2 -a "$(kept "verdict = 'FAIL'")" = 2
claim "... which a small size leaves, too" answers 3 '--size: [0-9.]+ MB remain, more than 0.0 MB: the rest is needed; allow more' prune --size 1k
claim "... as are the examples" test "$(kept is_example)" -ge 2
claim "a trial whose history is gone is run again to be viewed, and is the same" answers 0 'trial 1: the same history bit for bit: [0-9a-f]{32}' "$ukemi" view 1 --db u.db -o v.html
claim "... or shown" answers 0 'trial 1: its history is not kept; the trial is run again, 1.2 s' "$ukemi" show 1 --db u.db
cp stand.yaml stand.before
sed -i 's/duration_s: 1.2/duration_s: 1.1/' stand.yaml
claim "... unless it is another one now, which is said with both hashes" answers 2 'trial 1: run again it has another history, [0-9a-f]{32}, and had [0-9a-f]{32}: ' "$ukemi" view 1 --db u.db -o w.html
claim "... and no page is written" test ! -e w.html
cp stand.before stand.yaml
claim "a size without a unit is refused" answers 2 'size 5: is no size; write it as 500M' prune --size 5
claim "a database that is not there is not made" answers 2 'gone.db: there is no such database' "$ukemi" prune --db gone.db
claim "... indeed" test ! -e gone.db

# ---- bad input --------------------------------------------------------------------------------------------------------------
bad() { # PATTERN SED: the night's file, changed so, is refused before anything is run
    sed "$2" night.yaml >bad.yaml
    answers 2 "$1" "$ukemi" night bad.yaml --db bad.db && [ ! -e bad.db ] && answers 2 "$1" "$ukemi" check bad.yaml
}
claim "a campaign that is not there is refused, with its place" bad 'bad.yaml: parts.0..campaign: ./gone.yaml: cannot be used' 's/poles.yaml/gone.yaml/'
claim "... one that is given twice" bad "is campaign 'poles', as parts.0. is; give one of them another name" 's,^parts:.*,&\n  - { campaign: ./././poles.yaml },'
claim "... a hook that is not there" bad 'bad.yaml: hook: ./none: there is no such program' 's/tell/none/'
claim "... an address that is an option" bad "bad.yaml:[0-9]+: mail.0.: '-oQ/tmp': is no address; write one" 's/me@example.org/"-oQ\/tmp"/'
claim "... a key that there is not" bad "bad.yaml:[0-9]+: hok: .*did you mean hook" 's/^hook/hok/'
for budget in 0s 8h30 721h; do
    claim "a budget of '$budget' is refused" answers 2 "--budget $budget: not a time; write it" night --budget "$budget"
done
claim "the shipped night is sound" answers 0 'night.yaml: sound' "$ukemi" check "$root/scenarios/nights/night.yaml"
claim "... and listed" answers 0 '^night +1 part +1 h ' "$ukemi" list nights
plan
