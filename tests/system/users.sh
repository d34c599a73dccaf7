#!/bin/bash
# Root or not, one hash: what a target sees of its user is the same whoever started the lab, and so is what it does.
# beside others: all trials are on the virtual clock, where a history depends on nothing outside
set -u
cd "$(dirname "$0")/../.." || exit 3
. tests/tap
user=(setpriv --reuid=65534 --regid=65534 --clear-groups)
if [ "$(id -u)" -ne 0 ] || ! "${user[@]}" unshare -Upnim --fork true 2>/dev/null || ! "${user[@]}" test -x "$ukemi"; then
    skip "root's trials and those of an ordinary user are equal" "no other user here who can make cells"
    plan
    exit 0
fi
chmod 711 "$folder"

# A program that says who it is, before it does its work.
(cd "$folder" && "$ukemi" new first --language sockets >/dev/null)
sed -i 's/^duration_s:.*/duration_s: 1.5/; s/^watch_s:.*/watch_s: 0.5/; s/\[4, 6\]/[0.3, 0.5]/; /^promises/,$d' "$folder/first/scenarios/controller-killed.yaml"
sed -i '1a import os, pwd, sys\nprint("I am", os.getresuid(), os.getresgid(), pwd.getpwuid(os.getuid()), file=sys.stderr, flush=True)\nprint("seen:", sorted({os.stat("/proc/" + p).st_uid for p in os.listdir("/proc") if p.isdigit()} - {0}), os.access("/dev/shm", os.W_OK), file=sys.stderr, flush=True)' \
    "$folder/first/targets/first/controller.py"
chmod -R go+rX "$folder/first"
install -d -m 1777 "$folder/kept"
whoami() { # COMMAND...: that makes the lab another user's
    (cd "$folder/first" && "$@" "$ukemi" run scenarios/controller-killed.yaml --allow-skip --keep "$folder/kept/h.mcap") >"$folder/run" 2>&1
    "$ukemi" show "$folder/kept/h.mcap" --all --search 'I am|seen:' || cat "$folder/run"
    rm -f "$folder/kept/h.mcap"
}
sees_the_same() {
    whoami >"$folder/of-root" && whoami "${user[@]}" >"$folder/of-user" && diff "$folder/of-root" "$folder/of-user" && grep 'I am (1000, 1000, 1000)' "$folder/of-root"
}
claim "a program sees the same user of itself, with the same name" sees_the_same

# One scenario by root and by the user: the same verdict and history. One that cannot run here says so to both.
outcome() { sed -nE 's/^(history [0-9a-f]{32}).*/\1/p; /^(PASS|FAIL|ERROR|SKIP)$/p' "$1"; }
compare() { # SCENARIO NAME
    "$ukemi" run "$1" --seed 1 >"$folder/$2.root" 2>&1
    "${user[@]}" "$ukemi" run "$1" --seed 1 >"$folder/$2.user" 2>&1
    outcome "$folder/$2.root" >"$folder/$2.a"
    outcome "$folder/$2.user" >"$folder/$2.b"
    [ -s "$folder/$2.a" ] && cmp -s "$folder/$2.a" "$folder/$2.b" && return 0
    echo "$1 by root: $(tr '\n' ' ' <"$folder/$2.a"), by user 65534: $(tr '\n' ' ' <"$folder/$2.b")"
    tail -3 "$folder/$2.user"
    return 1
}
claim "a broker that names its clients by its user has the same history (103)" compare scenarios/peers-messages/103-*.yaml 103
all_equal() {
    local scenario files=(scenarios/*/[0-9]*.yaml)
    for scenario in "${files[@]}"; do
        compare "$scenario" "$(basename "$scenario" .yaml)" &
        [ "$(jobs -rp | wc -l)" -lt "$(nproc)" ] || wait -n
    done >"$folder/differ"
    wait
    cat "$folder/differ"
    echo "$(cat "$folder"/*.a | grep -c ^history) histories of ${#files[@]} scenarios compared"
    [ ! -s "$folder/differ" ]
}
at_night "all scenarios have the same history and verdict for both" all_equal
plan
