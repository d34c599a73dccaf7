#!/bin/bash
# Nothing outside a cell is touched: processes, interfaces and files with the lab's own names, beside a campaign of faults that hit
# processes of these names, stay as they are. That they are looked at well enough is shown by touching each of them at the end.
#
# The test runs in namespaces of its own, which are the "machine" of the campaign: what it touches on purpose is nobody else's.
set -u
cd "$(dirname "$0")/../.." || exit 3

if [ "${1:-}" != inside ]; then
    [[ $BUILD = /* ]] || BUILD=$PWD/$BUILD
    export BUILD
    options=(--mount --net --pid --ipc --fork --kill-child --mount-proc)
    [ "$(id -u)" -eq 0 ] || options+=(--map-root-user)
    if ! unshare "${options[@]}" true 2>/dev/null; then
        echo "1..0 # SKIP namespaces are refused here"
        exit 0
    fi
    interfaces() { for i in /sys/class/net/*; do echo "$i $(cat "$i/ifindex" "$i/flags" "$i/mtu" "$i/address" 2>/dev/null | tr '\n' ' ')"; done; }
    before=$(interfaces)
    unshare "${options[@]}" bash "$0" inside
    code=$?
    if [ "$before" = "$(interfaces)" ]; then echo "ok 16 - no interface of the machine has changed"; else
        echo "not ok 16 - no interface of the machine has changed"
        diff <(echo "$before") <(interfaces) | sed 's/^/# /'
    fi
    echo "1..16"
    exit $code
fi

# ---- inside: a machine of our own
mount -t tmpfs -o mode=755 tmpfs /mnt || exit 3
mkdir /mnt/build /mnt/source
mount --rbind "$BUILD" /mnt/build && mount --rbind "$PWD" /mnt/source && cd /mnt/source || exit 3
mount -t tmpfs -o mode=1777 tmpfs /tmp && mount -t tmpfs -o mode=1777 tmpfs /dev/shm || exit 3
mount -t sysfs sysfs /sys 2>/dev/null # shows the interfaces of this namespace
BUILD=/mnt/build
. tests/tap
export UKEMI_ROOT=/mnt/source
export TMPDIR=$folder # the lab may have temporary files of its own
mkdir -p $folder/bin $folder/signals $folder/scenarios

# ---- bystanders
names="simulator hardware control balance manipulation perception planner operator_stand process ukemi"
declare -A pid
for name in $names; do
    ln -s /mnt/build/tests/canaries/cell/cell_bystander $folder/bin/$name
    case $name in
    simulator) as=/dev/shm/build/targets/simulator/simulator ;;
    process) as=/dev/shm/build/faults/process ;;
    ukemi) as=$ukemi ;;
    *) as=/dev/shm/build/targets/hubo2/$name ;;
    esac
    (exec -a $as $folder/bin/$name $folder/signals/$name) &
    pid[$name]=$!
done
ready() { for name in $names; do [ -e $folder/signals/$name ] && grep -q ') S ' "/proc/${pid[$name]}/stat" || return 1; done; }
await 30 ready
for folder_of_ours in cell build target; do
    mkdir -p /dev/shm/$folder_of_ours/channels /tmp/$folder_of_ours
    echo "of somebody else" | tee /dev/shm/$folder_of_ours/clock /dev/shm/$folder_of_ours/channels/truth /tmp/$folder_of_ours/clock >/dev/null
done
echo "of somebody else" | tee /dev/shm/ukemi /dev/shm/truth /tmp/ukemi.db >/dev/null # the first two are POSIX shared memory: shm_open("/truth")
segment=$(ipcmk -M 4096 | sed 's/.*: //')
interface= # left down: the kernel itself sends nothing there
for kind in dummy bridge ifb; do
    ip link add can0 type $kind 2>/dev/null && ip link add can1 type $kind && interface=$kind && break
done

# What there is of them, in words; KIND: processes, files, interfaces.
look() {
    case $1 in
    processes)
        for name in $names; do # number, name, state, start; signals
            sed -E 's/^([0-9]+) \((.*)\) (.) ([0-9-]+ ){18}([0-9]+) .*/\1 \2 \3 \5/' "/proc/${pid[$name]}/stat" 2>&1
            cat "$folder/signals/$name"
        done
        ;;
    files)
        find /dev/shm /tmp -path $folder -prune -o -printf '%p %i %s %m %U %T@ %C@\n' | sort
        find /dev/shm /tmp -path $folder -prune -o -type f -print0 | sort -z | xargs -0 sha256sum
        ipcs -m | grep "$segment"
        ;;
    interfaces) for i in /sys/class/net/*; do echo "$i $(cat "$i"/{ifindex,flags,mtu,address,operstate} "$i"/statistics/{r,t}x_packets 2>/dev/null | tr '\n' ' ')"; done ;;
    esac
}
kinds="processes files interfaces"
keep() { for kind in $kinds; do look $kind >$folder/before.$kind 2>&1; done; }
# untouched KIND: as it was kept; the difference in $folder/diff.
untouched() { look "$1" 2>&1 | diff $folder/before."$1" - >$folder/diff; }

keep
[ "$(wc -l <$folder/before.processes)" -eq 10 ] && [ "$(grep -c ' S ' $folder/before.processes)" -eq 10 ] && grep -q '^[0-9]* hardware S' $folder/before.processes
result $? "bystanders are there, with the names of the lab's own processes" $folder/before.processes
untouched processes && untouched files && untouched interfaces
result $? "nobody touches them before" $folder/diff

# ---- a campaign of every fault of processes
campaign() { # campaign NAME FAULT
    cat >$folder/$1.yaml <<CAMPAIGN
name: $1
target: hubo2
seed: 3
recheck_share: 0
fault: $2
columns:
  - { title: Static, scenario: ../../mnt/source/scenarios/motion/001-stand.yaml, trials: 1, at: { time_s: [2, 3] } }
rows:
$(for row in Hardware Control Planner; do echo "  - { component: $row, expected: [No Effect] }"; done)
CAMPAIGN
    "$ukemi" campaign $folder/$1.yaml --jobs 2 --quiet --db $folder/$1.db --output $folder/report >$folder/$1.out 2>&1
    [ "$(sqlite3 $folder/$1.db 'SELECT count(*) FROM fault WHERE effective = 1')" = 3 ]
}
campaign kill '{ kind: kill, parameters: [signal=TERM], restart_after_s: 0.5 }'
result $? "three components are killed" $folder/kill.out
campaign stall '{ kind: stall, duration_s: 0.5 }'
result $? "three components are stopped and continued" $folder/stall.out
campaign restart '{ kind: restart, duration_s: 0.5 }'
result $? "three components are restarted" $folder/restart.out
# A campaign that is killed, and cells that are.
"$ukemi" campaign $folder/kill.yaml --jobs 2 --quiet --db $folder/killed.db --output $folder/report >$folder/killed.out 2>&1 &
sleep 0.5
kill -KILL $!
wait $! 2>/dev/null
untouched processes
result $? "processes of the same names got no signal and are the same" $folder/diff
untouched files
result $? "shared memory and files of the same names are the same" $folder/diff
if [ -n "$interface" ]; then
    untouched interfaces
    result $? "interfaces of the same names are the same" $folder/diff
else
    skip "interfaces of the same names are the same" "this kernel makes no interface to put there"
fi

# ---- canaries: the same looks notice a careless step
shows() { ! untouched "$1" && grep -q "$2" $folder/diff; }
noticed() { # noticed CLAIM KIND PATTERN: it shows
    await 30 shows "$2" "$3"
    result $? "$1" $folder/diff
    keep
}
pkill -TERM -x hardware
noticed "a signal by name to a process of ours is noticed" processes '> signal 15 from'
pkill -STOP -x planner
noticed "a bystander that is stopped is noticed" processes '> .* planner T'
pkill -CONT -x planner
noticed "and that it was continued" processes '> signal 18 from'
pkill -KILL -x balance
{ wait "${pid[balance]}"; } 2>/dev/null # bash says whom it has seen die
noticed "a bystander that is killed is noticed" processes '< .* balance S'
(exec -a /dev/shm/build/targets/hubo2/balance $folder/bin/balance $folder/signals/balance) &
pid[balance]=$!
noticed "another process in its place is noticed" processes '> .* balance S'
cat /dev/shm/cell/clock >$folder/copy && cat $folder/copy >/dev/shm/cell/clock
noticed "a file that was written with the same bytes is noticed" files '/dev/shm/cell/clock'
if [ -n "$interface" ]; then
    ip link set can0 up
    noticed "an interface that was brought up is noticed" interfaces 'net/can0'
else
    skip "an interface that was brought up is noticed" "this kernel makes no interface to put there"
fi
