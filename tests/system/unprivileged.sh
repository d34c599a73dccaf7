#!/bin/bash
# Trials in places such as containers without privileges, made by tests/canaries/cell/bare_place: their cells are bare
# (doc/reference/cell.md), histories are the same, results say what is missing, and nothing is left.
# beside others: its trials are in virtual time, and it looks for what bears its own marks alone.
set -u
cd "$(dirname "$0")/../.." || exit 3
. tests/tap
place=$BUILD/tests/canaries/cell/bare_place

# As an ordinary user and, where this is root, as root; both with the filter of a container. Or by the limit of user namespaces alone.
if [ "$(id -u)" -eq 0 ]; then
    declare -A places=([root]="" [user]="--user 1000" ["the limit of namespaces"]="--no-user-namespaces --user 1000")
    chmod 755 "$folder"
else
    declare -A places=(["the limit of namespaces"]="--no-user-namespaces")
fi
if ! "$ukemi" doctor | grep -q 'virtual clock: a wall' || ! "$place" --no-user-namespaces true 2>/dev/null; then
    skip "histories are equal with a wall and without" "no walls here to compare with"
    plan
    exit 0
fi

mkdir -p "$folder/scenarios" "$folder/runtime"
sed -e 's/^duration_s:.*/duration_s: 2/' -e 's/^watch_s:.*/watch_s: 1/' scenarios/motion/001-stand.yaml >"$folder/scenarios/stand.yaml"
chmod -R go+rX "$folder/scenarios"
chmod 1777 "$folder/runtime"

