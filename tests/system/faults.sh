#!/bin/bash
# Faults of what strangers have: their proofs, in both modes, and what is refused. The scenarios with one of each kind are run by scenarios.sh.
# beside others: what is compared is on the virtual clock; of real time only proofs are asked, with wide margins
set -u
cd "$(dirname "$0")/../.." || exit 3
. tests/tap
export UKEMI_ROOT=$PWD

# with NAME FROM SED...: a copy of scenarios/FROM, changed, and called NAME.
with() {
    sed "${@:3}" -e "s/^name: .*/name: $1/" "scenarios/$2" >"$folder/$1.yaml"
    echo "$folder/$1.yaml"
}
line_of() { grep -nE "$1" "$2" | head -1 | cut -d: -f1; }
# refused TEXT WORDS FROM SED...: bad input, with file, the fault's line and these words.
refused() { claim "input: $1" refuses "$2" "$(with wrong "${@:3}")"; }
refuses() { answers 2 "wrong.yaml:$(line_of '  - \{ kind:' "$2"): faults.*$1" "$ukemi" run "$2"; }

# ---- channels -----------------------------------------------------------------------------------------------------

lost=pendulum/071-force-frames-lost.yaml nan=pendulum/078-angle-not-a-number.yaml
refused "a channel that the target lacks is named, with those it has" 'component: forces: .* use one of: pole force' $lost -e 's/component: force/component: forces/'
refused "a share above 1 is refused" 'share=2: cannot be used; use a number from 0 to 1' $lost -e 's/share=0.25/share=2/'
refused "a parameter of another kind is refused" 'delay_s=1: cannot be used' $lost -e 's/burst=3/delay_s=1/'
refused "a fault of a channel without its duration is refused" 'duration_s' $lost -e 's/duration_s: 2, //'
refused "a fault of a channel takes no restart" 'restart_after_s' $lost -e 's/duration_s: 2,/& restart_after_s: 1,/'
refused "a field that the message lacks is refused" 'field=angel: not a floating-point number of .*pole.msg' $nan -e 's/field=angle_rad/field=angel/'
refused "a field that is a whole number is refused" 'field=time_ns: not a floating' $nan -e 's/field=angle_rad/field=time_ns/'
refused "a field that is not given is asked for" 'field=none: .*write field=PATH' $nan -e 's/field=angle_rad, //'
refused "a field that changes places with itself is refused" 'other_field=angle_rad: write other_field=PATH with another number that has 8 bytes' \
    $nan -e 's/kind: channel-nan/kind: channel-swap/' -e 's/field=angle_rad/&, other_field=angle_rad/'

claim "a fault that hits none of a channel's frames is an error" answers 3 '^ *ERROR +fault-effective .*acted on 0; 400 put, 400 got' \
    "$ukemi" run "$(with nothing $lost -e 's/share=0.25/share=0.000001/')" --seed 1
for kind in stale all-nan zero; do
    claim "channel-$kind that hits no frame is an error" answers 3 '^ *ERROR +fault-effective .*acted on 0;' \
        "$ukemi" run "$(with nothing pendulum/085-pole-at-zero.yaml -e "s/channel-zero/channel-$kind/" -e 's/duration_s: 0.2/&, parameters: [share=0.000001]/')" --seed 1
done
claim "a fault of one kind is not proven by another's effect" answers 3 'NOT PROVEN: .*two sides do not show it' \
    "$ukemi" run "$(with still pendulum/074-pole-told-out-of-order.yaml -e 's/share=0.3/share=1/; s/duration_s: 2,/duration_s: 20,/; /pole-settles/d')" --seed 1

# What the target did, judged to the last digit.
margins() { "$ukemi" run "$1" --seed 1 2>&1 | grep -E '^ *(PASS|FAIL) +pole-stays' >"$2"; }
idle_interposer() {
    margins "$(with calm $lost -e '/^faults:/d' -e '/^  - { kind/d' -e 's/from: fault }/from: start }/' -e '/from: fault-over/d')" "$folder/without"
    margins "$(with idle $lost -e 's/share=0.25/share=0.000001/' -e 's/from: fault }/from: start }/')" "$folder/beside"
    cat "$folder/without" "$folder/beside"
    [ -s "$folder/without" ] && cmp "$folder/without" "$folder/beside"
}
claim "an interposer that tampers with nothing changes nothing" idle_interposer

same_twice() { answers 0 '^ *PASS +determinism' "$ukemi" run "scenarios/$1" --seed 4 --check-determinism; }
claim "frames that are lost by chance are the same ones each time" same_twice $lost
claim "frames that overtake by chance are the same ones each time" same_twice pendulum/074-pole-told-out-of-order.yaml

