#!/bin/bash
# What the machine or who started the lab withholds is not the target's failure: its trials are lost, never FAIL, and run when resumed.
# beside others: all trials are on the virtual clock, where a history depends on nothing outside
set -u
cd "$(dirname "$0")/../.." || exit 3
. tests/tap
chmod 755 "$folder"
sed 's/^duration_s:.*/duration_s: 1.5/; s/^watch_s:.*/watch_s: 0.5/' tests/kill/stand.yaml >"$folder/stand.yaml"
cat >"$folder/c.yaml" <<CAMPAIGN
name: c
target: hubo2
seed: 4
fault: { kind: kill, parameters: [signal=KILL], restart_after_s: 0.15 }
columns:
  - { title: Static, scenario: stand.yaml, trials: 1, at: { time_s: [0.2, 0.5] } }
rows:
  - { component: Planner, expected: [No Effect] }
CAMPAIGN
mkdir "$folder/programs"
# campaign NAME SETTING [OPTION...]: with this setting of the shell that starts it.
campaign() {
    local name=$1 setting=$2
    shift 2
    (eval "$setting" && PATH=$folder/programs exec "$ukemi" campaign "$folder/c.yaml" --quiet --jobs 1 \
        --db "$folder/$name.db" --output "$folder/$name" "$@")
}
verdicts() { sqlite3 "$folder/$1.db" 'SELECT verdict, history_hash FROM trial_view'; }
campaign plain : >"$folder/campaign" 2>&1
plain=$(verdicts plain)
[[ $plain == PASS* ]]
result $? "unlimited the trial passes" "$folder/campaign"

# works SETTING: the same trial with the same history.
works() { campaign works "$1" && [ "$(verdicts works)" = "$plain" ] && rm -rf "$folder"/works*; }
claim "SIGCHLD ignored by the parent disturbs nothing" works 'trap "" CHLD'
claim "nor does a mask of files for their owner alone" works 'umask 077'
claim "nor do descriptors closed" works 'exec <&-'

# lost NAME SETTING PATTERN: no trial is stored; without the setting --resume runs it.
lost() {
    answers 3 "$3" campaign "$1" "$2" && [ -z "$(verdicts "$1")" ] && campaign "$1" : --resume && [ "$(verdicts "$1")" = "$plain" ]
}
claim "too few descriptors: the trial is lost, and run when resumed" lost descriptors 'ulimit -n 15' 'LOST|lost: .*ulimit -n'
# Processes: of a user who has no others, as the limit is the user's, and root's does not hold.
user=(setpriv --reuid=47999 --regid=47999 --clear-groups)
processes() { # DATABASE LIMIT OPTION...: by that user
    "${user[@]}" bash -c 'ulimit -u "$1" && exec "${@:2}"' - "$2" "$ukemi" campaign "$folder/c.yaml" --quiet --jobs 1 --db "$1" --no-report "${@:3}"
}
of_user() { [ ! -e "$1" ] || sqlite3 "$1" 'SELECT verdict, history_hash FROM trial_view' 2>/dev/null; }
too_few_processes() { # LIMIT...
    local limit
    for limit; do
        install -d -o 47999 "$folder/u$limit" || return 1
        answers 3 'Resource temporarily unavailable|lost: .*ulimit -u' processes "$folder/u$limit/u.db" "$limit" || return 1
        [ -z "$(of_user "$folder/u$limit/u.db")" ] || { echo "limit $limit: $(of_user "$folder/u$limit/u.db") is stored"; return 1; }
        processes "$folder/u$limit/u.db" "$(ulimit -u)" --resume && [ "$(of_user "$folder/u$limit/u.db")" = "$plain" ] || return 1
    done
}
if [ "$(id -u)" -eq 0 ] && "${user[@]}" unshare -Upnim --fork true 2>/dev/null && "${user[@]}" test -x "$ukemi"; then
    claim "too few processes for the user: lost, and run when resumed" too_few_processes 8
    at_night "... however few" too_few_processes 1 2 3 4 6 10 14 20 30
else
    skip "too few processes for the user: lost, and run when resumed" "no other user here who can make cells"
