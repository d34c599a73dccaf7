#!/bin/bash
# doc/how-to/cluster.md, followed to the letter; and a Slurm of four nodes on this machine, whose tasks meet what tasks meet: nothing is
# lost, nothing twice, and the parts are the campaign that was run whole, row by row.
# beside others: all trials are on the virtual clock, where a history depends on nothing outside
set -u
cd "$(dirname "$0")/../.." || exit 3
. tests/tap
. tests/cluster/campaign
. tests/cluster/slurm
guide=$PWD/doc/how-to/cluster.md
slurm=$folder/slurm
leave() { slurm_stop "$slurm"; rm -rf "$folder"; }
trap leave EXIT
trap 'exit 130' INT TERM HUP
mkdir "$folder/bin" && ln -s "$ukemi" "$folder/bin/ukemi"
export PATH=$folder/bin:$PATH

# told HEADING: what the guide's section says is to be typed, or to be a file; '' is the part before all sections.
told() { awk -v wanted="$1" '/^## /{ section = substr($0, 4) } section == wanted && sub(/^    /, "")' "$guide"; }
# night FOLDER TRIALS: a folder with the guide's campaign.
night() { mkdir -p "$folder/$1" && write_campaign "$folder/$1" night "$2" && echo "$folder/$1"; }
# follow FOLDER: runs the lines of standard input there, one by one, as far as they succeed.
follow() {
    local line
    while read -r line <&3; do
        (cd "$1" && eval "$line") || { echo "'$line' ended with $?"; return 1; }
        [[ $line != squeue* ]] || idle || return 1
    done 3<&0
}
whole() { # FOLDER TRIALS
    (cd "$(night "$1" "$2")" && ukemi campaign night.yaml --quiet --db whole.db --output whole) >"$folder/said" 2>&1
}
is_whole() { diff <(facts "$1/whole.db") <(facts "$1/night.db") && [ "$(facts "$1/whole.db" | grep -c .)" -gt 20 ]; } # FOLDER
same_table() { diff <(grep -v ' min simulated' "$1/whole/table1.txt") <(grep -v ' min simulated' "$1/report/table1.txt"); }
by_hand() { told '' | follow "$folder/a" && is_whole "$folder/a" && same_table "$folder/a"; }
claim "a campaign is run whole" whole a 2
at_night "... and by hand in two parts, as the guide says: it is the same, row by row" by_hand

# ---- Slurm --------------------------------------------------------------------------------------------------------
idle() { # all jobs have ended
    local i
    for ((i = 0; i < ${IDLE_S:-120} * 4; i++)); do
        [ -n "$(squeue --noheader)" ] || return 0
        sleep 0.25
    done
    squeue
    return 1
}
submit() { (cd "$folder/$1" && ukemi submit night.yaml --slurm "${@:2}"); } # FOLDER OPTION...
by_slurm() { rm -rf "$folder"/a/{night.db*,report,parts} && told Slurm | follow "$folder/a" && is_whole "$folder/a" && same_table "$folder/a"; }
script() { submit a --write-only --tasks 3 --partition low --jobs 2 --overlap 1% >"$folder/script" && bash -n "$folder/script" && [ ! -e "$folder/a/x.parts" ]; }
claim "the script can be had alone" script
claim "... with what was asked for" answers 0 "^2\$" grep -cE '^#SBATCH --(array=0-2|partition=low)$' "$folder/script"
claim "... for each task its part" answers 0 'shard "\$SLURM_ARRAY_TASK_ID/3" --db "\$parts/' cat "$folder/script"
odd() { # a folder and a campaign whose names a shell would read otherwise
    local place="$folder/o'd \$(touch x) d"
    mkdir -p "$place" && cp "$folder/a/stand.yaml" "$place" && cp "$folder/a/night.yaml" "$place/n'\"\$x.yaml" || return 1
    (cd "$place" && ukemi submit "./n'\"\$x.yaml" --slurm --tasks 2 --write-only >script && mkdir parts && cd parts &&
        SLURM_ARRAY_TASK_ID=1 bash ../script && [ -s 1.db ] && [ ! -e x ])
}
at_night "... whatever its folder and file are called" odd
claim "more tasks than trials are refused" answers 2 'tasks 5: the campaign has 4 trials' submit a --tasks 5
claim "... no tasks" answers 2 'tasks' submit a --tasks 0
claim "... a partition that is none" answers 2 "partition a b: is no name" submit a --partition 'a b'
claim "... no engine" answers 2 'give the engine: --slurm' ukemi submit "$folder/a/night.yaml"
nowhere() { answers 2 'sinfo: this machine has no such program' env PATH=/nowhere "$ukemi" submit "$folder/a/night.yaml" --slurm; }
claim "... where there is no Slurm" nowhere
if slurm_here; then
    claim "a Slurm of four nodes is started" slurm_start "$slurm" 4
    claim "the campaign as its array, as the guide says, is the same, row by row" by_slurm
    claim "the sessions tell the jobs" answers 0 '^4$' sqlite3 "$folder/a/night.db" "SELECT count(DISTINCT job) FROM session WHERE job LIKE 'slurm %'"
    claim "a partition that Slurm does not have is refused" answers 2 'no such partition; there are low high' submit a --partition nope
    refuses() { answers 2 'sbatch does not take .*submit.sbatch' env SBATCH_RESERVATION=none SBATCH_QOS=none ukemi submit "$folder/a/night.yaml" --slurm --parts "$folder/p"; }
    claim "what sbatch refuses is told" refuses
