#!/bin/bash
# Unmodified programs in virtual time: calls that wait, programs that talk, faults that strike them;
# and what cannot be virtual is said.
# beside others: all trials are on the virtual clock, where a history depends on nothing outside
set -u
cd "$(dirname "$0")/../.." || exit 3
. tests/tap
runner=$BUILD/tests/bench/trial_run
calls=$BUILD/tests/shim/calls
export UKEMI_PATH=$folder
chmod 755 "$folder"
cp -r tests/shim/targets "$folder/targets"
made=$folder/calls.yaml # what the targets of single programs are made of
cp tests/shim/targets/calls/target.yaml "$made"

# trial TARGET DURATION [FAULT...]: leaves what the runner prints in $folder/said.
trial() {
    local target=$1 duration_s=$2 fault
    shift 2
    {
        printf 'name: s\nclaim: c\ntarget: %s\nduration_s: %s\nwatch_s: 2\n' "$target" "$duration_s"
        [ $# -eq 0 ] || echo 'faults:'
        for fault; do echo "  - $fault"; done
    } >"$folder/s.yaml"
    run "$runner" "$folder/s.yaml" 5
}
hash_said() { grep -q '^OK: ran' "$folder/said" && sed -n 's/.*hash //p' "$folder/said"; }

# wall_only TEXT: what a bare cell does not give is skipped: numbers of processes, names of queues and low ports are the machine's
# there, and System V has nothing.
wall_only() {
    has "a wall" && return 1
    skip "$1" "$lacking"
}

# same TEXT COUNT TARGET DURATION [FAULT...]: all runs have the same history, with a core kept busy
# beside all but the first.
same() {
    local text=$1 count=$2 first i busy code=0
    shift 2
    trial "$@"
    first=$(hash_said)
    (while :; do :; done) &
    busy=$!
    for ((i = 1; i < count; i++)); do
        trial "$@"
        [ -n "$first" ] && [ "$(hash_said)" = "$first" ] || code=1
    done
    kill "$busy"
    wait "$busy" 2>/dev/null
    [ -n "$first" ] || code=1
    result $code "$text" "$folder/said"
}

# ---- ending by a handler of its own ---------------------------------------------------------------

# ends HANDLER: a trial in which the controller of a cart-pole has this handler of SIGTERM.
ends() {
    sed -i "s/^import os.*/&, signal, sys\nsignal.signal(signal.SIGTERM, $1)/" "$folder/targets/pole/control.py"
    trial pole 4 '{kind: terminate, component: Control, at: {time_s: [1, 2]}, restart_after_s: 0.5}'
    cp tests/shim/targets/pole/control.py "$folder/targets/pole/"
}
if [ -x /usr/bin/python3 ]; then
    ends 'lambda *_: sys.exit(0)'
    claim "a program that ends by a handler of its own is seen to have ended, and started again" answered 0 \
        'does not ignore$' 'control +exited 0' '^OK: ran'
    ends 'signal.SIG_IGN'
    claim "canary: one that ignores the signal makes the fault unproven" answered "0 1 3" 'which it ignores'
    ends 'lambda *_: None'
    claim "canary: so does one whose handler goes on" answered "0 1 3" 'it has not ended'
else
    skip "programs that end by a handler of their own" "no /usr/bin/python3"
fi

# What this machine cannot do, `ukemi doctor` says.
"$ukemi" doctor >"$folder/doctor"
cannot() { grep -q "^  no   $1" "$folder/doctor"; }
statically=yes counter=yes
cannot "statically linked programs in virtual time" && statically=
cannot "time stamp counter" && counter=
if_static() { if [ -n "$statically" ]; then claim "$@"; else skip "$1" "no FSGSBASE: see ukemi doctor"; fi; }
if_counter() { if [ -n "$counter" ]; then "$@"; else skip "$2" "this machine does not hide the counter: see ukemi doctor"; fi; }
if [ -z "$counter" ]; then
    trial calls 2
    claim "a counter that this machine does not hide ends the trial" answered 3 'LAB ERROR calls: this machine does not hide the time stamp counter'
    sed -i 's/, env: { SHIM_COUNTER: virtual }//' "$made"
fi

# ---- calls --------------------------------------------------------------------------------------

# made_of WORDS: the program and its arguments.
made_of() {
    sed "s|tests/shim/calls, SUBJECT, exact|$1|" "$made" >"$folder/targets/calls/target.yaml"
}
subject() {
    sed "s/SUBJECT/$1/; s!shim/calls!&${2:-}!" "$made" >"$folder/targets/calls/target.yaml"
    trial calls 6
    answered 0 ' calls +exited 0 ' '^OK: ran'
}
for name in sleeps remainder spinning time-outs epoll pipes eventfd interruptions masks timerfd timers \
    stamps join mutex condition semaphore rwlock barrier thread-echo once tidings fork crash exec raw counters \
    c11 spin record-locks lock-circle streams counts fifo changes queues sigpause \
    shared apart robust words system-v system-v-memory shared-spin overruns past stops vfork stacks; do
    claim "calls that wait are right on this machine: $name" "$calls" "$name"
    of_counter=
    if [[ $name = queues || $name =~ ^system-v ]] && wall_only "... in virtual time: $name"; then continue; fi
    [ "$name" != counters ] || of_counter=if_counter
    $of_counter claim "and to a millisecond in virtual time: $name" subject "$name"
    [[ $name =~ spin$|^vfork$|^stacks$ ]] || # what the library's calls count is not seen, nor vfork and stacks there
        $of_counter if_static "also of a program that is linked statically: $name" subject "$name" -static
done
for way in "" ${statically:+-static}; do
    made_of "tests/shim/calls$way, marks"
    wall_only "what the kernel says of a process differs in no run$way" || same "times of files, names of temporary ones, what the kernel says of a process, and a program without environment differ in no run$way" \
        2 calls 4
done
claim "a daemon gives up root, and cannot have it back" subject drops-root
claim "in real time, too" answers any '^ +[0-9.]+ s +calls exited with status 0' "$ukemi" run "$folder/s.yaml" --seed 1 --wall
claim_where "a wall" "a daemon that is not root has ports below 1024 in its cell" subject low-port
drawn() { sed -nE 's/.* calls +exited 0 .*\) ([0-9a-f]+)$/\1/p' "$folder/said"; }
subject chance >"$folder/chance" && first=$(drawn) && subject chance >"$folder/chance" && [ -n "$first" ] &&
    [ "$(drawn)" = "$first" ] && run "$runner" "$folder/s.yaml" 6 && [ "$(drawn)" != "$first" ]
result $? "what is random comes from the trial's seed" "$folder/chance"

# ---- programs that talk ---------------------------------------------------------------------------

trial talk 3
claim "datagrams, TCP, epoll and timers: two pairs talk, which is recorded" answered 0 '^OK: ran' ' [0-9]{3} events .* io$'
faults=('{kind: kill, component: Server, at: {time_s: [1, 2]}, restart_after_s: 0.5}'
    '{kind: stall, component: Pong, at: {time_s: [1, 2]}, duration_s: 0.3}'
    '{kind: kill, component: Ping, at: {time_s: [2.5]}, restart_after_s: 0.2, parameters: [signal=TERM]}')
trial talk 6 "${faults[@]}"
claim "kill, stall and restart strike them as they strike native programs" answered 0 'kill of Server applied: proven 1' \
    'kill of Server undone: proven 1' 'stall of Pong undone: proven 1' 'kill of Ping undone: proven 1' '^OK: ran'
for signal in TERM SEGV; do # ping waits for a reply, or sleeps, whenever it is not its turn
    trial talk 3 "{kind: kill, component: Ping, at: {time_s: [1]}, restart_after_s: 0.2, parameters: [signal=$signal]}"
    claim "SIG$signal ends a program that waits, at once" answered 0 'kill of Ping applied: proven 1' \
        'kill of Ping undone: proven 1' '^OK: ran'
done
same "four programs, three faults: one history in four runs, beside a busy loop" 4 talk 6 "${faults[@]}"
made_of "family.sh"
trial calls 6 '{kind: kill, component: Calls, at: {time_s: [1, 3]}, restart_after_s: 1}'
claim "a shell with children, pipes and a last exec: all of it is one participant, and ends with it" answered 0 \
    'kill of Calls applied: proven 1' ' calls +ready 0 .*start 1' '^OK: ran'
wall_only "a shell has one history" || same "and has one history in four runs, beside a busy loop" 4 calls 6 '{kind: kill, component: Calls, at: {time_s: [1, 3]}, restart_after_s: 1}'
if [ -x /usr/bin/python3 ]; then
    fault='{kind: kill, component: Control, at: {time_s: [2]}, restart_after_s: 0.5}'
    trial pole 6 "$fault"
    claim "Python programs talk over sockets in virtual time" answered 0 '^OK: ran' ' [0-9]{4} events .* io$'
    same "and have one history in four runs, beside a busy loop" 4 pole 6 "$fault"
    made_of 'everything.py'
    trial calls 6
    claim "Python's threads, queues, pools, children and asyncio wait in virtual time" answered 0 '9 things from threads 0\.9$' \
        '^a child 1\.76' '^all 1\.76'
    wall_only "a program that prints such numbers has one history" || same "and have one history in four runs, beside a busy loop" 4 calls 6
else
    skip "Python programs talk over sockets in virtual time" "no /usr/bin/python3"
fi

# ---- programs that meet at shared memory ----------------------------------------------------------

trial meet 3
claim "two programs hand over by semaphores, conditions, words, and sets and queues of System V: at once" answered 0 \
    'semaphore: at once$' '^condition: at once$' '^word: at once$' '^set: at once$' '^queue: at once$' '^OK: ran'
same "and have one history in three runs, beside a busy loop" 3 meet 3
sed -i 's/meet, first/meet, holder/; s/meet, second/meet, heir/' "$folder/targets/meet/target.yaml"
trial meet 3 '{kind: kill, component: First, at: {time_s: [1]}, restart_after_s: 0.5}'
claim "a robust mutex whose owner is killed is another program's at that instant" answered 0 'inherited at 1\.0 s$' '^OK: ran'
for name in spin,\ {thread-yield,thread-clock,child-yield,lock,try,try-semaphore,child-wait}; do
    made_of "tests/shim/spin, ${name#*, }"
    trial calls 2
    claim "20 ms pass for whoever spins: ${name#*, }" answered 0 'after 0\.02' '^OK: ran'
done
# spins WAY: the target is a program that spins at a word in memory. Its turn's limit is short.
spins() {
    made_of "tests/shim/spin_word${linked:-}, $1"
    echo 'limits: { turn_s: 1 }' >>"$folder/targets/calls/target.yaml"
}
# word WAY CODES PATTERN...: how such a trial ends.
word() {
    spins "$1"
    trial calls 3
    answered "${@:2}"
}
hung() {
    spins "$1"
    answers 1 '^  FAIL  turns-returned +.*calls kept its turn at 3' "$ukemi" run "$folder/s.yaml" --seed 1
}
for name in plain exchanged child alarmed called backing-off compared real; do
    checked=at_night
    [[ ! $name =~ ^(plain|exchanged|child|alarmed)$ ]] || checked=claim
    $checked "20 ms pass for whoever spins at memory without a call: $name" word "$name" 0 " $name: after 0\.020" '^OK: ran'
done
claim "two threads hand over 200 times by words at which they spin" word rounds 0 ' rounds: after 0\.000' '^OK: ran'
same "... and have one history in three runs, beside a busy loop" 3 calls 3
claim "who computes for long is no spinner" word computing 0 ' computing: after 0\.0000' '^OK: ran'
linked=-static if_static "20 ms pass for whoever spins in a program that is linked statically" word plain 0 ' plain: after 0\.020' '^OK: ran'
claim "a spin whose end depends on the machine ends the trial, with its reason" word counted 3 "LAB ERROR calls: spins or computes past its turn's limit, then goes on: not virtual"
claim "a loop that memory could end, and nobody does, fails at the trial's end" hung for-ever
claim "so does one that nothing could end" hung nothing-for-ever
at_night "... and one that counts" hung counting-for-ever
if [ -x /usr/bin/python3 ]; then
    cp tests/shim/multiprocess.py "$folder/targets/calls/"
    for way in fork spawn forkserver; do
        made_of "multiprocess.py, $way, exact"
        trial calls 6
        claim "Python's processes ($way) share queues, events, locks, conditions, pools and managers" answered 0 \
            "$way: queues right" "$way: events right" "$way: locks right" "$way: conditions right" "$way: pools right" \
            "$way: managers right" '^OK: ran'
    done
    wall_only "Python's processes have one history" || same "and have one history in three runs, beside a busy loop" 3 calls 6
else
    skip "Python's processes" "no /usr/bin/python3"
fi

# ---- programs that wait for good -------------------------------------------------------------------

# waits STATUS PATTERN ROLE [ROLE]: how the trial of such programs is judged.
waits() {
    local status=$1 pattern=$2
    shift 2
    sed "s/meet, first/waits, $1/; s/meet, second/waits, $2/" tests/shim/targets/meet/target.yaml >"$folder/targets/meet/target.yaml"
    [ -n "$2" ] || sed -i '/name: second/d' "$folder/targets/meet/target.yaml"
    trial meet 2
    answers "$status" "$pattern" "$ukemi" run "$folder/s.yaml" --seed 1
}
claim "two programs that wait for each other's mutex fail, and who waits for what is named" waits 1 \
    'FAIL +not-stuck .*since 0.30 s: first \(pid [0-9]+\) for a mutex at /dev/shm/waits\+0x28, held by second \(pid [0-9]+\); second .* held by first' first second
claim "... so does one whose mutex has an owner that has ended" waits 1 'FAIL +not-stuck .*second \(pid [0-9]+\) for a mutex at [^ ]+, whose owner has ended' holder heir
claim "... and one that waits for a child that waits for it" waits 1 'FAIL +not-stuck .*first \(pid [0-9]+\) for the end of its child [0-9]+; first .* held by first' child ''
claim "a queue that nobody fills is named, and no fault of the target" waits 0 'PASS +not-stuck .*all wait since 0.00 s: first \(pid [0-9]+\) for System V messages [0-9]+$' queue ''
claim "... nor is a server without clients" waits 0 'PASS +not-stuck .*first \(pid [0-9]+\) for descriptor [0-9]+, socket$' server ''

# ---- programs without a dynamic linker ------------------------------------------------------------

if [ -n "$statically" ]; then
    trial talk 6 "${faults[@]}"
    dynamic=$(hash_said)
    sed -i 's!shim/talk,!shim/talk-static,!' "$folder/targets/talk/target.yaml"
    trial talk 6 "${faults[@]}"
    static=$(hash_said)
    claim "statically linked programs talk, die, stall and come back as others do" answered 0 'kill of Server undone: proven 1' \
        'stall of Pong undone: proven 1' 'kill of Ping undone: proven 1' ' [0-9]{4} events .* io$' '^OK: ran'
    # In a bare cell these go without libukemi-apart.so.
    claim_where "a wall" "and have the history that they have when they are linked dynamically" test "$static" = "${dynamic:-none}"
    same "which is one in four runs, beside a busy loop" 4 talk 6 "${faults[@]}"
else
    skip "statically linked programs talk, die, stall and come back as others do" "no FSGSBASE: see ukemi doctor"
fi
if [ -n "$statically" ] && [ -x /bin/busybox ] && ! ldd /bin/busybox >/dev/null 2>&1; then
    made_of "/bin/busybox, sh, -c, 'sleep 0.7; (echo one; sleep 0.2; date +%s) \| busybox sed s/^/got-/'"
    trial calls 2
    claim "a shell that nobody here has made runs programs that are itself, in virtual time" answered 0 \
        ' 0\.9[0-9]* +calls +exited 0 ' '^got-1577836800'
else
    skip "a shell that is linked statically" "no static busybox, or no FSGSBASE"
fi
cat >"$folder/go.go" <<'END'
package main

import (
	"fmt"
	"os/exec"
	"time"
)

func main() {
	done := make(chan int)
	for i := 1; i <= 3; i++ {
		go func(i int) {
			time.Sleep(time.Duration(i) * 300 * time.Millisecond)
			done <- i
		}(i)
	}
	for i := 0; i < 3; i++ {
		fmt.Println("done", <-done, time.Now().UTC().Year())
	}
	said, err := exec.Command("/bin/sh", "-c", "sleep 0.1; echo child").Output()
	fmt.Printf("%s, %v\n", said, err)
}
END
# A function of C makes it a program of the C library, which links it.
sed 's/^package main/&\n\n\/\/ #include <unistd.h>\nimport "C"/; s/done := /C.usleep(1000)\n\t&/' "$folder/go.go" >"$folder/cgo.go"
# go_waits FILE CGO [OPTION...]: its trial, twice.
go_waits() {
    (cd "$folder" && GOCACHE=$folder/go-cache GO111MODULE=off CGO_ENABLED=$2 go build "${@:3}" -o targets/calls/go-waits "$1") || return
    made_of go-waits
    trial calls 2
    local first
    first=$(hash_said)
    answered 0 ' 1\.0[012][0-9]* +calls +exited 0 ' '^done 3 2020' '^child' '^, <nil>' || return
    trial calls 2
    [ "$(hash_said)" = "$first" ]
}
if [ -n "$statically" ] && [ -n "$counter" ] && command -v go >/dev/null; then
    claim "a program in Go waits in virtual time, each goroutine for its own, and has children: linked statically" go_waits go.go 0
    claim "... with functions of C" go_waits cgo.go 1
    at_night "... by a dynamic linker that loads nothing" go_waits go.go 0 -buildmode=pie -ldflags=-linkmode=internal
    rm -f "$folder/targets/calls/go-waits" # it names /tmp, which no target in a bare cell may
else
    skip "a program in Go waits in virtual time" "no go: Debian's golang-go; or no FSGSBASE"
fi
cat >"$folder/targets/calls/threads.js" <<'END'
const { Worker } = require('worker_threads'), fs = require('fs'), start = Date.now();
const file = require('os').tmpdir() + '/file';
fs.writeFile(file, 'x', () => console.log('written', Date.now() - start, fs.statSync(file).mtimeMs - start < 1));
for (const i of [1, 2]) new Worker(`setTimeout(() => console.log('thread ${i}'), ${i} * 300)`, { eval: true });
setTimeout(() => console.log('done', Date.now() - start, new Date().getUTCFullYear(), require('os').uptime()), 900);
END
if [ -x /usr/bin/node ]; then
    made_of "/usr/bin/node, /dev/shm/target/threads.js"
    trial calls 2
    claim "a program in JavaScript, with threads, waits in virtual time" answered 0 'written 0 true$' '^done 900 2020 1000.9'
    same "and has one history in two runs, beside a busy loop" 2 calls 2
else
    skip "a program in JavaScript waits in virtual time" "no /usr/bin/node"
fi
made_of 'tests/shim/calls-static, leak'
trial calls 3
if_static "canary: what of theirs is not virtual is seen, and ends the trial" answered 3 'LAB ERROR calls: opens /proc/interrupts'
made_of 'tests/shim/calls-static, sleeps'
made_of 'tests/shim/calls-static, unseen'
trial calls 3
if_static "... also one that takes its calls out of our sight" answered 3 'LAB ERROR calls: prctl 26, by which the lab sees its calls'
static_faults() { # in real time nothing of ours is in them
    sed '$a faults: [{ kind: clock-step, component: Calls, at: { time_s: [0.1] }, duration_s: 0.5 }]' "$folder/s.yaml" >"$folder/static.yaml" &&
        answers any 'SKIP +lab +calls: is linked statically, so that clock-step does not reach it' "$ukemi" run "$folder/static.yaml" --seed 1 --wall
}
claim "faults of clocks and sockets that do not reach them in real time are refused" static_faults
claim "in real time they join the clock, and then run as they are" answers '0 1' 'calls exited with status 0' "$ukemi" run "$folder/s.yaml" --seed 1 --wall

# ---- a hostile program ----------------------------------------------------------------------------

# harms WHAT STATUS PATTERN: how the trial ends.
harms() {
    sed "s|WHAT|$1|" tests/shim/targets/hostile/target.yaml >"$folder/targets/hostile/target.yaml"
    trial hostile 3
    answers "$2" "$3" timeout 60 "$ukemi" run "$folder/s.yaml" --seed 1
}
if [ -x /usr/bin/python3 ]; then
    claim "one that closes all descriptors harms nobody, and ends as it wants" harms descriptors 0 'hostile exited with status 0'
    claim "one that writes over its own page ends when it waits" harms shim-hostile 1 '^  FAIL  peers-survive +.*hostile was ended by signal 6'
    claim "... and is told why" harms shim-hostile 1 '> ukemi-shim: hostile: somebody has written over its page'
    claim "one that writes over another's fails the trial, which says that somebody has" harms shim-peer 1 '^  FAIL  limits-kept +.*shared pages: somebody'
    claim "so does one that writes over the channel of calls" harms channels/io 1 '^  FAIL  limits-kept +.*shared pages: somebody'
    claim "... and over the clock" harms /clock 1 '^  FAIL  limits-kept +.*shared pages: (somebody|hostile)'
    claim "one that stops all others fails the trial, which says who stands still" harms SIGSTOP 1 '^  FAIL  peers-survive +.*peer was left stopped'
    claim "... and one that kills them" harms SIGKILL 1 '^  FAIL  peers-survive +.*peer was ended by signal 9'
    claim "a fork bomb fails the trial, which names it" harms bomb 1 '^  FAIL  limits-kept +.*(processes|memory): hostile'
    claim "... and one that takes memory without end" harms take_memory 1 '^  FAIL  limits-kept +.*memory: hostile'
    claim "... or has a child do so that has left its group" harms escape 1 '^  FAIL  limits-kept +.*memory: hostile.py'
    claim "files that nobody is there any more to answer for are the target's" harms fill 1 '^  FAIL  limits-kept +.*files: (a process that is gone|hostile)'
else
    skip "a hostile program fails the trial, not the lab" "no /usr/bin/python3"
fi

# ---- what is not supported ------------------------------------------------------------------------

sed 's/clock: shim/clock: none/' "$made" >"$folder/targets/calls/target.yaml"
trial calls 3
claim "a program that takes no part in virtual time is no target of a virtual trial" answered 3 'LAB ERROR calls: takes no part in virtual time'
made_of 'tests/shim/calls, leak'
trial calls 3
claim "what is not virtual ends the trial, with its reason" answered 3 'LAB ERROR calls: opens /proc/interrupts, which no trial determines: not virtual'
made_of 'tests/shim/calls, hidden-leak'
trial calls 3
claim "... by whatever path a program comes to it" answered 3 'LAB ERROR calls: opens /proc/interrupts, which no trial determines: not virtual'
made_of 'tests/shim/calls-static, launches'
[ -z "$statically" ] || trial calls 2
if_static "what a child of vfork writes there is not seen, and said" answered 3 'LAB ERROR calls: vfork: the parent does not see what its child wrote: not virtual'
made_of 'tests/shim/calls, raw-leak'
trial calls 3
claim "a system call that may block, past the C library, too" answered 3 'LAB ERROR calls: system call 208 by way of an instruction of its own: not virtual'
# detected MADE REASON: the trial of such a target ends with the reason.
detected() {
    made_of "$1"
    trial calls 3
    answered 3 "LAB ERROR calls: $2.*: not virtual"
}
made_of tests/shim/unsupported
trial calls 3
claim "all that the library cannot do is told, one after the other" answered 3 ' ([0-9]+) of \1 told$'
while IFS=$'\t' read -r _ told name; do
    case $name in
    '') continue ;; # is one of those above
    sets-gs) if_static "... by a statically linked one: $name" detected "tests/shim/unsupported-static, $name" "$told" ;;
    *) claim "... by a whole program: $name" detected "tests/shim/unsupported, $name" "$told" ;;
    esac
