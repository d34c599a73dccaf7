#!/bin/bash
# A trial that stands still for a debugger: everything stands, nothing ends it meanwhile, and its history is what it is without.
# beside others: on the virtual clock; what it waits for may take a minute
set -u
cd "$(dirname "$0")/../.." || exit 3
. tests/tap

hash_of() { sed -n 's/^history \([0-9a-f]*\).*/\1/p' "$1"; }
run "$ukemi" run 070 --seed 2
cp "$folder/said" "$folder/usual"
mkfifo "$folder/line"
# stand AT: a trial that stands at that time; $trial, and $pid of the process to debug.
stand() {
    rm -f "$folder/stood" # of the trial before
    timeout 120 "$ukemi" run 070 --seed 2 --attach controller --at "$1" <"$folder/line" >"$folder/stood" 2>&1 &
    trial=$!
    exec 9>"$folder/line"
    await 60 grep -qs '^Enter, or' "$folder/stood"
    pid=$(sed -n 's/.* controller is process \([0-9]*\), in its cell.*/\1/p' "$folder/stood")
}
# ended: the trial has come to its end, and passed with the usual history.
ended() {
    wait "$trial" && [ -n "$(hash_of "$folder/usual")" ] && [ "$(hash_of "$folder/usual")" = "$(hash_of "$folder/stood")" ]
}
# Processor time of the process, in ticks.
ticks() { awk '{ print $14 + $15 }' "/proc/$pid/stat"; }

stand 2.12345
claim "a trial stands still, and says who is to be debugged" test -d "/proc/$pid"
claim "... which is the program" grep -q targets/pendulum/controller "/proc/$pid/cmdline"
before=$(ticks)
sleep 0.5
claim "it uses no time of the processor" test "$(ticks)" = "$before"
claim "the trial waits" kill -0 "$trial"
echo >&9
claim "a line lets it go on, with the usual history" ended
exec 9>&-

# Whether gdb may attach to a process that the lab has nothing to do with.
gdb_works() {
    sleep 60 &
    local bystander=$! works=false
    timeout 30 gdb -p "$bystander" -batch -nx -ex bt 2>&1 | grep -q '^#0' && works=true
    kill "$bystander"
    $works
}
gdb_sees() { answers 0 'in clk_sleep_until' timeout 100 gdb -p "$pid" -batch -nx -ex bt; }
if gdb_works; then
    stand 4
    claim "gdb attaches, and sees the process wait for its time" gdb_sees
    claim "when gdb has gone the trial goes on, with the usual history" ended
    exec 9>&-
else
    skip "gdb attaches" "gdb attaches to no process here, or is missing: see scripts/deps"
    skip "when gdb has gone the trial goes on" "as above"
fi

claim "without standard input and debugger it goes on" answers 0 '^PASS$' "$ukemi" run 070 --seed 2 --attach controller --at 1
killed=$(awk '/applied kill/ { print $1 + 0.1 }' "$folder/usual")
claim "a process that does not run is no reason to stand" answers 0 "controller does not run at $killed" "$ukemi" run 070 --seed 2 --attach controller --at "$killed"
claim "an instant after the end is told" answers 0 'the trial was over before 400.0' "$ukemi" run 070 --seed 2 --attach controller --at 400
claim "in real time it is refused, with the reason" answers 2 'in real time the world goes on .*leave out --wall' "$ukemi" run 070 --attach controller --wall
claim "a process that there is not is bad input, with those that there are" answers 2 "'frog' is not a process of pendulum; there are world, controller, operator" \
    "$ukemi" run 070 --attach frog
claim "--at without --attach is bad input" answers 2 'name the process' "$ukemi" run 070 --at 3
claim "--check-determinism with --attach is bad input" answers 2 'one of them' "$ukemi" run 070 --attach controller --check-determinism
plan
