#!/bin/bash
# Nothing in a cell exceeds its limits: whatever a process takes without end, its trial ends, says which process and which limit, is
# no PASS, and leaves nothing; a sound trial beside it does not notice.
set -u
cd "$(dirname "$0")/../.." || exit 3
. tests/tap
needs "a wall"
chmod 755 "$folder"
mkdir -p "$folder/targets"
export UKEMI_PATH=$folder
pid_max=$(cat /proc/sys/kernel/pid_max)

# stack NAME LIMITS: the target hubo2 with these limits, under this name.
stack() {
    mkdir -p "$folder/$1/scenarios"
    cp -r targets/hubo2 "$folder/targets/$1"
    sed -i "s/^name: hubo2/name: $1/" "$folder/targets/$1/target.yaml"
    printf '\nlimits: {%s}\n' "$2" >>"$folder/targets/$1/target.yaml"
}
stack tight "processes: 32, open_files: 64, memory_MB: 96, file_MB: 8, output_MB: 4, turn_s: 8"
stack brief "turn_s: 1"
stack short "wall_s: 6"
stack private "processes: 32"
chmod 700 "$folder/targets/private"

# trial STACK HABIT [OPTION...]: the robot stands, for duration_s (3), and the operator's program has this habit; output and exit status in
# files.
trial() {
    local scenario=$folder/$1/scenarios/$2.yaml out=$folder/$1-$2${3:-}
    printf 'name: s\nclaim: c\ntarget: %s\nduration_s: %s\nwatch_s: 1\n' "$1" "${duration_s:-3}" >"$scenario"
    printf 'operator: {program: tests/canaries/cell/cell_hog, arguments: %s mark-%d-%s-%s}\n' "$2" $$ "$1" "$2" >>"$scenario"
    shift 2
    timeout 400 "$ukemi" run "$scenario" --seed 1 "$@" >"$out" 2>&1
    echo $? >"$out.exit"
}
# marked STACK-HABIT: how many processes of this machine have come from its trials.
marked() {
    echo "mark-$$-$1" >"$folder/mark" # not on a command line of ours
    cat /proc/[0-9]*/cmdline 2>/dev/null | tr '\0' '\n' | grep -cxF -f "$folder/mark"
}

# judged TEXT EXIT PATTERN STACK HABIT [OPTION]: that trial ended so, said this, and nothing of it is left.
judged() {
    local out=$folder/$4-$5${6:-} left
    left=$(marked "$4-$5")
    [[ $(cat "$out.exit") =~ ^$2$ ]] && grep -qE "$3" "$out" && [ "$left" -eq 0 ]
    local code=$?
    [ $code -eq 0 ] || echo "# exit $(cat "$out.exit"), expected $2 with a line matching: $3; processes left: $left" >>"$out"
    result $code "$1" "$out"
}
hash_of() { sed -n 's/^history //p' "$1"; }

"$ukemi" run 001-stand --seed 1 >"$folder/alone" 2>&1
# Those that take long run beside the others.
(trial short slow) &
(trial tight spin; trial tight deaf-file) &

(exec -a "mark-$$-canary" sleep 600) &
canary=$!
is_found() { [ "$(marked canary)" -eq 1 ]; }
await 30 is_found
result $? "a process that is left behind would be found"
kill $canary

trial tight none
judged "within its limits the trial passes" 0 '^ *PASS +limits-kept' tight none
trial tight bomb
judged "a fork bomb deaf to all signals is gone with its trial, which names it" 1 \
    '^ *FAIL +limits-kept .*processes: operator \(pid [0-9]+\): [0-9]+ processes, at most 32' tight bomb
count=$(sed -n 's/.*limits-kept.*: \([0-9]*\) processes, at most 32.*/\1/p' "$folder/tight-bomb")
[ "${count:-0}" -gt 32 ] && [ "${count:-99}" -le 66 ]
result $? "the kernel never let it have more than twice the limit of 32, beside the robot" "$folder/tight-bomb"
trial tight threads
judged "threads without end are the doing of the process that starts them" 1 \
    '^ *FAIL +limits-kept .*processes: operator \(pid [0-9]+\): [0-9]+ processes, at most 32' tight threads
trial tight crowd
judged "so are threads of many processes of its own" 1 '^ *FAIL +limits-kept .*processes: .* processes, at most 32' tight crowd
trial tight escape
judged "a process that left its session and is deaf is gone with its trial" 0 '^PASS$' tight escape

# A sound trial beside those that take what the machine has.
(for _ in 1 2 3; do "$ukemi" run 001-stand --seed 1; done >"$folder/beside" 2>&1) &
beside=$!
for habit in memory segment; do
    trial tight $habit
    judged "memory without end ($habit) ends the trial, which names the process" 1 \
        '^ *FAIL +limits-kept .*memory: operator .* MB, at most 96' tight $habit