fi
# A target that takes two seconds of CPU time before its work; and one that lets itself be ended by a limit of its own making, which
# fails, whatever other limit the lab has.
spender() { # NAME LINE: of its controller
    (cd "$folder" && "$ukemi" new "$1" --language sockets >/dev/null)
    sed -i "1a $2" "$folder/$1/targets/$1/controller.py"
    sed -i 's/^duration_s:.*/duration_s: 1.5/; s/^watch_s:.*/watch_s: 0.5/; /^faults/,/^promises/d; /- { name/d; /^harmless/,$d' "$folder/$1/scenarios/controller-killed.yaml"
    printf 'name: s\ntarget: %s\nseed: 1\ncolumns:\n  - { title: Spent, scenario: scenarios/controller-killed.yaml, trials: 1 }\nrows:\n  - { component: Controller, expected: [""] }\n' "$1" >"$folder/$1/s.yaml"
}
spend() { (eval "$2" && cd "$folder/$1" && "$ukemi" campaign s.yaml --quiet --jobs 1 --db s.db "${@:3}"); } # NAME SETTING OPTION...
time_is_up() {
    spender busy 'busy = sum(i * i for i in range(30000000))'
    answers 3 'lost: .*ulimit -t' spend busy 'ulimit -t 1' && [ -z "$(verdicts busy/s)" ] || return 1
    answers 0 '1 passed' spend busy 'ulimit -S -t 1' --resume # which cells go beyond
}
ends_itself() {
    spender selfish 'import resource\nresource.setrlimit(resource.RLIMIT_CPU, (1, 1))\nwhile True: pass'
    answers 1 '1 trial, 0 passed, 1 failed, 0 errors' spend selfish 'ulimit -n 900; ulimit -t 2'
}
at_night "CPU time that is up: lost, and run when resumed" time_is_up
at_night "a target that ends itself by its own limit fails" ends_itself
sentence() { answers "2 3" "$2" campaign "sentence" "$1" && [ -z "$(verdicts sentence 2>/dev/null)" ]; }
claim "a file size that the database exceeds: a sentence" sentence 'ulimit -f 16' 'error: '

small_stack() { answers "$1" "$2" bash -c "ulimit $3 64"'; exec "$@"' - "$ukemi" list targets; }
claim "too small a stack: a sentence" small_stack 3 'stacks are limited to 64 kB.*ulimit -s' -s
claim "one that may grow grows" small_stack 0 hubo2 -Ss

# A memory cgroup of this test, where one can be had: of the first or the second version.
group=
leave() { [ -z "$group" ] || rmdir "$group"; rm -rf "$folder"; }
trap leave EXIT
for kind in memory.limit_in_bytes memory.max; do
    place=/sys/fs/cgroup/memory
    [ $kind = memory.limit_in_bytes ] || place=/sys/fs/cgroup
    if [ -n "$group" ] || [ ! -d $place ] || ! mkdir "$place/ukemi-test-$$" 2>/dev/null; then continue; fi
    if echo 25000000 2>/dev/null >"$place/ukemi-test-$$/$kind"; then group=$place/ukemi-test-$$ limit=$group/$kind; else rmdir "$place/ukemi-test-$$"; fi
done
# None is stored as a FAIL in any of these sizes, and some were too small.
short_of_memory() {
    local size bad=0 short=0
    for size in 18 22 25 28 31; do
        echo ${size}000000 >"$limit" || return 1
        campaign "m$size" "echo \$BASHPID >$group/cgroup.procs" >"$folder/said" 2>&1
        code=$?
        [ $code -eq 0 ] || short=$((short + 1))
        grep LOST "$folder/said"
        verdicts "m$size" 2>/dev/null | grep -E 'FAIL|ERROR' && bad=1
        echo 2000000000 >"$limit"
        [ $code -eq 0 ] || campaign "m$size" : --resume >"$folder/said" 2>&1
        [ "$(verdicts "m$size")" = "$plain" ] || { tail -3 "$folder/said"; bad=1; }
    done
    echo "$short sizes were too small"
    [ $bad -eq 0 ] && [ $short -gt 0 ]
}
if [ -n "$group" ]; then
    claim "too little memory for the cgroup: lost, never a FAIL, and run when resumed" short_of_memory
else
    skip "too little memory for the cgroup: lost, never a FAIL" "no memory cgroup can be made here"
fi

# ---- what a file says to a terminal -------------------------------------------------------------------------------
printf '# a \033]0;title\007 comment \033[31mred\nfloat64 angle # \302\233 radians\n' >"$folder/pole.msg"
no_escapes() { "$ukemi" header "$folder/pole.msg" >"$folder/pole.h" && grep -q 'double angle' "$folder/pole.h" && ! LC_ALL=C grep -P '[\x00-\x08\x0b-\x1f\x7f\x80-\x9f]' "$folder/pole.h"; }
claim "the header of a message has no escapes of its comments" no_escapes
printf 'name: x\nclaim: c\nduration_s: 2\nwatch_s: 1\ntarget: "\342\200\256pend"\n' >"$folder/$(printf 'e\033[31m').yaml"
no_escapes_of() { "$ukemi" check "$1" >"$folder/said" 2>&1; grep -q '\.yaml' "$folder/said" && ! LC_ALL=C grep -P '[\x00-\x08\x0b-\x1f\x7f]|\xe2\x80\xae|\xc2\x9b' "$folder/said"; }
claim "nor has an error about a file, of its name or its values" no_escapes_of "$folder/$(printf 'e\033[31m').yaml"
odd=$folder/$(printf 'p\033[31m')
mkdir -p "$odd/targets/t" && touch "$odd/ukemi.yaml"
printf 'format: 2\nname: t\nprocesses:\n  - { name: p, component: P, run: [gone.py], priority: 60, clock: shim }\n' >"$odd/targets/t/target.yaml"
claim "nor one about a program that is not there" no_escapes_of "$odd/targets/t/target.yaml"
plan
