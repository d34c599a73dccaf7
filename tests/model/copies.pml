// SPIN model of the second copies of redundancy "seamless" (eth_is_copy in src/ethernet/relay.c): each frame goes both ways round the ring,
// each way at a pace of its own; one way is cut once, with all that is under way in it, and repaired, whenever they like.
//
// once: no frame is taken twice. all: every frame is taken, at the cut and at the repair, too. Numbers go round several times. Silence, after
// which a source begins anew, is not modelled.

#ifndef SENDS
#define SENDS 18
#endif
#ifndef LAG
#define LAG 4 // frames that one way may hold while the other brings them at once
#endif
#define M 8 // sequence numbers
#define W 4 // that are remembered

hidden byte once, all;

chan way[2] = [LAG] of { byte };
byte sent, taken[SENDS];
bool cut[2];
byte newest, seen;
bool heard;

inline look(sequence) { // says in `copy` what eth_is_copy says
#ifdef UNSIGNED
    ahead = (sequence + M - newest) % M;
#else
    ahead = (sequence + M + M / 2 - newest) % M - M / 2;
#endif
    if
    :: !heard || ahead <= -W -> heard = true; newest = sequence; seen = 1; copy = false
    :: heard && ahead > 0 -> seen = (ahead >= W -> 1 : (seen << ahead | 1) & ((1 << W) - 1)); newest = sequence; copy = false
    :: heard && ahead <= 0 && ahead > -W -> copy = (seen >> -ahead) & 1; seen = seen | 1 << -ahead
    fi
#ifdef TRUSTING
    copy = false
#endif
}

active proctype source() {
    do
    :: sent == SENDS -> break
    :: sent < SENDS && (cut[0] || nfull(way[0])) && (cut[1] || nfull(way[1])) ->
        atomic {
            if :: !cut[0] -> way[0]!sent :: cut[0] -> skip fi;
            if :: !cut[1] -> way[1]!sent :: cut[1] -> skip fi;
            sent++
        }
    od
}

active proctype cable() {
    byte w, lost;
    atomic {
        select(w : 0 .. 1);
        cut[w] = true;
        do :: way[w]?lost :: empty(way[w]) -> break od;
        lost = 0
    }
#ifdef BOTH
    atomic {
        cut[1 - w] = true;
        do :: way[1 - w]?lost :: empty(way[1 - w]) -> break od;
        cut[1 - w] = false
    }
#endif
    cut[w] = false
}

active proctype sink() {
    byte id, i;
    short ahead;
    bool copy;
    do
    :: atomic {
        if :: way[0]?id :: way[1]?id fi;
        look(id % M);
        if
        :: !copy -> taken[id]++; assert(once || taken[id] == 1)
        :: copy -> skip
        fi;
        id = 0; ahead = 0
      }
    :: atomic {
        sent == SENDS && empty(way[0]) && empty(way[1]) ->
        for (i : 0 .. SENDS - 1) { assert(all || taken[i] == 1) }
        break
      }
    od
}