# in_place PLACE COMMAND...
in_place() {
    local options
    read -ra options <<<"${places[$1]}"
    XDG_RUNTIME_DIR='' "$place" "${options[@]}" "${@:2}"
}
hash_of() { sed -n 's/^history \([0-9a-f]\{32\}\).*/\1/p' "$1"; }
is_at_work() { # FILE: of another lab, which lives and holds the lock of its folder
    local name=${1##*/} base
    name=${name#sem.} name=${name#.}
    for base in /dev/shm /tmp "$folder/runtime"; do
        [ -e "$base/${name%%.*}/lock" ] && ! flock -n "$base/${name%%.*}/lock" true && return 0
    done 2>/dev/null
    return 1
}
left() { # what a bare cell could leave behind
    local file
    find /dev/shm /tmp "$folder/runtime" -maxdepth 1 \( -name 'ukemi-cell-*' -o -name '.ukemi-cell-*' -o -name 'board-n*' -o -name 'sem.ukemi-cell-*' \) \
        -newer "$folder/mark" 2>/dev/null | while read -r file; do is_at_work "$file" || echo "$file"; done
}
touch "$folder/mark"

# ---- the same histories, and words of what is missing -------------------------------------------------------------------

lacks='^cell: bare; it lacks a wall \(its programs were trusted\); a network, process numbers, .* since .* refused: '
same() { # PLACE SCENARIO
    local name
    name=$(basename "$2" .yaml)
    [ -s "$folder/$name" ] || "$ukemi" run "$2" --seed 1 >"$folder/$name" || return 1
    run in_place "$1" "$ukemi" run "$2" --seed 1
    answered 0 '^PASS$' "$lacks" "^history $(hash_of "$folder/$name")$"
}
for where in "${!places[@]}"; do
    claim "$where: a cart-pole whose controller is killed has the same history" same "$where" scenarios/pendulum/070-*.yaml
done
where=user
[ -v "places[$where]" ] || where="the limit of namespaces"
claim "a humanoid on two buses has the same history" same "$where" "$folder/scenarios/stand.yaml"
at_night "so have a bus of servos, one of Ethernet, threads and shared memory, sockets, and a struck channel" eval \
    'for s in 150 200 450 095 072; do same "$where" "$s" || exit 1; done'
claim "with a wall nothing is missing" not grep -q '^cell:' "$folder/stand"

# ---- who may run there ----------------------------------------------------------------------------------------------------

project() { # a project of plain Python
    (cd "$folder" && rm -rf first && "$ukemi" new first --language sockets >/dev/null) && cp -r "$folder/first" "$folder/open" &&
        chmod 666 "$folder/open/targets/first/pole.msg"
}
project
in_project() { (cd "$folder/open" && "$@"); }
open=scenarios/controller-killed.yaml
owner=root
[ -v "places[$owner]" ] || owner="the limit of namespaces"
claim "a target that others may write is refused, with the remedy" answers 2 \
    "pole.msg: others may write it \(mode 0666\).*chmod go-w $folder/open/targets/first/pole.msg.*--trust-folder" in_project in_place "$owner" "$ukemi" run "$open" --seed 1
claim "it is taken if its user says so, which is told" answers 0 \
    '^cell: bare; .*; files that only its user can change \(--trust-folder\): .*pole.msg' in_project in_place "$owner" "$ukemi" run "$open" --seed 1 --trust-folder
claim "with a wall it needs no trust" in_project "$ukemi" check "$open"

# ---- names apart ----------------------------------------------------------------------------------------------------------

mkdir -p "$folder/targets/spawn"
cat >"$folder/targets/spawn/spawn.py" <<'PY'
#!/usr/bin/python3
import multiprocessing

def tell(event):
    event.set()

if __name__ == "__main__":
    context = multiprocessing.get_context("spawn")
    event = context.Event()
    child = context.Process(target=tell, args=(event,))
    child.start()
    print("told" if event.wait(5) else "not told")
    child.join()
PY
printf 'format: 2\nname: spawn\nprocesses:\n  - { name: p, component: P, run: [spawn.py], priority: 50, clock: shim, may_exit: [0] }\n' \
    >"$folder/targets/spawn/target.yaml"
printf 'name: spawn\nclaim: c\ntarget: spawn\nduration_s: 6\nwatch_s: 1\n' >"$folder/scenarios/spawn.yaml"
chmod -R go+rX "$folder/targets" "$folder/scenarios"
chmod +x "$folder/targets/spawn/spawn.py"
spawned() { UKEMI_PATH=$folder answers 0 '> told$' in_place "$where" "$ukemi" run "$folder/scenarios/spawn.yaml" --seed 1 --allow-skip; }
if [ -x /usr/bin/python3 ]; then
    claim "what a shimmed program executes finds the semaphores that it has named" spawned
else
    skip "what a shimmed program executes finds the semaphores that it has named" "no /usr/bin/python3"
fi

# ---- what cannot be had is skipped by name -------------------------------------------------------------------------------

claim "a target that names /tmp is skipped by name" answers any '^not run here: server.conf: names /tmp, and a bare cell has no /tmp' \
    in_place "$where" "$ukemi" run 106 --seed 1
claim "interfaces that are insisted on are refused" answers 2 '^ukemi: error: --can socketcan: ' \
    in_place "$where" "$ukemi" run "$folder/scenarios/stand.yaml" --can socketcan

# ---- nothing is left ---------------------------------------------------------------------------------------------------

number=$((100000 + $$))
with_escape() { # SECONDS: its operator's program starts a process that leaves its session, and its parents
    printf 'name: escape\nclaim: It stands.\ntarget: pendulum\nduration_s: %d\nwatch_s: 1\n' "$1"
    printf 'operator: {program: tests/canaries/cell/bad_habits, arguments: escape %d}\npromises: [{name: up, always: lean_rad < 1}]\n' $number
}
with_escape 600 >"$folder/scenarios/long.yaml"
with_escape 2 >"$folder/scenarios/brief.yaml"
chmod go+r "$folder"/scenarios/*
marked() { grep -lsz "^$number\$" /proc/[0-9]*/cmdline | grep -c .; }
escaped() { [ "$(marked)" -ge 2 ]; }
nothing_left() { [ "$(marked)" -eq 0 ] && [ -z "$(left)" ]; }
ends_all() {
    run in_place "$where" "$ukemi" run "$folder/scenarios/brief.yaml" --seed 1
    answered 0 '^PASS$' && nothing_left
}
claim "a process that left its session and its parents ends with the trial" ends_all

below() { # descendants of PID, each before its own
    local stat line parent
    for stat in /proc/[0-9]*/stat; do
        read -r line 2>/dev/null <"$stat" || continue
        read -r _ parent _ <<<"${line##*) }"
        [ "$parent" = "$1" ] || continue
        echo "${line%% *}"
        below "${line%% *}"
    done 2>/dev/null
}
killed() { # LEVEL...: of lab (0), guard (1), init (2)
    local shell level family awaited=1
    in_place "$where" "$ukemi" run "$folder/scenarios/long.yaml" --seed 1 &
    shell=$!
    await 30 escaped && awaited=0
    mapfile -t family < <(below $shell)
    for level in "$@"; do kill -KILL "${family[level]}"; done
    wait $shell
    [ $awaited -eq 0 ] && await 30 nothing_left
}
claim "the lab is killed: nothing is left" killed 0
claim "the guard of the cell is killed: nothing is left" killed 1
claim "the cell's init is killed: nothing is left" killed 2
swept() { # What outlives both, the next lab removes.
    killed 0 1
    in_place "$where" "$ukemi" run 070 --seed 1 && nothing_left
}
claim "lab and guard are killed at once: the next trial clears up" swept

# ---- who takes without end -------------------------------------------------------------------------------------------

# Here only the lab's looks bound a fork bomb; --processes bounds what it can do to this machine if they fail. Who looks at so many one by
# one is outrun by them, and takes minutes.
printf 'name: bomb\nclaim: It stands.\ntarget: hubo2\nduration_s: 3\nwatch_s: 1\noperator: {program: tests/canaries/cell/cell_hog, arguments: bomb %d}\n' \
    $number >"$folder/scenarios/bomb.yaml"
chmod go+r "$folder/scenarios/bomb.yaml"
bounded() {
    places[bounded]="${places[$where]} --processes $((4000 + $(ps -o nlwp= -u "${places[$where]##* }" 2>/dev/null | awk '{ n += $1 } END { print n + 0 }')))"
    # shellcheck disable=SC2086 # words
    run timeout 60 "$place" ${places[bounded]} "$ukemi" run "$folder/scenarios/bomb.yaml" --seed 1
    answered 1 '^ *FAIL +limits-kept .*processes: operator \(pid [0-9]+\): [0-9]+ processes, at most 128' && nothing_left
}
claim "a fork bomb is stopped before it fills the machine, named, and gone" bounded

# ---- campaigns and the doctor ------------------------------------------------------------------------------------------------

printf 'name: one\nclaim: It stands.\ntarget: pendulum\nseed: 1\ncolumns: [{title: A, scenario: %s/scenarios/pendulum/091-pole-struck.yaml, trials: 1}]\nrows: [{component: Controller, fault: {kind: kill, parameters: [signal=KILL], restart_after_s: 0.3, at: {time_s: 2}}}]\n' \
    "$PWD" >"$folder/one.yaml"
told() {
    in_place "$owner" "$ukemi" campaign "$folder/one.yaml" --db "$folder/one.db" --output "$folder/report" || return 1
    grep -q 'Cell of 1 trial: bare. It lacked a wall' "$folder/report/index.html" "$folder/report/table.txt" &&
        "$ukemi" report --db "$folder/one.db" --format junit | grep -q '<property name="cell" value="bare"/>' &&
        "$ukemi" show 1 --db "$folder/one.db" | grep -q 'a network, process numbers'
}
claim "page, table, JUnit and database say what was missing" told
claim "the doctor says that cells are bare, and why" answers 0 'virtual clock: a bare cell' in_place "$where" "$ukemi" doctor
plan