done
trial tight bomb
wait $beside
[ -n "$(hash_of "$folder/alone")" ] && [ "$(hash_of "$folder/beside" | sort | uniq -c | awk '{ print $1, $2 }')" = "3 $(hash_of "$folder/alone")" ] &&
    [ "$(grep -c '^PASS$' "$folder/beside")" = 3 ]
result $? "sound trials beside them pass, with their usual history" "$folder/beside"

for habit in fill tmp; do
    trial tight $habit
    judged "a full file system of the cell ($habit) ends the trial, which names the process" 1 \
        '^ *FAIL +limits-kept .*files: operator .* MB, at most 12' tight $habit
done
trial tight file
judged "a file without end ends its process" 1 '^ *FAIL +peers-survive .*operator was ended by signal 25' tight file
trial tight open
judged "descriptors without end end the trial, which names the process" 1 \
    '^ *FAIL +limits-kept .*open files: operator .* descriptors, at most 64' tight open
for habit in flood drip; do
    trial tight $habit
    judged "output without end ($habit) is counted, and ends the trial, which names the process" 1 \
        '^ *FAIL +limits-kept .*output: operator .* MB, at most 4' tight $habit
done
trial tight cut
judged "a process that cuts off a file which others have mapped fails the trial, not the lab" 1 \
    '^ *FAIL +limits-kept .*shared files: somebody: 1 cut off' tight cut
trial tight outside
judged "a process of a cell can write nothing outside" 1 \
    'operator was ended by signal 6 .*: /: Read-only.*/usr: Read-only.*/dev: Read-only' tight outside
trial tight memfd
judged "memory that no process maps is refused: it could not be counted" 1 \
    'operator was ended by signal 6 .*memfd_create: Function not implemented' tight memfd

# In wall mode the recorder may lose frames when a process takes the machine: an error, with the same evidence.
duration_s=30 trial brief spin --wall
judged "a process that never waits ends the trial in wall mode, which names it" '[13]' '^ *FAIL +limits-kept .*turn: operator' brief spin --wall
duration_s=5 trial brief starve --wall
judged "one that gets no processor is not taken for one that never waits" '[013]' '^ *PASS +limits-kept' brief starve --wall
grep -q '^held up: cell_hog waited for a processor for [2-9]' "$folder/brief-starve--wall"
result $? "... but the trial says that it was held up" "$folder/brief-starve--wall"
trial tight bomb --wall
judged "a fork bomb in wall mode is gone with its trial, which names it" '[13]' \
    '^ *FAIL +limits-kept .*processes: operator .* at most 32' tight bomb --wall

refused="what only root can read cannot be shown to programs that are not root, and nothing runs"
claim="without a wall they are root, and a fork bomb is ended all the same"
if [ "$(id -u)" -eq 0 ]; then
    trial private none
    judged "$refused" 3 'private: only its owner can read it; chmod -R go\+rX it, or --no-wall' private none
    trial private bomb --no-wall
    judged "$claim" 1 '^ *FAIL +limits-kept .*processes: operator' private bomb --no-wall
else
    skip "$refused" "not root"
    skip "$claim" "not root"
fi
claim="an ordinary user's trials have the same limits"
user=(setpriv --reuid=65534 --regid=65534 --clear-groups)
if [ "$(id -u)" -ne 0 ]; then
    skip "$claim" "this is an ordinary user already"
elif ! "${user[@]}" unshare -Upnim --fork true 2>/dev/null; then
    skip "$claim" "user namespaces are refused to ordinary users here"
elif ! "${user[@]}" test -x "$ukemi"; then
    skip "$claim" "an ordinary user cannot reach $ukemi"
else
    "${user[@]}" "$ukemi" run "$folder/tight/scenarios/bomb.yaml" --seed 1 >"$folder/tight-bomb-user" 2>&1
    echo $? >"$folder/tight-bomb-user.exit"
    judged "$claim" 1 '^ *FAIL +limits-kept .*processes: operator' tight bomb -user
fi

wait
judged "a process that never gives its turn back is ended and named" 1 '^ *FAIL +turns-returned .*operator kept its turn' tight spin
judged "so is one that goes on writing to a file it has filled" 1 '^ *FAIL +turns-returned .*operator kept its turn' tight deaf-file
# Where it had less than half of a processor the machine may be what is slow.
judged "a trial that takes too long is the fault of the process that computed for most of it, else an error; it is named" '[13]' \
    '^ *(FAIL +limits-kept|ERROR +lab) .*running time: operator .*at most 6' short slow
[ "$(cat /proc/sys/kernel/pid_max)" = "$pid_max" ]
result $? "the machine's own limit of process numbers is as before"
sed -i 's/wall_s: 6/wall_s: 6, processes: 7/' "$folder/targets/short/target.yaml"
"$ukemi" run "$folder/short/scenarios/slow.yaml" >"$folder/range" 2>&1
[ $? -eq 2 ] && grep -q 'target.yaml:[0-9]*: limits.processes' "$folder/range"
result $? "a limit out of range is bad input, with file and line" "$folder/range"
plan
