#!/bin/bash
# The program trajectory: the paper's table, motions of joints, paths; what is wrong is told.
# beside others: it takes no time
set -u
cd "$(dirname "$0")/../.." || exit 3
. tests/tap
program=$BUILD/targets/bioloid/trajectory

claim "the row A_min of the paper's Table 1" answers 0 '^tm 3[.]838.*wm 32[.]385' \
    sh -c "'$program' --method a-min 3 4 0 27 20 30 200 | tr '\n' ' '"
claim "an acceleration that is too small is refused" answers 2 'too small' "$program" --method a-min 3 4 0 27 20 30 5

# solves PROBLEM OPTION...: the duration.
solves() { printf '%b\n' "$1" | "$program" --limits "${@:2}"; }
claim "a motion in the least time" answers 0 '^7[.]25$' solves '1 0 0 0 10 0 0 2 1 4'
claim "... must have the numbers that --ranges asks for" answers 2 'standard input:1: there must be eleven numbers' \
    solves '1 0 0 0 10 0 0 2 1 4' --ranges
claim "a duration that is longer" answers 0 '^8[.]5$' solves '1 0 0 0 10 0 0 2 1 4' --duration-min 8.3 --period 0.5
claim "a velocity as the goal" answers 0 '^2[.]5$' solves '1 0 0 0 -7 1.5 0 2 1 1' --to-velocity
claim "in phase, what is not on a line is refused" answers 0 '^error joint [12]: velocities and accelerations' \
    solves '2 0 0.1 0 1 0 0 1 1 1 0 0 0 1 0 0 1 1 1' --phase
claim "a range that is too narrow is refused" answers 0 '^error joint 1: it does not stay within' \
    solves '1 0 1 0 0.3 0 0 2 1 4 -inf 0.5' --ranges
claim "way points on the way cost nothing" answers 0 '^1[.]362' solves '1 0 0 0 -90 0 0 281 1400 inf 3 45 90 -45' --waypoints
# greatest PROBLEM VELOCITY: the greatest speed of its first joint, which starts at VELOCITY.
greatest() { printf '%b\n' "$1" | "$program" --segments --waypoints | awk -v v="$2" 'NR == 1 { a = 0; for (i = 1; i < NF; i += 2) {
    t = $i; j = $(i + 1); s = j ? -a / j : -1; if (s > 0 && s < t) see(v + s * a / 2); v += t * (a + t * j / 2); a += t * j; see(v) }
    printf "%.4f\n", most } function see(x) { if (x < 0) x = -x; if (x > most) most = x }'; }
claim "... and no motion passes one beyond its bounds" answers 0 '^1[.]1700$' greatest '1 1.55 0 0 1.54 0 0 1.17 6.44 15.1 1 0.15' 0
claim "a joint that starts and ends at its limit waits for others" answers 0 '^29[.]090567' solves \
    '1 4.6979918373371881 -5.4000805595255921 0 -3.6931273932119399 -5.4000805595255921 0 5.4000805595255921 11.075693984378644 0.19328814719157189' --duration-min 20
claim "... 33 are too many" answers 2 'standard input:1: the number of way points' solves '1 0 0 0 -90 0 0 281 1400 inf 33 45' --waypoints
claim "a time that is none is refused" answers 2 '[-]-period -1' solves '1 0 0 0 1 0 0 1 1 1' --period -1

# along PATH: the times.
along() { printf '%b\n' "$1" | "$program" --path; }
claim "a path from rest to rest" answers 0 '^1[.]63299.* 2 0$' along '1 inf 3 inf\n0 1 0 0 0 0\n1 1 0 0 0 0\n2 1 0 0 0 0'
claim "a path whose parameter does not rise is refused with its line" answers 2 'standard input:3: .* s must rise' \
    along '1 inf 3 inf\n0 1 0 0 0 0\n0 1 0 0 0 0'
claim "a weight that the torque does not bear is refused" answers 2 'standard input:2: ' along '1 inf 3 1\n0 1 0 1 0 2\n1 1 0 1 0 2'
claim "a point without all its numbers is refused with its line" answers 2 'standard input:2: .*five' along '1 inf 3 inf\n0 1 0 0 0'
plan
