#!/bin/bash
# Output never takes the place of what is not a regular file: a device, a FIFO and a descriptor are written into, all else is refused,
# and the devices that cells need are looked at.
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
db=$folder/u.db
env PATH=/nowhere "$ukemi" campaign "$folder/c.yaml" --quiet --jobs 1 --db "$db" --output "$folder/page" >"$folder/campaign" 2>&1
result $? "there is a trial" "$folder/campaign"
kept=$(echo "$db"-histories/*.mcap)
"$ukemi" export "$kept" -o "$folder/plain.log" >/dev/null
"$ukemi" view 1 --db "$db" --output "$folder/plain.html" >/dev/null
"$ukemi" report --db "$db" --format junit --output "$folder/plain.xml"
[ -s "$folder/plain.log" ] && [ -s "$folder/plain.html" ] && [ -s "$folder/plain.xml" ]
result $? "and files of it"

# writers FUNCTION: every command that writes a file with a name of the user's, by FUNCTION PLAIN COMMAND..., which adds the name.
writers() {
    "$1" "$folder/plain.log" "$ukemi" export "$kept" -o && "$1" "$folder/plain.html" "$ukemi" view 1 --db "$db" --output &&
        "$1" "$folder/plain.xml" "$ukemi" report --db "$db" --format junit --output
}
kind_and_number() { stat -c '%F %t %T' "$1"; }

# ---- devices ----------------------------------------------------------------------------------------------------
# into_device PLAIN COMMAND...: it ends well and leaves the device.
into_device() {
    "${@:2}" "$folder/null" && [ "$(kind_and_number "$folder/null")" = "$(kind_and_number /dev/null)" ]
}
# into_full PLAIN COMMAND...: a device without room is an error with its reason.
into_full() {
    answers "2 3" 'No space left on device' "${@:2}" "$folder/full" && [ -c "$folder/full" ]
}
kept_in_device() { into_device - "$ukemi" run "$folder/stand.yaml" --keep; }
block_refused() {
    mknod "$folder/disk" b 7 240 && answers "2 3" 'disk: .*it is a block device' "$@" "$folder/disk" && [ -b "$folder/disk" ]
}
folder_of_devices() { # a page of a report whose name is a link to a device
    mkdir -p "$folder/links" && ln -sf "$folder/null" "$folder/links/index.html" &&
        env PATH=/nowhere "$ukemi" report --db "$db" --output "$folder/links" && into_device - true && [ -L "$folder/links/index.html" ]
}
if mknod -m 666 "$folder/null" c 1 3 2>/dev/null && { : >"$folder/null"; } 2>/dev/null && mknod -m 666 "$folder/full" c 1 7; then
    claim "each writes into a device, which stays one" writers into_device
    claim "so does a run that keeps its history" kept_in_device
    claim "each says so when a device has no room" writers into_full
    claim "a block device is refused" block_refused "$ukemi" export "$kept" -o
    claim "a page whose name is a link to a device is written into that" folder_of_devices
else
    skip "devices are written into" "devices cannot be made here"
fi

# ---- FIFOs, descriptors, sockets, folders -----------------------------------------------------------------------
mkfifo "$folder/fifo"
# into_fifo PLAIN COMMAND...: who reads it gets the file.
into_fifo() {
    cat "$folder/fifo" >"$folder/read" &
    exec 7<>"$folder/fifo" # there is a reader from now on, however slow that one is
    "${@:2}" "$folder/fifo" || return 1
    exec 7>&-
    wait $! && cmp "$folder/read" "$1" && [ -p "$folder/fifo" ]
}
# into_stdout PLAIN COMMAND...: through a pipe, at the end of a file, and as a descriptor with its number; nothing else is said there.
into_stdout() {
    "${@:2}" /dev/stdout 2>/dev/null | cmp - "$1" || return 1
    echo before >"$folder/log" && "${@:2}" /dev/stdout 2>/dev/null >>"$folder/log" && echo after >>"$folder/log" || return 1
    { echo before && cat "$1" && echo after; } | cmp - "$folder/log" || return 1
    "${@:2}" /proc/self/fd/8 8>"$folder/eight" && cmp "$folder/eight" "$1"
}
# not_into PATH PATTERN PLAIN COMMAND...
not_into() { answers "2 3" "$2" timeout 20 "${@:4}" "$1"; }
fifo_without_reader() { not_into "$folder/fifo" 'fifo: .*FIFO that no program reads' "$@" && [ -p "$folder/fifo" ]; }
a_folder() { not_into "$folder/page" 'page: .*Is a directory' "$@"; }
a_socket() { not_into "$folder/socket" 'socket: .*FIFO that no program reads, or a socket' "$@" && [ -S "$folder/socket" ]; }
claim "each writes into a FIFO, which stays one" writers into_fifo
claim "a FIFO that nobody reads is refused at once" writers fifo_without_reader
claim "standard output is written to by its names, alone" writers into_stdout
claim "a folder is refused" writers a_folder
if python3 -c 'import socket, sys; socket.socket(socket.AF_UNIX).bind(sys.argv[1])' "$folder/socket" 2>/dev/null; then
    claim "a socket is refused" writers a_socket
fi
# Refused before the trial, which prints its claim.
early() { answers 2 "$1" "$ukemi" run "$folder/stand.yaml" --keep "$2" && ! grep -q ' clock$' "$folder/said"; }
claim "a run that could not keep its history does not begin: a folder" early 'Is a directory' "$folder/page"
claim "nor where there is no folder" early 'No such file' "$folder/none/x.mcap"
claim "nor on standard output, where its verdict goes" early 'is standard output' /dev/stdout

# ---- links ------------------------------------------------------------------------------------------------------
# into_link PLAIN COMMAND...: the file that it names is replaced, or made, and it stays a link.
into_link() {
    mkdir -p "$folder/far" && echo old >"$folder/far/file" && ln -sfn far/file "$folder/link" && "${@:2}" "$folder/link" &&
        [ -L "$folder/link" ] && cmp "$folder/far/file" "$1" && rm "$folder/far/file" && "${@:2}" "$folder/link" &&
        [ -L "$folder/link" ] && cmp "$folder/far/file" "$1"
}
in_circles() { not_into "$folder/circle" 'circle: .*Too many levels' "$@"; }
ln -s circle "$folder/circle"
claim "a link leads to the file that is written, and stays" writers into_link
claim "links in a circle are refused" writers in_circles

# ---- the devices of a cell --------------------------------------------------------------------------------------
# with_null_as COMMAND...: where the machine's /dev/null is a regular file, as such a rename makes it.
with_null_as() {
    # shellcheck disable=SC2016 # of the inner shell
    unshare --mount --propagation private sh -c 'mount --bind "$0" /dev/null && exec "$@"' "$folder/plain.log" "$@" </dev/zero
}
doctor_sees() { answers 3 'no .*devices of a cell .*/dev/null is a regular file; make it anew.*mknod -m 666 /dev/null c 1 3' with_null_as "$ukemi" doctor; }
trial_refused() { answers 3 'lab error: .*/dev/null is a regular file' with_null_as "$ukemi" run "$folder/stand.yaml"; }
if with_null_as true 2>/dev/null; then
    claim "doctor tells a device that is none, and what to do" doctor_sees
    claim "and no trial is run with it: its failure would be the target's" trial_refused
else
    skip "a device that is none is told" "mount namespaces are refused to this user"
fi
claim "doctor names the devices" answers "0 3" 'yes .*devices of a cell .*/dev/null, /dev/zero, /dev/full' "$ukemi" doctor
plan
