#!/bin/bash
# What the kernel guarantees of a cell: nothing of a trial is left, however it ends; nothing outside is touched.
set -u
cd "$(dirname "$0")/../.." || exit 3
. tests/tap
. tests/system/processes
runner=$BUILD/tests/bench/trial_run

# What else of this machine a trial could leave behind.
world() { # mounts, shared memory, network interfaces
    grep -v -e "$folder" /proc/self/mountinfo | sort
    find /dev/shm -maxdepth 1 -name 'cell' -o -maxdepth 1 -name 'build' -o -maxdepth 1 -name 'target' 2>/dev/null
    ls /sys/class/net
}

mkdir -p "$folder/scenarios"
sed -e 's/^duration_s:.*/duration_s: 3600/' scenarios/motion/001-stand.yaml >"$folder/scenarios/long.yaml"
sed -e 's/^duration_s:.*/duration_s: 2/' -e 's/^watch_s:.*/watch_s: 1/' scenarios/motion/001-stand.yaml >"$folder/scenarios/short.yaml"

world >"$folder/before"
"$runner" "$folder/scenarios/short.yaml" >"$folder/out" 2>&1
result $? "a trial runs"
world | diff "$folder/before" - >"$folder/diff"
result $? "a trial that has ended leaves no mount, no shared memory, no interface"

for delay in 0.02 0.1 0.3 0.6 1.0; do
    "$runner" "$folder/scenarios/long.yaml" >"$folder/out" 2>&1 &
    victim=$!
    sleep $delay
    mapfile -t below < <(descendants $victim)
    kill -KILL $victim
    wait $victim 2>/dev/null
    gone 30 "${below[@]}"
    result $? "killed after $delay s with ${#below[@]} processes below it, the lab leaves none of them"
done
world | diff "$folder/before" - >"$folder/diff"
result $? "killed, it leaves no mount, no shared memory, no interface"

# The same for the two processes between the lab and the programs, when there are programs.
at_work() { mapfile -t below < <(descendants $victim) && [ ${#below[@]} -gt 2 ]; }
for level in 1 2; do
    "$runner" "$folder/scenarios/long.yaml" >"$folder/out" 2>&1 &
    victim=$!
    await 30 at_work
    kill -KILL "${below[level - 1]}"
    wait $victim
    [ $? -eq 3 ] && grep -q "LAB ERROR" "$folder/out" && gone 30 "${below[@]}"
    result $? "process $level between lab and cell killed: a lab error, and nothing is left"
done

"$runner" "$folder/scenarios/short.yaml" >"$folder/one" 2>&1 &
"$runner" "$folder/scenarios/short.yaml" >"$folder/two" 2>&1
wait
[ -n "$(sed -n 's/.*hash //p' "$folder/one")" ] &&
    [ "$(sed -n 's/.*hash //p' "$folder/one")" = "$(sed -n 's/.*hash //p' "$folder/two")" ]
result $? "two trials side by side do not see each other: same seed, same history"

claim="an ordinary user runs the same trial with the same history"
if [ "$(id -u)" -ne 0 ]; then
    skip "$claim" "this is an ordinary user already"
elif ! command -v setpriv >/dev/null || ! setpriv --reuid=65534 --regid=65534 --clear-groups unshare -Upnim --fork true 2>/dev/null; then
    skip "$claim" "user namespaces are refused to ordinary users here"
elif ! setpriv --reuid=65534 --regid=65534 --clear-groups test -x "$runner" || ! chmod 755 "$folder"; then
    skip "$claim" "an ordinary user cannot reach $runner"
else
    setpriv --reuid=65534 --regid=65534 --clear-groups "$runner" "$folder/scenarios/short.yaml" >"$folder/user" 2>&1
    [ "$(sed -n 's/.*hash //p' "$folder/one")" = "$(sed -n 's/.*hash //p' "$folder/user")" ]
    result $? "$claim"
    [ "$(sed -n 's/.*hash //p' "$folder/user")" ] || sed 's/^/# /' "$folder/user"
fi
plan