cat >"$folder/several.yaml" <<'END'
name: several
claim: Several faults of the same channel, and of both, prove themselves one by one, while the writer is killed.
target: pendulum
duration_s: 8
watch_s: 2
faults:
  - { kind: channel-duplication, component: force, at: { time_s: [1] },   duration_s: 1 }
  - { kind: channel-delay,       component: force, at: { time_s: [1.5] }, duration_s: 1,  parameters: [delay_s=0.003] }
  - { kind: channel-drop,        component: pole,  at: { time_s: [1.7] }, duration_s: 1,  parameters: [share=0.3] }
  - { kind: kill,                component: Controller, at: { time_s: [3] }, restart_after_s: 0.2 }
  - { kind: wrong-writer,        component: force, at: { time_s: [2.9] }, duration_s: 0.3, parameters: [field=force_n, value=0.1] }
END
claim "several faults of a channel prove themselves, its writer killed meanwhile" answers 0 '^ *PASS +determinism' \
    "$ukemi" run "$folder/several.yaml" --seed 2 --check-determinism

cat >"$folder/real.yaml" <<'END'
name: real
claim: Faults of channels prove themselves in real time.
target: pendulum
duration_s: 3
watch_s: 1
faults:
  - { kind: channel-drop,  component: pole,  at: { time_s: [0.5] }, duration_s: 0.5, parameters: [share=0.5] }
  - { kind: channel-delay, component: force, at: { time_s: [0.6] }, duration_s: 0.5, parameters: [delay_s=0.2] }
END
claim "faults of channels prove themselves in real time" answers "0 1" '^ *PASS +fault-undone' "$ukemi" run "$folder/real.yaml" --seed 1 --wall
claim "and their effects, too" said '^ *PASS +fault-effective'
claim_in_real_time "... a delay that is shorter than the machine may hold up a frame, too" \
    answers "0 1" '^ *PASS +fault-effective' "$ukemi" run "$(with short pendulum/072-force-comes-late.yaml -e 's/delay_s=0.02/delay_s=0.003/')" --seed 1 --wall
claim "canary: there, a single late frame proves nothing" answers 3 '^ *ERROR +fault-effective .*two sides do not show it' \
    "$ukemi" run "$(with single pendulum/072-force-comes-late.yaml -e 's/delay_s=0.02/delay_s=0.003, limit=1/')" --seed 1 --wall

# ---- processes ----------------------------------------------------------------------------------------------------

# Two shells with a child each. The pidfd is the first one's; the number is its own, or the other one's.
cat >"$folder/group.py" <<'END'
import os, subprocess, sys, time
def group():
    leader = subprocess.Popen(["sh", "-c", "sleep 60 & echo $!; wait"], stdout=subprocess.PIPE, start_new_session=True, text=True)
    return leader, int(leader.stdout.readline())
(mine, child), (other, bystander) = group(), group()
os.dup2(os.pidfd_open(mine.pid), 3)
number = {"own": mine.pid, "other": other.pid}[sys.argv[2]]
subprocess.run([sys.argv[1], "apply", "kill", f"pid={number}", "signal=KILL"], pass_fds=[3])
mine.wait()
dead = lambda pid: not os.path.exists(f"/proc/{pid}") or open(f"/proc/{pid}/stat").read().rsplit(")", 1)[1].split()[0] == "Z"
until = time.monotonic() + (10 if sys.argv[2] == "own" else 0.2)
while not dead(child) and time.monotonic() < until:
    time.sleep(0.01)
seen = dead(child), dead(bystander)
for pid in (child, bystander, other.pid):
    dead(pid) or os.kill(pid, 9)
print(seen)
sys.exit(seen != ((True, False) if sys.argv[2] == "own" else (False, False)))
END
claim_with python3 "sees that what a killed process has started ends, too" python3 "$folder/group.py" "$BUILD/faults/process" own
claim_with python3 "sees no group signalled whose leader is not behind the pidfd" python3 "$folder/group.py" "$BUILD/faults/process" other

# ---- sockets ------------------------------------------------------------------------------------------------------

chmod 755 "$folder"
cp -r tests/shim/targets "$folder/targets"
export UKEMI_PATH=$folder
scenarios=../tests/shim/scenarios
refused "a process without the library cannot be struck so" 'component: Controller: not a process with .clock: shim.' pendulum/070-pole-controller-killed.yaml \
    -e 's/kind: kill/kind: socket-drop/; s/restart_after_s: 0.3, parameters: .signal=KILL./duration_s: 1/'
refused "a direction that there is not is refused" 'direction=up: .*one of: out in both' $scenarios/socket-cut.yaml -e 's/port=5000/direction=up/'
refused "a port that there is not is refused" 'port=66000: .*0 to 65535' $scenarios/socket-cut.yaml -e 's/port=5000/port=66000/'
for file in tests/shim/scenarios/socket-*.yaml; do
    claim "$(sed -n 's/^claim: //p' "$file")" answers 0 '^ *PASS +determinism' "$ukemi" run "$file" --seed 1 --check-determinism
done
claim "a fault for a port that nobody uses is an error" answers 3 '^ *ERROR +fault-effective .*0 calls struck' \
    "$ukemi" run "$(with nobody $scenarios/socket-drop.yaml -e 's!path=/tmp/pong!port=7!')" --seed 1
