// SPIN model of the routes of src/ethernet (relay.c, forward.c) with redundancy "switch": one frame in a ring of N relays on a hub, while
// cables break and are repaired whenever they like. doc/reference/ethernet.md, "Redundancy".
//
// bounded: however the cables change, the frame is gone after so many hops. reaches: with at most one cable broken from the beginning, and
// none that changes, it comes to its receiver. A relay has no memory of frames; all that is known of the way is in the frame.

#ifndef N
#define N 3 // relays; the hub is number 0
#endif
#ifndef FLIPS
#define FLIPS 0 // 1: cables change at any time
#endif
#define HOPS (4 * (N + 1))

hidden byte bounded, reaches;

bool broken[N + 1]; // cable i is between i and i + 1, the last between N and the hub
byte at, src, dst, turns, passes, hops, breaks;
bool up;      // it goes towards higher numbers
bool gone, taken, flipped;

inline gone_unless_allowed() {
    gone = true;
    assert(reaches || breaks > 1 || flipped)
}
#define AHEAD(where, way) ((way) -> (where) : ((where) + N) % (N + 1)) // the cable in this direction

inline at_relay() {
    if
    :: at == dst -> taken = true
    :: at != dst && at == src && (turns == 0 || broken[AHEAD(at, up)]) -> gone_unless_allowed()
    :: at != dst && !(at == src && (turns == 0 || broken[AHEAD(at, up)])) ->
        if
        :: !broken[AHEAD(at, up)]
#ifdef MANY_TURNS
        :: broken[AHEAD(at, up)] && !broken[AHEAD(at, !up)] -> turns = 1; up = !up
        :: broken[AHEAD(at, up)] && broken[AHEAD(at, !up)] -> gone_unless_allowed()
#else
        :: broken[AHEAD(at, up)] && turns == 0 && !broken[AHEAD(at, !up)] -> turns = 1; up = !up
        :: broken[AHEAD(at, up)] && (turns > 0 || broken[AHEAD(at, !up)]) -> gone_unless_allowed()
#endif
        fi
    fi
}

inline at_hub() {
    if
    :: dst == 0 -> taken = true
#ifndef MANY_PASSES
    :: dst != 0 && (passes > 1 || (passes == 1 && turns == 0)) -> gone_unless_allowed()
    :: dst != 0 && !(passes > 1 || (passes == 1 && turns == 0)) ->
#else
    :: dst != 0 ->
#endif
        if
        :: !broken[AHEAD(0, up)] -> turns = (passes > 0 -> 1 : 0)
        :: broken[AHEAD(0, up)] -> turns = 1; up = !up
        fi;
#ifdef MANY_PASSES
        turns = 0
#else
        passes++
#endif
    fi
}

active proctype frame() {
    byte i;
    atomic {
        select(src : 0 .. N);
        select(dst : 0 .. N);
        if :: src == dst -> gone = true :: else fi;
        for (i : 0 .. N) {
            if :: broken[i] = true; breaks++ :: skip fi
        }
        at = src;
        if
        :: src == 0 -> passes = 1; if :: up = true :: up = false fi; // where it was heard last
            if :: broken[AHEAD(0, up)] -> up = !up :: else fi
        :: src != 0 -> up = broken[AHEAD(src, false)]
        fi
    }
    do
    :: gone || taken -> break
    :: !gone && !taken && FLIPS -> atomic { select(i : 0 .. N); broken[i] = !broken[i]; flipped = true }
    :: !gone && !taken ->
        atomic {
            if
            :: broken[AHEAD(at, up)] -> gone_unless_allowed()
            :: else ->
                at = (up -> (at + 1) % (N + 1) : (at + N) % (N + 1));
                hops++;
                assert(bounded || hops <= HOPS);
                if :: at == 0 -> at_hub() :: else -> at_relay() fi
            fi
        }
    od
}
