#!/bin/bash
# Taps: what programs that know nothing of the lab print and send becomes signals of the history, with the trial's time.
# beside others: all trials but one are on the virtual clock; that one awaits nothing within a time
set -u
cd "$(dirname "$0")/../.." || exit 3
. tests/tap
export UKEMI_PATH=$folder
chmod 755 "$folder"
mkdir "$folder/targets"
cp -r tests/shim/targets/tap "$folder/targets/tap"

# What was recorded, seen by an oracle program: how much, and the first and last of it.
cat >"$folder/seen" <<'END'
#!/usr/bin/python3
import sys
from ukemi_history import messages
seen = [(time_s, *message.values()) for _, time_s, message in messages(sys.argv[1])]
print("PASS 1 -", len(seen), *(" ".join(f"{value:.6g}" for value in message) for message in (seen[0], seen[-1])), sep=" | ")
END
chmod 755 "$folder/seen"
cat >"$folder/s.yaml" <<'END'
name: s
claim: What is tapped is judged as if it were on channels.
target: tap
duration_s: 4
watch_s: 2
faults:
  - { kind: kill, component: Printer, at: { time_s: [1, 2] }, restart_after_s: 0.5 }
promises:
  - { name: bounded, always: lean_rad < 0.21 }
  - { name: falls,   eventually: lean_rad < 0.1, for_s: 0.9 }
  - { name: follows, always: port.angle_rad < 0.21 and pole.angle_rad < 0.21 }
  - { name: log,  program: seen, arguments: [log] }
  - { name: pole, program: seen, arguments: [pole] }
  - { name: port, program: seen, arguments: [port] }
END
if [ ! -x /usr/bin/python3 ]; then
    skip "taps" "no /usr/bin/python3"
    plan
    exit
fi
trial() { run "$ukemi" run "$folder/s.yaml" "$@"; }

trial --keep "$folder/h.mcap"
claim "lines become numbers, a restarted process's too; a group that took no part is no number" \
    answered 0 '^  PASS  log .*\| 195 \| 0 0.2 nan \| 3.99452 0.032405 nan' '^  PASS  falls +\+0.01'
claim "datagrams are stamped with the time of the turn that sent them" answered 0 '^  PASS  port .*\| 399 \| 0 0.2 0 0 \| 3.9999 0.00373[0-9]* 0 398'
claim "more at once than a socket holds arrives, whole" answered 0 '^  PASS  pole .*\| 471 \| 0 0.2 0 0 \|'
claim "promises over taps have margins, as over channels" answered 0 '^  PASS  bounded +\+0.01 +worst at 0.000 s' '^  PASS  follows +\+0.01'
claim "a history with taps is judged again" answers 0 '^  PASS  falls' "$ukemi" judge "$folder/h.mcap" "$folder/s.yaml"

sed '/program: seen/d; s/time_s: \[1, 2\]/when: lean_rad, below: 0.05/' "$folder/s.yaml" >"$folder/when.yaml"
claim "a fault strikes when what a tap has heard is below a value" answers 0 '^ +1.410 s  applied kill Printer' "$ukemi" run "$folder/when.yaml"

hash_said() { sed -n 's/^history \([0-9a-f]*\).*/\1/p' "$folder/said"; }
same_in_20() {
    local first i busy code=0
    sed '/program: seen/d' "$folder/s.yaml" >"$folder/h.yaml"
    run "$ukemi" run "$folder/h.yaml" && first=$(hash_said)
    (while :; do :; done) &
    busy=$!
    for ((i = 0; i < 19; i++)); do
        run "$ukemi" run "$folder/h.yaml"
        [ -n "$first" ] && [ "$(hash_said)" = "$first" ] || code=1
    done
    kill "$busy"
    wait "$busy" 2>/dev/null
    return $code
}
claim "20 runs have one history, beside a busy loop" same_in_20

in_real_time() {
    sed '/program: seen/d; s/duration_s: 4/duration_s: 2.5/; s/time_s: .*, restart/time_s: [1] }, restart/; s/always: .* }/always: pole.angle_rad < 0.21, after_s: 2 }/' \
        "$folder/s.yaml" >"$folder/w.yaml"
    answers 0 '^  PASS  taps' "$ukemi" run --wall "$folder/w.yaml" && said '^  PASS  falls' '^  PASS  follows'
}
claim "taps are heard in real time, too" in_real_time

# ---- what is wrong ------------------------------------------------------------------------------------------------

