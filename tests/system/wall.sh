#!/bin/bash
# The cell is a wall: whatever a program of it tries, it neither gets out nor reaches the lab, and its trial is judged as it should
# be. tests/canaries/cell/hostile has the habits; doc/explanation/wall.md lists them. The same habits without a wall do work: the canaries can fail.
# beside others: what counts is what worked, not when; names outside are of this run alone.
set -u
cd "$(dirname "$0")/../.." || exit 3

if [ "${1:-}" != inside ]; then # all of it happens beside a bystander
    bystander=$(mktemp -d /var/tmp/ukemi-wall-XXXXXX) || exit 3
    trap 'rm -rf "$bystander"' EXIT
    chmod 755 "$bystander"
    echo top-secret >"$bystander/secret"
    "${BUILD:-build}/tests/canaries/cell/wall_bystander" "$bystander" bash "$0" inside "$bystander"
    exit
fi
bystander=$2
. tests/tap
needs "a wall"
chmod 755 "$folder"
mkdir -p "$folder/scenarios" "$folder/targets"
export UKEMI_PATH=$folder
listens() { [ -e "$bystander/touched" ]; }
await 30 listens || exit 3
cp -r targets/hubo2 "$folder/targets/tight"
sed -i 's/^name: hubo2/name: tight/' "$folder/targets/tight/target.yaml"
printf '\nlimits: {processes: 32, memory_MB: 96, file_MB: 8}\n' >>"$folder/targets/tight/target.yaml"
groups="mounts spaces kernel kernel2 init init2 self files machine doors virtual limits"

# scenario NAME WHAT: of half a second, in which the operator's program does that; sets $scenario.
scenario() {
    scenario=$folder/scenarios/$1.yaml
    printf 'name: s\nclaim: c\ntarget: tight\nduration_s: 0.5\nwatch_s: 0.1\nmust_complete: false\n' >"$scenario"
    printf 'operator: {program: tests/canaries/cell/hostile, arguments: %s}\n' "$2" >>"$scenario"
}
# Of each kind of user there may be: WHO is the words before the command.
user=(setpriv --reuid=65534 --regid=65534 --clear-groups)
declare -A who=([self]="")
nobody="this is an ordinary user already"
if [ "$(id -u)" -eq 0 ]; then
    nobody=
    "${user[@]}" unshare -Upnim --fork true 2>/dev/null || nobody="user namespaces are refused to ordinary users here"
    "${user[@]}" test -x "$ukemi" || nobody="an ordinary user cannot reach $ukemi"
    [ -n "$nobody" ] || who[user]="${user[*]}"
fi
# try WHO WHAT [OPTION...]: that trial; output in $out, exit status in $code. $when is "late", or empty.
when=
try() {
    scenario "$2" "$2 $bystander $when"
    out=$folder/out-$1-$2$when${3:-}
    # shellcheck disable=SC2086 # words
    timeout 60 ${who[$1]} "$ukemi" run "$scenario" --seed 1 "${@:3}" >"$out" 2>&1
    code=$?
}
# What the habits of a trial say of themselves: "GROUP: N tried, none worked".
summary() { sed -nE "s/^ *> ($1: [0-9]+ tried, .*)/\1/p" "$out"; }

# ---- without a wall, the habits work ------------------------------------------------------------------------------
# as somebody who can do no harm with it

declare -A works=([mounts]="remount hide blind open-tree" [spaces]="new-user clone-user" [kernel2]="perf traceme vm-read"
    [init]="forge steal environ stdin setns" [init2]="limit-cpu starve nice" [self]="unfiltered"
    [machine]="homes secret inotify devices" [doors]="door fifo")
harmless=self
[ -z "${who[user]:-}" ] || harmless=user
for group in "${!works[@]}"; do
    try "$harmless" "$group" --no-wall
    missing=
    for habit in ${works[$group]}; do [[ " $(summary "$group") " == *" $habit "* ]] || missing+=" $habit"; done
    [ -z "$missing" ]
    result $? "without a wall, habits of $group work" "$out"
done
grep -q door "$bystander/touched" && grep -q FIFO "$bystander/touched"
result $? "the bystander notices who comes through its doors" "$bystander/touched"
cp "$bystander/touched" "$folder/touched"
"$BUILD/tests/canaries/cell/wall_bystander" "$bystander" >"$folder/others" # from now on

# ---- with it, none does -------------------------------------------------------------------------------------------

tried=0
for name in "${!who[@]}"; do
    who_is="as $(${who[$name]} id -un)"
    for group in $groups; do
        try "$name" "$group"
        [[ "$(summary "$group")" =~ ^"$group: "([0-9]+)" tried, none worked"$ ]] && [ $code -eq 0 ]
        result $? "$who_is, no habit of $group works" "$out"
        [ "$name" != self ] || tried=$((tried + ${BASH_REMATCH[1]:-0}))
    done
    for group in self init2 robots; do
        when=late
        try "$name" "$group"
        when=
        [[ "$(summary "$group")" =~ ", none worked"$ ]] && [ $code -eq 0 ]
        result $? "$who_is, nor one of $group once the clock is joined" "$out"
    done
    for group in mounts init init2 self; do
        try "$name" $group --wall
        # Half a second is short for a machine that is busy: the lab may have missed something.
        [[ "$(summary "$group")" =~ ", none worked"$ ]] && [ $code -ne 2 ]
        result $? "$who_is, in wall mode, no habit of $group works" "$out"
    done