done < <("$BUILD/tests/shim/unsupported" list)
# The document's list and the program's are one: each item of the former has words of the latter's, or is tried elsewhere.
items() { sed -n '/^## What is not$/,/^Sockets of CAN/p' doc/reference/shim.md | tr '\n' ' ' | sed 's/ - /\n- /g; s/  */ /g' | grep '^- '; }
listed() {
    local words missing=0
    {
        "$BUILD/tests/shim/unsupported" list | cut -f1
        printf '%s\n' 'counter that should be virtual' 'clock: none' 'a loop without a call' # claimed above and below
    } >"$folder/words"
    while read -r words; do
        items | grep -qF -- "$words" || { echo "not in the document: $words" && missing=1; }
    done <"$folder/words"
    ! items | grep -vF -f "$folder/words" || missing=1
    return $missing
}
claim "the document lists what is tried, and nothing else" listed
for file in smaps smaps_rollup io numa_maps pagemap oom_score sched schedstat; do
    claim "counters of a process that no trial determines are told: $file" detected "tests/shim/calls, leak, /proc/self/$file" "opens /proc/[0-9]+/$file, which no trial determines"
done
for file in zoneinfo buddyinfo diskstats sys/fs/file-nr; do
    claim "... and of the machine: $file" detected "tests/shim/calls, leak, /proc/$file" "opens /proc/$file, which no trial determines"
done
# ptrace, io_submit, mq_notify, perf_event_open, process_vm_readv, pidfd_send_signal, userfaultfd, io_uring_setup
for call in 101 209 244 298 310 424 323 425; do
    claim "a call that the library cannot answer is told: $call" detected "tests/shim/calls, raw-leak, $call" "system call $call by way of an instruction"
done
claim "the verdict is SKIP, with the reason" answers 3 'SKIP +lab +calls: system call [0-9]+' "$ukemi" run "$folder/s.yaml" --seed 1
made_of 'tests/shim/calls, sleeps'
claim "in real time a shimmed program is a participant, and nothing else" answers '0 1' 'calls exited with status 0' "$ukemi" run "$folder/s.yaml" --seed 1 --wall
plan