# with SED FILE: a trial of the target with this file of it changed.
with() {
    cp tests/shim/targets/tap/* "$folder/targets/tap/"
    sed -i "$1" "$folder/targets/tap/$2"
    trial
    cp tests/shim/targets/tap/* "$folder/targets/tap/"
}
with 's/"<dfI"\(.*\), k)/"<df"\1)/' sender.py
claim "canary: datagrams of another size are counted and fail the trial; a promise over nothing else is broken" \
    answered 3 '^  FAIL  taps +-[0-9]+ messages +[0-9]+ not understood, first by tap p(ole|ort) at 0.000 s: 12 bytes; a [a-z0-9]+/angle.msg has 16' \
    '^  FAIL  follows .*no sample of p(ole|ort).angle_rad .*: sender was silent'
with 's/message, ("127/message + b"x", ("127/' sender.py
claim "canary: so are surplus bytes" answered 3 '^  FAIL  taps +-398 .*first by tap port at 0.000 s: 17 bytes; a [a-z0-9]+/angle.msg has 16' '^  FAIL  follows'
with 's/angle={0.2/angle=about{0.2/' printer.py
claim "canary: so are lines in which a number is none" answered 3 '^  FAIL  taps .*first by tap log at 0.000 s: no number: .*angle=about0.2' \
    '^  FAIL  bounded .*no sample of log.angle_rad .*: printer was silent'
with 's/angle={0.2/angel={0.2/' printer.py
claim "lines that do not match are other lines: a promise over them alone is broken" answered 3 '^  PASS  taps' '^  FAIL  bounded .*no sample'
with 's/angle={0.2.*k):.6f}", flush/angle=nan", flush/' printer.py
claim "a program that prints nan breaks its promise" answered 1 '^  FAIL  bounded .*at 0\.0.* s is not a number'

with 's/, writer: sender, floor_hz: 60/, writer: sender, floor_hz: 200/' target.yaml
claim "canary: a tap that hears less than its floor fails" answered 1 '^  FAIL  activity .*slackest is port of sender, .* Hz, at least 200'

with 's/ if k % 100 == 99 else 1//; s/range(25)/range(3000)/; s/sendto(message, pole)/sendto(bytes(60000), pole)/' sender.py
claim "a program that floods a tap exceeds its limit of output" answered 1 '^  FAIL  limits-kept .*output: tap pole: .* at most 64' \
    '^  SKIP  follows +the trial was ended before'

# refused CLAIM WORDS SED: bad input, with file, line and these words.
refused() {
    with "$3" target.yaml
    claim "input: $1" answered 2 "target.yaml:[0-9]+: $2"
}
refused "a source of another kind is refused" 'taps\[1\].from: pipe:pole: not a source; use unix:NAME' 's/unix:pole/pipe:pole/'
refused "a socket's name stays in its folder" 'taps\[1\].from: unix:../pole: not a name' 's/unix:pole/unix:..\/pole/'
refused "a port is a number" 'taps\[2\].from: udp:80: not a port; use 1024 to 65535' 's/14550/80/'
refused "a process that is not there prints nothing" 'taps\[0\].from: stdout:nobody: no such process' 's/stdout:printer/stdout:nobody/'
refused "two taps cannot read one socket" 'taps\[2\].from: unix:pole: two taps read it' 's/udp:14550/unix:pole/'
refused "a tap has a name of its own" 'taps\[1\].channel: fault: there is one of this name already' 's/channel: pole/channel: fault/'
refused "a pattern without groups is refused" 'taps\[0\].fields: .*: 0 named groups; write \(\?<NAME>' 's/fields: .*}/fields: "angle=(.*)" }/'
refused "a pattern that cannot be read is told with its column" 'taps\[0\].fields: .*: column 10: missing' 's/fields: .*}/fields: "(?<a>.*)(" }/'
refused "lines have no message" 'taps\[0\].message: not of stdout:printer; leave it out' 's/from: stdout:printer/&, message: angle.msg/'
refused "datagrams have a type" 'taps\[1\]: unix:pole: message: missing' 's/unix:pole, message: angle.msg/unix:pole/'
with 's/uint32 count/uint23 count/' angle.msg
claim "input: a mistake in a message file is told with its line" answered 2 'target.yaml:9: taps\[1\].message: .*angle.msg:3: '
refused "a floor of datagrams is somebody's" 'taps\[2\]: floor_hz without a writer' 's/ writer: sender,//'
refused "lines have a writer already" 'taps\[0\].from: stdout:printer: its writer is who prints' 's/floor_hz: 30/writer: printer/'
refused "a field that a tap lacks is told with its column" 'quantities.lean_rad: .*there is no signal .log.angel_rad' 's/log.angle_rad/log.angel_rad/'
plan