done
claim="nor, where the lab is root, is the simulated robot within reach"
if [ "$(id -u)" -eq 0 ]; then
    when=late
    try self robots2
    when=
    [[ "$(summary robots2)" =~ ", none worked"$ ]]
    result $? "$claim" "$out"
else
    skip "$claim" "not root"
fi
[ $tried -ge 60 ]
result $? "these are at least 60 habits ($tried)"

# A daemon of the target, in place of Perception.
scenario daemon "$bystander"
sed -i "/^operator/d" "$scenario"
cat >>"$scenario" <<SCENARIO
operator: {program: targets/hubo2/operator_stand}
programs:
  - {component: Perception, program: tests/canaries/cell/hostile, arguments: self $bystander}
SCENARIO
out=$folder/daemon
"$ukemi" run "$scenario" --seed 1 >"$out" 2>&1
[ $? -eq 1 ] && grep -qE '^ *> self: [0-9]+ tried, none worked' "$out" && grep -qE '^ *FAIL +peers-survive .*perception exited' "$out"
result $? "a daemon of the target is walled in like an operator's program" "$out"

# ---- acts: what they do to others, and who is blamed ----------------------------------------------------------------

# acts TEXT CODE PATTERN WHAT: of every user, that trial ends so and says so.
acts() {
    local name
    for name in "${!who[@]}"; do
        try "$name" "$4"
        [ $code -eq "$2" ] && grep -qE "$3" "$out"
        result $? "as $(${who[$name]} id -un), $1" "$out"
    done
}
acts "a process that wants to end the init, or to starve it, does not" 0 '^PASS$' end-init
acts "one that kills a peer cannot hide it" 1 '^ *FAIL +peers-survive .*perception was ended by signal 15' forge-death
acts "nor does output for the lab's terminal arrive" 0 '^PASS$' output
acts "links in place of the cell's files lead nobody out" 0 '^PASS$' replace
acts "last words that look like the lab's are shown as words" 1 '^ *FAIL +peers-survive .*operator was ended by signal 6' words

for name in "${!who[@]}"; do
    try "$name" orphans # if they are buried too slowly, they are too many processes
    [ $code -eq 0 ] || { [ $code -eq 1 ] && grep -qE '^ *FAIL +limits-kept .*processes: operator' "$out"; }
    result $? "as $(${who[$name]} id -un), orphans are buried or counted" "$out"
done

# Memory that no process of the cell shows: there is less of it than a trial may have, or it ends the trial.
for kind in in-flight nameless hide-memory blind-lab empty-files page-tables semaphores messages sockets; do
    for name in "${!who[@]}"; do
        try "$name" $kind
        held=$(sed -nE "s/^ *> $kind: ([0-9]+) MB held/\1/p" "$out")
        [ "${held:-9999}" -le 96 ] || { [ $code -eq 1 ] && grep -qE '^ *FAIL +limits-kept .* (memory|files): operator' "$out"; }
        result $? "as $(${who[$name]} id -un), memory is not held unseen: $kind" "$out"
    done
done

# In real time there are a few semaphores of System V, of the cell alone; the rest of what programs want is refused.
for name in "${!who[@]}"; do
    try "$name" semaphores --wall
    held=$(sed -nE "s/^ *> semaphores: ([0-9]+) MB held/\1/p" "$out")
    [ "${held:-9999}" -le 1 ] && grep -qE '^ *PASS +limits-kept' "$out" # on a busy machine the robot may lack a reading
    result $? "as $(${who[$name]} id -un), semaphores of System V stay few in real time" "$out"
done

# What a terminal is shown.
cat >"$folder/words.yaml" <<CAMPAIGN
name: words
claim: c
target: tight
seed: 1
recheck_share: 0
columns:
  - { title: Words, scenario: scenarios/words.yaml, trials: 1 }
rows:
  - { component: none }
CAMPAIGN
"$ukemi" campaign "$folder/words.yaml" --db "$folder/words.db" --output "$folder/report" >"$folder/out-campaign" 2>&1
"$ukemi" show 1 --db "$folder/words.db" >"$folder/out-show" 2>&1
"$ukemi" show --db "$folder/words.db" >"$folder/out-list" 2>&1
shown() { cat "$folder"/out-*words "$folder"/out-{campaign,show,list}; }
[ "$(shown | grep -c 'forged by the target')" -ge 4 ]
result $? "such words are shown, by run, show and a campaign" "$folder/out-show"
shown | grep -nE '^ *PASS +(forged|peers-survive *$)|^ *PASS *$' >"$folder/forged"
[ ! -s "$folder/forged" ]
result $? "no line of them can pass for one of the lab's" "$folder/forged"
cat "$folder"/out-* | LC_ALL=C tr -d '\n\40-\176' | grep -v '^$' >"$folder/controls"
[ ! -s "$folder/controls" ]
result $? "no control character of a target has reached a terminal" "$folder/controls"
cat "$folder"/out-*output | grep forged >"$folder/forged"
[ ! -s "$folder/forged" ]
result $? "no process has written to the lab's output" "$folder/forged"

# ---- what stands around -----------------------------------------------------------------------------------------

claim "nobody has touched the bystander's doors" diff "$folder/touched" "$bystander/touched"
"$BUILD/tests/canaries/cell/wall_bystander" "$bystander" >"$folder/others-now"
claim "its keys, queue and segment are as before" diff "$folder/others" "$folder/others-now"
[ "$(cat "$bystander/secret")" = top-secret ] && [ "$(find "$bystander" -mindepth 1 | wc -l)" -eq 4 ]
result $? "its folder holds what it did"
plan