export UKEMI_FAULTS=tests/canaries/faults/catalogue
claim "a fault of sockets that only claims to have struck is an error" answers 3 'NOT PROVEN: .*what the programs did does not show it' \
    "$ukemi" run "$(with boasting $scenarios/socket-drop.yaml -e 's/kind: socket-drop/kind: boasting-socket/; s/, parameters: .*]//')" --seed 1
claim "one that only claims to be undone is an error" answers 3 '^ *ERROR +fault-undone .*calls are still struck' \
    "$ukemi" run "$(with clinging $scenarios/socket-drop.yaml -e 's/kind: socket-drop/kind: clinging-socket/; s/, parameters: .*]//')" --seed 1
unset UKEMI_FAULTS

cat >"$folder/calls.yaml" <<'END'
name: calls
claim: Faults of sockets prove themselves in real time.
target: talk
duration_s: 4
watch_s: 1
faults:
  - { kind: socket-delay, component: Client, at: { time_s: [0.5] }, duration_s: 1, parameters: [port=5000, delay_s=0.2] }
  - { kind: socket-drop,  component: Ping,   at: { time_s: [0.5] }, duration_s: 1, parameters: [path=/tmp/pong] }
  - { kind: socket-reset, component: Client, at: { time_s: [2] }, duration_s: 0.8, parameters: [port=5000, limit=1] }
END
claim "faults of sockets prove themselves in real time" answers "0 1" '^ *PASS +fault-undone' "$ukemi" run "$folder/calls.yaml" --seed 1 --wall
claim "and their effects, too, in real time" said '^ *PASS +fault-effective'

# ---- clocks -------------------------------------------------------------------------------------------------------

slow=pendulum/081-controller-slow.yaml
refused "a process whose clock nobody could see is refused" 'component: operator: neither the .writer. of a recorded channel' $slow -e 's/component: Controller/component: operator/'
refused "so is one whose turns nobody could see" 'component: operator: not the .writer. of a recorded channel' $slow \
    -e 's/component: Controller/component: operator/; s/kind: clock-drift/kind: overrun/; s/, parameters: .*]//'
refused "a clock cannot go backwards" 'rate_ppm=-1e7: ' $slow -e 's/rate_ppm=-500000/rate_ppm=-1e7/'
for file in tests/shim/scenarios/clock-*.yaml scenarios/pendulum/08[0-2]*.yaml; do
    claim "$(sed -n 's/^claim: //p' "$file")" answers 0 '^ *PASS +determinism' "$ukemi" run "$file" --seed 1 --check-determinism
done
claim "and what it reads is five seconds ahead, then right again" answers 0 'stepped by -5.000 s' \
    "$ukemi" run "$(with told $scenarios/clock-step.yaml -e '/^  - { kind/s/$/\n  - { kind: kill, component: Watch, at: { time_s: [3] } }/')" --seed 1
claim "a step for a program that does not look is an error" answers 3 '^ *ERROR +fault-effective' \
    "$ukemi" run "$(with blind $scenarios/clock-drift.yaml -e 's/kind: clock-drift/kind: clock-step/; s/rate_ppm=-500000/step_s=5/')" --seed 1
export UKEMI_FAULTS=tests/canaries/faults/catalogue
claim "a fault of a clock that only claims to have struck is an error" answers 3 'NOT PROVEN: .*no stamp of it is wrong' \
    "$ukemi" run "$(with boasting $slow -e 's/kind: clock-drift/kind: boasting-clock/; s/, parameters: .*]//')" --seed 1
claim "a fault of turns that only claims to have struck is an error" answers 3 'NOT PROVEN: .*its frames come as before' \
    "$ukemi" run "$(with boasting $slow -e 's/kind: clock-drift/kind: boasting-turns/; s/, parameters: .*]//')" --seed 1
claim "one of a clock that only claims to be undone is an error" answers 3 'NOT PROVEN: .*its clock is still wrong' \
    "$ukemi" run "$(with clinging $slow -e 's/kind: clock-drift/kind: clinging-clock/; s/, parameters: .*]//')" --seed 1
unset UKEMI_FAULTS

cat >"$folder/clocks.yaml" <<'END'
name: clocks
claim: Faults of clocks prove themselves in real time, of shimmed programs, too.
target: pair
duration_s: 3
watch_s: 1
faults:
  - { kind: clock-drift, component: Ping, at: { time_s: [0.5] }, duration_s: 0.4, parameters: [rate_ppm=-900000] }
END
sed -e '1,/^parameters/s/time_s: .*] }, duration_s: 1/time_s: [0.5] }, duration_s: 0.5/; s/duration_s: 8/duration_s: 2/; s/watch_s: 3/watch_s: 1/; /^promises/,$d' "scenarios/$slow" >"$folder/slow.yaml"
for one in clocks slow; do
    claim "faults of clocks prove themselves in real time: $one" answers "0 1" '^ *PASS +fault-undone' "$ukemi" run "$folder/$one.yaml" --seed 1 --wall
    claim "and their effects, too, in real time: $one" said '^ *PASS +fault-effective'
done
plan
