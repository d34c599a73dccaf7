#!/bin/bash
# The lab as it is delivered: installed elsewhere, found by nothing but its own place, used by an ordinary user; the library for
# controllers in C and C++.
# beside others: all trials are on the virtual clock
set -u
cd "$(dirname "$0")/../.." || exit 3
. tests/tap
unset UKEMI_ROOT UKEMI_PATH
chmod 755 "$folder"
root=$folder/root prefix=$folder/root/opt/lab
build=${BUILD#"$PWD"/} # as make was told: what it knows of headers is by name
make_it() { make -s --no-print-directory "$1" BUILD="$build" PREFIX=/opt/lab DESTDIR="$root"; }
claim "make install fills a folder" make_it install
installed=$prefix/bin/ukemi
export PKG_CONFIG_PATH=$prefix/lib/pkgconfig
library=$prefix/lib/libukemi.so.0

# as_user COMMAND...: in a folder of an ordinary user's own.
user=()
[ "$(id -u)" -ne 0 ] || user=(setpriv --reuid=65534 --regid=65534 --clear-groups)
mkdir "$folder/home" && [ "$(id -u)" -ne 0 ] || chown 65534:65534 "$folder/home"
as_user() { (cd "$folder/home" && HOME=$PWD "${user[@]}" "$@"); }
may_isolate() { as_user unshare --user --map-root-user --net --pid --mount --fork true; }

# ---- the lab --------------------------------------------------------------------------------------
history_of() { sed -n 's/^history //p' "$folder/said"; }
run "$ukemi" run 070 --seed 3
here=$(history_of)
mkdir "$folder/elsewhere"
run env -C "$folder/elsewhere" "$installed" run 070 --seed 3
claim "an installed lab gives the histories of the one it was built as" test -n "$here" -a "$(history_of)" = "$here"
strip -o "$folder/stripped" "$installed" # of what a debugger reads
claim "it does not know where it was built" not grep -qF "$PWD" "$folder/stripped"
claim "all its scenarios can be read" answers 0 '^070-pole' "$installed" list scenarios
claim "and its faults, targets" answers 0 '^hubo2 ' "$installed" list targets
claim "its man page is there" test -s "$prefix/share/man/man1/ukemi.1"
claim "so is what bash completes with" grep -q '^complete -F _ukemi ukemi' "$prefix/share/bash-completion/completions/ukemi"
claim "... and what systemd starts at night, of this place" grep -qx 'ExecStart=/opt/lab/bin/ukemi night --quiet' "$prefix/lib/systemd/user/ukemi-night@.service"
claim_with systemd-analyze "finds no fault in it" env XDG_RUNTIME_DIR="$folder" \
    systemd-analyze --user --recursive-errors=no verify "$prefix/lib/systemd/user/ukemi-night@.timer"
claim "... and zsh" grep -q '^#compdef ukemi' "$prefix/share/zsh/site-functions/_ukemi"
claim "as root it belongs to nobody who could change it" test -z "$(find "$prefix" -perm /022 ! -type l)"
mv "$prefix/share/ukemi" "$prefix/share/away"
claim "without its data it says what is missing" answers 2 'share/ukemi.* install the lab again' "$installed" list faults
mv "$prefix/share/away" "$prefix/share/ukemi"
moved() { mv "$root/opt/lab" "$root/opt/moved" && answers 0 "^history $here" "$root/opt/moved/bin/ukemi" run 070 --seed 3; }
claim "the tree may be moved as a whole" moved
mv "$root/opt/moved" "$prefix"
if may_isolate; then
    claim "an ordinary user runs it" answers 0 '^PASS' as_user "$installed" run 070 --seed 3
    claim "with the same history" test "$(history_of)" = "$here"
else
    skip "an ordinary user runs it" "this machine gives ordinary users no namespaces"
fi

# ---- a project of one's own -------------------------------------------------------------------------
export PATH=$prefix/bin:$PATH
page=$folder/commands # of doc/start.md, as they stand
sed -n '/^```sh/,/^```/p' doc/start.md | grep -v '^```' >"$page"
tells() { answered 0 '^  PASS  determinism' '^  FAIL  pole-stays' '20 passed, 0 failed' 'python.*written'; }
if may_isolate; then
    run as_user bash -e -u "$page"
    claim "an ordinary user's first target goes as doc/start.md says" tells
else
    run env -C "$folder/home" bash -e -u "$page"
    claim_where "a wall" "the first target goes as doc/start.md says" tells
    skip "so it does for an ordinary user" "this machine gives ordinary users no namespaces"
fi
project() { # LANGUAGE: made, built and run; leaves what was said, less the seconds it took
    local name=in-${1//+/p}
    (cd "$folder" && "$installed" new "$name" --language "$1" && cd "$name" && { [ ! -e Makefile ] || make -s; }) >"$folder/made" 2>&1 || cat "$folder/made"
    run env -C "$folder/$name" "$installed" run controller-killed --seed 3
    grep -v ' simulated in ' "$folder/said" >"$folder/$1.said"
    answered 0 '^PASS$' '^  PASS  pole-returns'
}
same_as_c() { project "$1" && diff "$folder/c.said" "$folder/$1.said"; }
claim "ukemi new makes a project that keeps its promises" project c
claim_with g++ "makes the same controller in C++: the same verdicts, margins and history" same_as_c c++
claim_with python3 "runs the same controller in Python: the same verdicts, margins and history" same_as_c python
verdicts() { sed -nE 's/^ +(PASS|FAIL|ERROR|SKIP) +(pole-[a-z]+|fault-[a-z]+|peers-survive) .*/\1 \2/p' "$folder/$1.said"; }
same_verdicts() { project "$1" && diff <(verdicts c) <(verdicts "$1") && [ "$(verdicts c | wc -l)" -eq 6 ]; }
claim_with python3 "runs it over sockets, of programs that know nothing of the lab: the same verdicts" same_verdicts sockets
from() { (cd "$1" && "${@:2}"); }
claim "nothing that exists is written over" answers 2 'in-c: exists already' from "$folder" "$installed" new in-c
claim "a target that the lab has is refused" answers 2 'hubo2: there is such a target already' from "$folder" "$installed" new hubo2
for name in ../up .hidden -dash 'two words' a/b "$(printf 'x%.0s' {1..48})"; do
    claim "'${name:0:12}' is not a target's name" answers 2 "not a target's name|says what may be given" from "$folder" "$installed" new "$name"
done
claim "nor is cobol a language" answers 2 "'cobol' is not c, c\+\+, python or sockets" from "$folder" "$installed" new cart --language cobol
half() { # a full disk: nothing is left
    rm -rf "$folder/small" && mkdir "$folder/small" && (ulimit -f 1 && cd "$folder/small" && trap '' XFSZ && "$installed" new cart)
    [ $? -eq 2 ] && [ -z "$(ls -A "$folder/small")" ]
}
claim "a project that cannot be written whole is not there at all" half

# ---- the library ----------------------------------------------------------------------------------
# declared PREFIX FOLDER...: the functions of the installed headers of these folders that begin so.
declared() {
    local prefixes=$1
    shift
    sed 's,//.*,,' "${@/#/$prefix/include/ukemi/}" | grep -vE 'static inline|^#|^ *X\(' | tr '\n' ' ' |
        grep -oE "\\b($prefixes)_[a-z_B]+\\(" | tr -d '(' | sort -u
}
# exported LIBRARY VERSION
exported() { nm -D --defined-only "$prefix/lib/$1" | sed -nE "s/.* T ([a-z_B]+)@@$2\$/\1/p" | sort -u; }
claim "libukemi has all that its headers declare, and nothing else" diff \
    <(declared 'clk|channel|participant|status' base/status.h clock/clock.h channel/channel.h robot/participant.h) <(exported libukemi.so.0 UKEMI_0)
claim "so has libukemi-robot" diff <(declared robot robot/robot.h) <(exported libukemi-robot.so.0 UKEMI_ROBOT_0)
claim "so has libukemi-motion" diff <(declared '[a-z]+' motion/{extremal,trajectory,waypoints,path,knee}.h qp/{qp,hierarchy}.h task/{kinematics,stack}.h \
    model/robot_model.h walk/generator/walkgen.h | grep -v '^__attribute__') <(exported libukemi-motion.so.0 UKEMI_MOTION_0)
claim "there is something" test "$(exported libukemi.so.0 UKEMI_0 | wc -l)" -gt 20 -a "$(exported libukemi-motion.so.0 UKEMI_MOTION_0 | wc -l)" -gt 50
claim "its name has a version" eval "readelf -d '$library' | grep -q 'SONAME.*libukemi.so.0'"
cat >"$folder/use.c" <<'END'
#include "robot/participant.h"
#include "pole.h"
static struct clk_watch watch;
int main(int argc, char **argv)
{
    struct pole_message pole = {0, 0, 0, 0, 0, 0};
    instant t = instant_add(instant_ns(pole.time_ns), duration_ms(5));
    instant never = INSTANT_NEVER;
    duration zero = DURATION_ZERO;
    (void)watch;
    return argc > 1 || participant_begin(argc, argv) != STATUS_OK || instant_before(never, t) || zero.ns != 0;
}
END
cp "$folder/use.c" "$folder/use.cpp"
"$installed" header targets/pendulum/pole.msg >"$folder/pole.h"
name=ukemi
builds() { # COMPILER... SOURCE: without a warning, and runs
    local words flags
    read -ra flags < <(pkg-config --cflags --libs "$name")
    words=$("$1" -Wall -Wextra -Wpedantic -Wshadow -Wconversion "${@:2}" -I"$folder" -o "$folder/use" "${flags[@]}" 2>&1) &&
        [ -z "$words" ] && LD_LIBRARY_PATH=$prefix/lib "$folder/use" || { echo "$words" && false; }
}
claim "a C program is built by pkg-config alone" builds gcc -std=c17 "$folder/use.c"
claim_with g++ "takes the headers as C++11, too" builds g++ -std=c++11 "$folder/use.cpp"
claim_with g++ "takes them as C++20" builds g++ -std=c++20 "$folder/use.cpp"
claim_with clang++ "takes them as C++17" builds clang++ -std=c++17 "$folder/use.cpp"

# Motions and walking, each by its pkg-config name.
cat >"$folder/trajectory.c" <<'END'
#include "motion/waypoints.h"
int main(void)
{
    const struct motion_bounds bounds = {2, 1, 4};
    const struct motion_state start = {0, 0, 0}, end = {10, 0, 0};
    struct waypoints_problem problem = {{0}, 0, 0};
    double duration_s;
    unsigned culprit;
    problem.ends.count = 1;
    problem.ends.bounds = &bounds;
    problem.ends.start = &start;
    problem.ends.end = &end;
    return waypoints_plan(&problem, 0, &duration_s, &culprit) != TRAJECTORY_OK || duration_s < 7.2499 || duration_s > 7.2501;
}
END
cat >"$folder/qp.c" <<'END'
#include "base/status.h"
#include "qp/hierarchy.h"
int main(void)
{
    struct qp *qp;
    double factor[1];
    const double hessian[1] = {4};
    return qp_create(1, 1, &qp) != STATUS_OK || !qp_factor(hessian, 1, factor) || factor[0] != 0.5 || status_text(STATUS_OK)[0] == 0;
}
END
cat >"$folder/task.c" <<END
#include "task/stack.h"
int main(void)
{
    const struct task_limits limits = {1, 10, 0.01};
    struct robot_model *model;
    struct task_stack *stack;
    return robot_model_load("$prefix/share/ukemi/targets/hubo2/robot.xml", &model) != STATUS_OK || model->joint_count != 28 ||
           task_stack_create(model, &limits, &stack) != STATUS_OK;
}
END
cat >"$folder/walkgen.c" <<END
#include "walk/generator/walkgen.h"
int main(void)
{
    struct robot_model *model;
    struct walkgen *walkgen;
    static struct walkgen_output out;
    if (robot_model_load("$prefix/share/ukemi/targets/hubo2/robot.xml", &model) != STATUS_OK || walkgen_create(model, &walkgen) != STATUS_OK ||
        walkgen_command(walkgen, ":stepseq 0 -0.095 0  0.2 0.19 0  0 -0.19 0") != STATUS_OK)
        return 1;
    while (walkgen_tick(walkgen, &out)) {
    }
    return !(out.com_m[0] > 0.1);
}
END
for part in trajectory qp task walkgen; do
    name=ukemi-$part
    claim "ukemi-$part is built by pkg-config alone" builds gcc -std=c17 "$folder/$part.c"
    cp "$folder/$part.c" "$folder/$part.cpp"
    claim_with g++ "takes ukemi-$part as C++11" builds g++ -std=c++11 -Wno-shadow -Wno-missing-field-initializers "$folder/$part.cpp"
done

# ---- a client of the robot ------------------------------------------------------------------------
mine=$folder/client # a target with an operator program of one's own, beside its file
mkdir -p "$mine/targets/mine" "$mine/scenarios"
cp -L "$prefix"/share/ukemi/targets/hubo2/*.{msg,xml} "$mine/targets/mine"
sed 's/^name: hubo2/name: mine/' "$prefix/share/ukemi/targets/hubo2/target.yaml" >"$mine/targets/mine/target.yaml"
examples=$prefix/share/doc/ukemi/doc/examples
compiles() { # LANGUAGE COMPILER...
    local flags
    read -ra flags < <(pkg-config --cflags --libs ukemi-robot)
    "${@:2}" -Wall -Wextra -Wpedantic -Wconversion -Werror -o "$mine/targets/mine/client" "$examples/robot.$1" "${flags[@]}"
}
interprets() { sed '1s,.*,#!/usr/bin/env python3,' "$examples/robot.py" >"$mine/targets/mine/client" && chmod +x "$mine/targets/mine/client"; }
printf '%s\n' 'name: client' 'claim: A client leads arms, neck and hand in every mode, reads them, and walks.' 'target: mine' 'duration_s: 60' \
    'watch_s: 2' 'operator: {program: client}' 'must_complete: true' 'asked: walk' >"$mine/scenarios/client.yaml"
leads() { # prints the history's hash
    run env UKEMI_PATH="$mine" "$installed" run "$mine/scenarios/client.yaml" --seed 1
    answered 0 'neck 0.27 rad, finger 0.20 rad, feet 4[01][0-9] N, roll -?0.00 rad, 48 V, standing' '^PASS$'
}
claim "the client library's example is built from what was installed" compiles c gcc -std=c17
claim "... and leads the robot through a trial" leads
led=$(history_of)
same() { leads && [ "$(history_of)" = "$led" ]; }
claim_with g++ "builds the same of the C++ class" compiles cpp g++ -std=c++11
at_night "with the same history" same
claim "the same of the Python class" interprets
at_night "... has the same history" same

# ---- pages ----------------------------------------------------------------------------------------
pages=$prefix/share/doc/ukemi
dangling() { # links of pages to what was not installed
    find "$pages" -name '*.md' | while read -r page; do
        sed '/^```/,/^```/d' "$page" | grep -oE '\]\([^) ]+\)|(src|href)="[^"]+"' | sed -E 's/^[^("]*[("]//; s/[)"]$//; s/#.*//' | grep -vE '^$|^[a-z]+:' |
            while read -r link; do [ -e "${page%/*}/$link" ] || echo "${page#"$pages"/} -> $link"; done
    done
}
none_dangles() { ! dangling | grep .; }
links=$(find "$pages" -name '*.md' -exec grep -hoE '\]\([a-z./]' {} + | wc -l)
claim "every page that an installed page links to is there, too" none_dangles
claim "... of hundreds of links" test "$links" -gt 200
claim "each man page is there, by a name of the lab's" diff <(ls doc/man | sed '/^ukemi[.]1$/!s/^/ukemi-/' | sort) <(ls "$prefix/share/man/man1" | sort)
claim "and what they refer to is" diff <(grep -hE '^[.]Xr .* 1' "$prefix"/share/man/man1/*.1 | awk '{print $2 "." $3}' | sort -u) \
    <(grep -hE '^[.]Xr .* 1' "$prefix"/share/man/man1/*.1 | awk '{print $2 "." $3}' | sort -u | while read -r page; do [ ! -e "$prefix/share/man/man1/$page" ] || echo "$page"; done)

# ---- Debian packages ------------------------------------------------------------------------------
packages() { make -s --no-print-directory deb BUILD="$build" && cp "$BUILD"/deb/*.deb "$folder/"; }
if command -v dpkg-gensymbols >/dev/null; then
    claim "make deb makes three packages" packages
    [ -z "${LONG:-}" ] || claim_with lintian "has nothing to say of them" eval "[ -z \"\$(lintian --fail-on error,warning '$folder'/*.deb 2>/dev/null)\" ]"
    for package in "$folder"/*.deb; do dpkg -x "$package" "$folder/debian"; done
    cat >"$folder/inside" <<END
mount -t overlay overlay -o lowerdir=$folder/debian/usr:/usr /usr || exit 9
cd $folder/home && rm -rf cart && HOME=\$PWD PATH=/usr/bin:/bin exec ${user[@]} sh -euc 'ukemi new cart && cd cart && make && ukemi run controller-killed --seed 3'
END
    claim="unpacked over /usr they are a lab that an ordinary user makes a target with"
    if [ "$(id -u)" -eq 0 ] && may_isolate && unshare --mount mount -t overlay overlay -o "lowerdir=$folder/debian/usr:/usr" /usr 2>/dev/null; then
        run unshare --mount sh "$folder/inside"
        claim "$claim" answered 0 '^PASS$'
    else
        skip "$claim" "no root, namespaces of users or overlays here"
    fi
else
    skip "make deb makes three packages" "not installed: dpkg-dev"
fi

# ---- and gone again -------------------------------------------------------------------------------
touch "$prefix/lib/other.so"
claim "make uninstall takes all of it away" make_it uninstall
left() { find "$root" ! -type d; }
claim "and nothing else" test "$(left)" = "$prefix/lib/other.so"
plan