else
    skip "a campaign as an array of Slurm" "Slurm is not installed: scripts/deps --cluster"
fi

# At night: tasks that are requeued, cancelled, preempted; whose slurmd is killed; whose node dies. TRIALS of a square, so that tasks last.
task_of() { squeue --noheader --array --job "$job" --format '%K %i %A %N %t' | awk -v k="$1" '$1 == k { print $2, $3, $4, $5 }'; } # NUMBER: id, job, node, state
pids_of() { # JOB: of its step daemon on this Slurm
    local pid
    for pid in $(pgrep -f "slurmstepd: \\[$1\\.batch\\]"); do
        ! tr '\0' '\n' <"/proc/$pid/environ" 2>/dev/null | grep -qxF "SLURM_CONF=$SLURM_CONF" || echo "$pid"
    done
}
descendants() { local child; for child in $(pgrep -P "$1"); do echo "$child"; descendants "$child"; done; } # PID
runs() { [ "$(task_of "$1" | cut -d' ' -f4)" = R ] && [ "$(sqlite3 "$folder/n/night.parts/$1.db" 'SELECT count(*) FROM trial' 2>/dev/null || echo 0)" -ge 1 ]; } # NUMBER
all_run() { runs 0 && runs 1 && runs 2 && runs 3; }
die() { # NUMBER: the node of a task, with all that it runs
    local id number node state step all
    read -r id number node state < <(task_of "$1")
    step=$(pids_of "$number")
    [ -n "$step" ] || { echo "task $id on $node ($state) has no step"; return 1; }
    mapfile -t all < <(cat "$slurm/pid/slurmd.$node" && echo "$step" && descendants "$step")
    kill -KILL "${all[@]}" 2>/dev/null
    dead=$node
}
misfortunes() {
    local id number node state
    submit n --tasks 4 >"$folder/said" || { cat "$folder/said"; return 1; }
    job=$(sed -nE 's/^job ([0-9]+): 4 tasks of .*/\1/p' "$folder/said")
    await 120 all_run || { squeue; tail -n 3 "$folder"/n/night.parts/*.log; return 1; }
    scontrol requeue "${job}_0" || return 1
    read -r id number node state < <(task_of 1)
    kill -KILL "$(cat "$slurm/pid/slurmd.$node")" || return 1
    deaf=$node
    die 2 || return 1
    read -r id number node state < <(task_of 3)
    (cd "$folder" && sbatch --parsable --partition=high --nodelist="$node" --output=/dev/null --wrap 'sleep 2') || return 1
    sleep 12 # longer than a node may be silent
    slurm_node "$slurm" "${dead#n}" && slurm_node "$slurm" "${deaf#n}" && IDLE_S=600 idle
}
nothing_lost() { # and nothing twice
    (cd "$folder/n" && ukemi merge night.db night.parts && ukemi campaign night.yaml --db night.db --missing &&
        ukemi campaign night.yaml --db night.db --finish --output report) && is_whole "$folder/n" && same_table "$folder/n" &&
        answers 0 '^0$' sqlite3 "$folder/n/night.db" 'SELECT count(*) - count(DISTINCT square_id || "/" || number) FROM trial'
}
restarted() { # each of the tasks 0, 2, 3 has a session of a later start
    local part
    for part in 0 2 3; do
        [ "$(sqlite3 "$folder/n/night.parts/$part.db" 'SELECT max(restarts) FROM session')" -ge 1 ] || { echo "task $part was not restarted"; return 1; }
    done
}
begun_again() { local db; for db in "$folder"/n/night.parts/*.db; do sqlite3 "$db" 'SELECT max(restarts) FROM session'; done | grep '[1-9]'; }
cancelled() { # all of it, in its midst; then submitted again
    rm -rf "$folder"/n/night.db* "$folder"/n/report "$folder"/n/night.parts
    submit n --tasks 4 >"$folder/said" || return 1
    job=$(sed -nE 's/^job ([0-9]+): 4 tasks of .*/\1/p' "$folder/said")
    await 120 all_run && scancel "$job" && idle || return 1
    [ "$(scontrol --oneliner show job "$job" | grep -c 'JobState=CANCELLED')" = 4 ] || { scontrol show job "$job" | grep State; return 1; }
    submit n --tasks 4 && IDLE_S=600 idle
}
time_is_up() { # a task requeues itself a minute before its time is up
    rm -rf "$folder"/n/night.db* "$folder"/n/report "$folder"/n/night.parts
    submit n --tasks 4 --write-only | sed 's/B:USR1@60/B:USR1@54/' >"$folder/early" # Slurm looks every half minute
    mkdir "$folder/n/night.parts" && (cd "$folder/n/night.parts" && sbatch --parsable --time=1 "$folder/early") && IDLE_S=600 idle
}
if slurm_here && [ -n "${LONG:-}" ]; then
    claim "a longer campaign is run whole" whole n "${TRIALS:-60}"
    claim "tasks requeued, preempted, without their slurmd, and with their node dead, all end" misfortunes
    claim "... nothing is lost and nothing there twice" nothing_lost
    claim "... and they did begin again" restarted
    claim "all are cancelled, and submitted again" cancelled
    claim "... nothing is lost and nothing there twice" nothing_lost
    claim "tasks whose time is up requeue themselves" time_is_up
    claim "... at least one of them did" begun_again
    claim "... nothing is lost and nothing there twice" nothing_lost
fi

# ---- other engines: what the guide has for each, with the index as the engine sets it -------------------------------
command_of() { # HEADING PATTERN: the lines that start ukemi
    told "$1" | sed -nE "s#$2#\1#p"
}
parts_of() { # COMMAND...: with INDEX in the place of the index
    rm -rf "$folder"/a/{parts,night.db*,report}
    local index
    for index in 0 1 2 3; do (cd "$folder/a" && eval "${1//INDEX/$index}") || return 1; done
}
merged() { (cd "$folder/a" && ukemi merge night.db parts && ukemi campaign night.yaml --db night.db --finish --output report) && is_whole "$folder/a"; }
condor() { parts_of "ukemi $(command_of HTCondor '^arguments += (.*)' | sed 's/\$(Process)/INDEX/g')" && merged; }
parallel_is() { rm -rf "$folder"/a/{parts,night.db*,report} && told 'GNU parallel' | follow "$folder/a" && merged; }
kubernetes() { parts_of "JOB_COMPLETION_INDEX=INDEX sh -c '$(command_of Kubernetes '^ +- (exec ukemi .*)')'" && merged; }
github() {
    parts_of "$(command_of 'GitHub Actions' '^ +- run: (ukemi .*--shard.*)' | sed 's/\${{ matrix.part }}/INDEX/g')" &&
        command_of 'GitHub Actions' '^ +- run: (ukemi .*)' | grep -v -e --shard | follow "$folder/a" && is_whole "$folder/a"
}
yaml_is() { told "$1" | python3 -c 'import sys, yaml; print(yaml.safe_load(sys.stdin))'; } # HEADING
at_night "HTCondor's arguments make the whole of it" condor
at_night "Kubernetes' command makes the whole of it" kubernetes
at_night "GitHub's steps make the whole of it" github
if command -v parallel >/dev/null || [ -z "${LONG:-}" ]; then
    at_night "GNU parallel makes the whole of it" parallel_is
else
    skip "GNU parallel makes the whole of it" "it is not installed: scripts/deps --cluster"
fi
if python3 -c 'import yaml' 2>/dev/null; then
    claim "Kubernetes' Job is YAML" answers 0 "'completionMode': 'Indexed'" yaml_is Kubernetes
    claim "GitHub's jobs are YAML" answers 0 "'needs': 'part'" yaml_is 'GitHub Actions'
fi
plan
