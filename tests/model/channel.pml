// SPIN model of src/channel: the same algorithm, one step for every access to shared memory and every system call.
// doc/reference/channels.md, "Model", says what was found; tests/model/run runs it within the bounds of channel.conf.
//
// A step is one arm of an `if` whose other arm is KILLED; comments "put.c f", "get.c f" name the function that it mirrors.
// Killed: any process before any of its steps, KILLS times in all. Then the kernel marks the slot that it owns, the
//   supervisor reaps it and kicks the channel, and a new process goes on: a writer with the remaining puts, a reader as a fresh one.
// Stopped: SPIN runs the processes in every order, and one that is not run for a while, or never again, is a stopped one. No
//   fairness is assumed, so all states in which any of the others are stopped for ever are among those that are checked.
// Memory is sequentially consistent, as everything in SPIN; doc/reference/channels.md argues for what the code really has.

#ifndef W
#define W 2 // writers
#endif
#ifndef R
#define R 1 // readers
#endif
#ifndef S
#define S 3 // slots, at most 7
#endif
#ifndef P
#define P 2 // puts begun by each writer, those killed in the middle included
#endif
#ifndef KILLS
#define KILLS 1
#endif
#ifndef START
#define START 0 // frames published one after the other before all begins (at most S)
#endif
#ifndef WORDS
#define WORDS 2 // of a frame, each written and read by itself; size_B and time_ns are such words too
#endif
#define NEWEST 1
#define NEXT 2
#define LAST 4
#ifndef GETS
#define GETS NEXT + NEWEST // what a reader may ask for, each time anew
#endif
#ifndef SEE
#define SEE 0
#endif
// -DANY_SLOT    a writer tries the slots in any order, not the oldest first: all that the code can do and more, in fewer steps. I8
//               does not hold then and is not asked for.
// -DNO_READERS  what writers do does not depend on readers, which write nothing (I10): I2, I4, I6, I7, I8 within larger bounds.
// -DLAX         the re-check after CLAIM_PASSES_STRICT passes: I8 does not hold then, all others do.
// -DTIMEOUT     a sleeper wakes by itself after a while (clock.c wait_wall: 100 ms), and nobody kicks.
//
// Mutants, each with one thing left out or changed, all of them below as #ifdef: NO_RECHECK, NO_INVALIDATION, NO_PENDING,
// DEAD_IS_BUSY, NEWEST_SLOT, PLAIN_STORE, NO_RENUMBER, SWAP_BEFORE_NUMBER, WAKE_BEFORE_SWAP, NO_KICK, SLEEP_WITHOUT_COMPARE, SEARCH,
// TRUST_LABEL, NO_SECOND_LOOK, CONSUME_AT_LOOK, NO_END_OF_WALK, WALK_BLINDLY, TURN_BLINDLY.
//
// Witnesses: -DSEE=x claims that x never happens, which must be refuted.
#define RENUMBERED 1      // a swap failed
#define REFUSED 2         // the re-check after the lock found that the head had moved
#define PASS_FAILED 3     // all slots were refused and looked through again
#define REUSED_DEAD 4     // a dead writer's slot was claimed
#define DIED_OWING_WAKE 5 // a writer was killed between swap and wake while a reader slept
#define OVERTAKEN 6       // a get started again
#define MISSED 7          // a get delivered with missed > 0
#define WALKED 8          // a NEXT delivered a frame that is not the head's
#define IN_TURN 9         // a slot was chosen by one look
#define STALE_COPY 10     // a copy was thrown away
#define WITNESS(x) assert(seen || SEE != x)

// ---- shared memory: layout.h --------------------------------------------------------------------------------------------------
#define NUMBER(place) ((place) >> 3)
#define SLOT(place) ((place) & 7)
#define PLACE(number, slot) ((number) << 3 | (slot)) // at most 31 frames

byte head;
byte owner[S]; // FREE, DEAD, or 1 + its owner
byte number[S];
byte previous[S];
byte word[S * WORDS];

#define FREE 0
#define DEAD (W + 1) // its owner died holding it: FUTEX_OWNER_DIED
#define NONE 7       // no slot

// ---- the kernel's ---------------------------------------------------------------------------------------------------------------
bool asleep[R];       // readers in the futex queue of head
byte kills = KILLS;

// ---- a reader's own: struct channel; here so that the proof can see it -------------------------------------------------------
byte last[R];

// ---- the proof's: nothing of this decides a step --------------------------------------------------------------------------------
byte published[START + W * P + 1]; // by number: the tag of the frame that a swap published under it; 0: none; GONE: overwritten since
bool owes_wake[W];                 // between swap and wake, also if killed there, until kicked
byte pass[W];                      // 0: not in a pass over the slots; 1: in one; 2: in one, and a slot was released meanwhile
byte paid[R];                      // 0: not in a get; else 1 + slots invalidated during it and not yet used as an excuse
byte told[R];                      // sum of the frames delivered and reported as missed, and those before the first one
bool stale[S];                     // left without a published frame by one that was killed, and not written since
byte finished;                     // writers that have made all their puts
hidden byte x, y, z, gone;         // scratch, within one step

// Names of assertions, always 0. SPIN prints the text of an assertion that is violated, so its name is in it.
hidden byte I1_whole_and_under_its_number;
hidden byte I2_slot_of_head_not_written;
hidden byte I3_numbers_increase_missed_counted;
hidden byte I4_contiguous_and_once;
hidden byte I5_no_sleeper_while_newer;
hidden byte I6_put_completes;
hidden byte I7_no_slot_lost;
hidden byte I8_latest_readable;
hidden byte I9_retries_paid_by_puts;
hidden byte seen;

#define GONE 255

#define KILLED atomic { kills > 0 -> kills--; goto dead }

// I2 "the slot named by head is never written": before every write to slot s.
#define WRITING(s) assert(I2_slot_of_head_not_written || head == 0 || SLOT(head) != s)

// I5 "no reader sleeps while a newer frame exists, unless a writer was killed between swap and wake and nobody has kicked yet", or is
// just between them. Looked at whenever this excuse ends (unlock, reaping) and when a reader falls asleep: nothing else can break it.
inline check_sleepers()
{
    d_step {
        y = 0;
        for (x : 0 .. W - 1) {
            y = y + owes_wake[x]
        }
        for (x : 0 .. R - 1) {
            assert(I5_no_sleeper_while_newer || !asleep[x] || head == last[x] || y > 0)
        }
        x = 0
    }
}

// I8 "with W writers at least S-W of the latest frames are readable in order": from head back along previous. Looked at after every
// store to number and every swap. One less for each stale slot: if its number was stored but never published, others may be used up
// before it (-DSTRICT_I8 does not make this exception, and fails).
inline check_readable()
{
#ifdef ANY_SLOT
    skip
#else
    d_step {
        y = 0;
#ifndef STRICT_I8
        for (x : 0 .. S - 1) {
            y = y + stale[x]
        }
#endif
        gone = y;
        y = 0;
        x = head;
        do
        :: x != 0 && number[SLOT(x)] == NUMBER(x) && (y == 0 || NUMBER(x) + 1 == NUMBER(z)) ->
            y++;
            z = x;
            x = previous[SLOT(x)]
        :: else -> break
        od;
        assert(I8_latest_readable || y + gone >= S - W || y >= NUMBER(head))
    }
#endif
}

// A slot has become available: whoever is in a pass over the slots may have found it busy before.
inline released()
{
    d_step {
        for (x : 0 .. W - 1) {
            pass[x] = (pass[x] == 1 -> 2 : pass[x])
        }
        x = 0
    }
}

inline wake_all()
{
    d_step {
        for (x : 0 .. R - 1) {
            asleep[x] = 0
        }
        x = 0
    }
}

// owner.c owner_release
inline unlock(s)
{
    owner[s] = FREE;
    released()
}

// ---- a writer: put.c ------------------------------------------------------------------------------------------------------------
#define TAG (1 + START + me * P + begun)
#define HEAD_SLOT(place) (place == 0 -> NONE : SLOT(place))
#define AGE(s) (number[s] > NUMBER(place) -> 0 : number[s]) // a number above the head's was never published
#define TURN(place) ((SLOT(place) + 1) % S)
#define IS_REFUSED(s) ((refused >> (s)) & 1)

// oldest_slot: the next slot that it looks at, from s on
inline next_candidate(s)
{
    do
    :: s < S && (s == HEAD_SLOT(place) || IS_REFUSED(s)) -> s++
    :: else -> break
    od
}

// I7 "a writer owns at most one slot"
inline own()
{
    d_step {
        for (x : 0 .. S - 1) {
            assert(I7_no_slot_lost || owner[x] != 1 + me)
        }
        owner[best] = 1 + me
    }
}

// mine, in_turn: struct channel: put_last, in_turn (which is counted up to what slot_in_turn asks for)
proctype writer(byte me; byte mine; byte in_turn)
{
    byte begun;       // puts, in the life of all processes that were this writer
    byte refused;     // put.c claim_slot: slots tried in vain in this pass, a bit each
    byte place;       // put.c claim_slot and publish: `head`
    byte best = NONE; // the slot chosen, then owned
    byte oldest;      // put.c oldest_slot: the age of best
    byte i;

claim: // put.c claim_slot: a pass; here until a slot is owned, there CLAIM_PASSES_MAX times
    if
    :: atomic {
        place = head;
        pass[me] = 1;
        next_candidate(i);
#ifndef ANY_SLOT
        if
#ifdef TURN_BLINDLY
        :: place != 0 -> goto turn
#else
        :: place != 0 && place == mine && in_turn >= S - 1 -> goto turn
#endif
        :: else -> goto scan
        fi
#endif
    }
    :: KILLED
    fi;
#ifndef ANY_SLOT
turn:
    if
    :: atomic { // put.c slot_in_turn: one load of number[]
        if
#ifdef TURN_BLINDLY
        :: true ->
#else
        :: number[TURN(place)] > 0 && number[TURN(place)] + S - 1 == NUMBER(place) ->
#endif
            WITNESS(IN_TURN);
            best = TURN(place);
            i = S
        :: else
        fi
    }
    :: KILLED
    fi;
#endif
scan:
    if
    :: atomic { // put.c oldest_slot: one load of number[]
        i < S ->
#ifdef ANY_SLOT
        do
        :: i < S ->
            if
            :: best != NONE
            :: best = i
            fi;
            i++;
            next_candidate(i)
        :: else -> break
        od;
#else
        if
#ifdef NEWEST_SLOT
        :: best == NONE || AGE(i) > oldest ->
#else
        :: best == NONE || AGE(i) < oldest ->
#endif
            best = i;
            oldest = AGE(i)
        :: else
        fi;
        i++;
        next_candidate(i);
#endif
        goto scan
    }
    :: atomic { // put.c claim_slot: `best < 0`, the pass is over
        i == S && best == NONE ->
        // I6 "a put by a live writer completes whatever state the other writers are in (S >= W+1)": a pass fails only if during it
        // somebody else released a slot (or, at refused_after_lock, published): with the others at rest in any state the next succeeds.
        WITNESS(PASS_FAILED);
        assert(I6_put_completes || pass[me] == 2);
        refused = 0;
        i = 0;
        goto claim
    }
    :: atomic { // owner.c owner_try: compare-and-swap
        i == S && best != NONE ->
        i = 0;
        if
        :: owner[best] == FREE -> own()
#ifndef DEAD_IS_BUSY
        :: owner[best] == DEAD ->
            WITNESS(REUSED_DEAD);
            own()
#endif
        :: else ->
            // I7 "a dead owner's slot can be claimed at once; no slot is ever lost": only a live owner refuses.
            assert(I7_no_slot_lost || (owner[best] >= 1 && owner[best] <= W));
            refused = refused | (1 << best);
            best = NONE;
            oldest = 0;
            next_candidate(i);
            goto scan
        fi
    }
    :: KILLED
    fi;
#ifndef NO_RECHECK
    if
    :: atomic { // put.c claim_slot: the head must still be the same
        if
#ifdef LAX
        :: best == HEAD_SLOT(head) -> goto refused_after_lock
#else
        :: head != place -> goto refused_after_lock
#endif
        :: else
        fi
    }
    :: KILLED
    fi;
#endif
    if
    :: atomic { // put.c open_slot: number = 0, fence
        pass[me] = 0;
        refused = 0;
        oldest = 0;
        place = 0;
        WRITING(best);
        published[number[best]] = (published[number[best]] == word[best * WORDS] -> GONE : published[number[best]]);
#ifndef NO_INVALIDATION
        number[best] = 0;
#endif
        stale[best] = 0;
        d_step {
            for (x : 0 .. R - 1) {
                paid[x] = (paid[x] == 0 -> 0 : paid[x] + 1)
            }
            x = 0
        }
        check_readable()
    }
    :: KILLED
    fi;
copying:
    if
    :: atomic { // put.c channel_put: copy_in, size_B, time_ns
        WRITING(best);
        word[best * WORDS + i] = TAG;
        i++;
        if
        :: i < WORDS -> goto copying
        :: else -> i = 0
        fi
    }
    :: KILLED
    fi;
#ifdef WAKE_BEFORE_SWAP
    if
    :: atomic { wake_all() }
    :: KILLED
    fi;
#endif
    if
    :: atomic { // put.c publish: the first load of head
        place = head
    }
    :: KILLED
    fi;
number_it:
    if
    :: atomic { // put.c publish: previous = head
        WRITING(best);
        previous[best] = place
    }
    :: KILLED
    fi;
#ifndef SWAP_BEFORE_NUMBER
    if
    :: atomic { // put.c publish: number = head's + 1
        WRITING(best);
        number[best] = NUMBER(place) + 1;
        check_readable()
    }
    :: KILLED
    fi;
#endif
swap:
    if
    :: atomic { // put.c publish: compare-and-swap (a spurious failure would only repeat the two stores above)
        if
#ifndef PLAIN_STORE
        :: head != place -> // then another writer has published: lock-free, I6
            WITNESS(RENUMBERED);
            assert(I6_put_completes || NUMBER(head) > NUMBER(place));
            place = head;
#ifdef NO_RENUMBER
            goto swap
#else
            goto number_it
#endif
#endif
        :: else ->
#ifdef NO_RENUMBER
            head = PLACE(number[best], best);
#else
            head = PLACE(NUMBER(place) + 1, best);
#endif
            // I4 "numbers are contiguous, each published once"
            assert(I4_contiguous_and_once || (published[NUMBER(head)] == 0 && (NUMBER(head) == 1 || published[NUMBER(head) - 1] != 0)));
            published[NUMBER(head)] = TAG;
            owes_wake[me] = 1;
            in_turn = (place != 0 && place == mine && best == TURN(place) -> (in_turn < S - 1 -> in_turn + 1 : in_turn) : 1); // put.c note_turn
            mine = head;
            place = 0
        fi;
        check_readable()
    }
    :: KILLED
    fi;
#ifdef SWAP_BEFORE_NUMBER
    if
    :: atomic {
        WRITING(best);
        number[best] = NUMBER(head)
    }
    :: KILLED
    fi;
#endif
#ifndef WAKE_BEFORE_SWAP
    if
    :: atomic { // put.c wake: futex_wake
        wake_all();
        owes_wake[me] = 0
    }
    :: KILLED
    fi;
#endif
    if
    :: atomic { // put.c channel_put: owner_release
        unlock(best);
        owes_wake[me] = 0;
        check_sleepers();
        best = NONE;
        begun++;
        if
        :: begun < P -> goto claim
        :: else -> finished++; goto end
        fi
    }
    :: KILLED
    fi;


refused_after_lock:
    if
    :: atomic { // put.c claim_slot: owner_release
        WITNESS(REFUSED);
        unlock(best);
        refused = 0;
        best = NONE;
        oldest = 0;
        goto claim
    }
    :: KILLED
    fi;

dead:
    atomic { // the kernel: exit_robust_list
        d_step {
            for (x : 0 .. S - 1) {
                stale[x] = (owner[x] == 1 + me && (number[x] == 0 || published[number[x]] != word[x * WORDS]) -> 1 : stale[x]);
#ifndef NO_PENDING
                owner[x] = (owner[x] == 1 + me -> DEAD : owner[x])
#endif
            }
            for (x : 0 .. R - 1) {
                assert(seen || SEE != DIED_OWING_WAKE || !asleep[x] || !owes_wake[me])
            }
            x = 0
        }
        released();
        pass[me] = 0;
        refused = 0;
        best = NONE;
        oldest = 0;
        place = 0;
        i = 0;
        mine = 0;
        in_turn = 0;
        begun++
    }
    atomic { // the supervisor reaps it: channel_kick
#ifndef NO_KICK
        wake_all();
#endif
#ifndef TIMEOUT
        owes_wake[me] = 0;
#endif
        check_sleepers();
        if
        :: begun < P -> goto claim // restarted
        :: else -> finished++
        fi
    };

end:
    skip
}

// ---- a reader: get.c ------------------------------------------------------------------------------------------------------------
// I10 "readers' mapping is never written": by construction. Below, nothing but the reader's own, the kernel's (asleep) and the proof's
// variables stands on the left of an assignment.
inline overtaken()
{
    // I9 "retries of a get are bounded by the puts that happened meanwhile": each is paid by one invalidation during this get.
    WITNESS(OVERTAKEN);
    assert(I9_retries_paid_by_puts || paid[me] > 1);
    paid[me]--;
    place = 0;
    before = 0;
    seen_head = 0
}

inline clear_copy()
{
    d_step {
        for (x : 0 .. WORDS - 1) {
            copy[x] = 0
        }
        x = 0
    }
}

#ifdef CONSUME_AT_LOOK
#define READ_BEFORE was
#else
#define READ_BEFORE last[me]
#endif

// The frame at place, read word by word, is accepted: get.c take.
inline consume()
{
    // I1 "an accepted get is not torn, and is the frame published under that number"
    d_step {
        for (x : 0 .. WORDS - 1) {
            assert(I1_whole_and_under_its_number || (copy[x] == copy[0] &&
                (copy[x] == published[NUMBER(place)] || published[NUMBER(place)] == GONE)))
        }
        x = 0
    }
    clear_copy();
    // I3 "numbers a reader accepts strictly increase; a skipped number is reported as missed" (LAST may repeat a number)
    assert(I3_numbers_increase_missed_counted || NUMBER(place) > NUMBER(READ_BEFORE) || (which == LAST && place == READ_BEFORE));
    y = (READ_BEFORE == 0 -> at_open : NUMBER(READ_BEFORE)); // get.c passed_over
    z = (NUMBER(place) <= y -> 0 : NUMBER(place) - y - 1); // missed
    told[me] = (READ_BEFORE == 0 && NUMBER(place) <= at_open -> NUMBER(place) : (place == READ_BEFORE -> told[me] : told[me] + z + 1));
    assert(I3_numbers_increase_missed_counted || told[me] == NUMBER(place));
    assert(seen || SEE != MISSED || z == 0);
    assert(seen || SEE != WALKED || place == seen_head);
    last[me] = place;
    at_open = 0; // not used any more
    paid[me] = 0;
    place = 0;
    before = 0;
    seen_head = 0;
    which = 0
}

#ifdef NO_END_OF_WALK
#define END_OF_WALK false
#else
#define END_OF_WALK (NUMBER(place) == NUMBER(last[me]) + 1) // get.c oldest_unread
#endif

proctype reader(byte me)
{
    byte at_open;   // struct channel: number_at_open
    byte which;     // 0: no get has begun
    byte seen_head; // get.c channel_get: `head`
    byte place;
    byte before;    // get.c held_before: `previous`
    byte copy[WORDS];
    byte i;
#ifdef CONSUME_AT_LOOK
    byte was;
#endif

open:
    if
    :: atomic { // file.c map_file
        at_open = NUMBER(head);
        told[me] = at_open
    }
    :: KILLED
    fi;
get:
    if
    :: atomic { // get.c try_to_look: load head
        if
        :: which == 0 && (GETS) & NEWEST -> which = NEWEST
        :: which == 0 && (GETS) & NEXT -> which = NEXT
        :: which == 0 && (GETS) & LAST -> which = LAST
        :: which != 0
        fi;
        paid[me] = (paid[me] == 0 -> 1 : paid[me]);
#ifdef SEARCH
        seen_head = last[me];
        for (x : 0 .. S - 1) {
            seen_head = (number[x] > NUMBER(seen_head) -> PLACE(number[x], x) : seen_head)
        }
#else
        seen_head = head;
#endif
        if
        :: seen_head == 0 || (seen_head == last[me] && which != LAST) -> // EMPTY
            which = 0;
            paid[me] = 0;
            seen_head = 0;
            goto sleep
        :: else ->
            // Else the look would say CORRUPT.
            assert(I3_numbers_increase_missed_counted || NUMBER(seen_head) >= NUMBER(last[me]));
            place = seen_head;
            if
            :: which != NEXT || END_OF_WALK -> goto describe
            :: else
            fi
        fi
    }
    :: KILLED
    fi;
walk: // get.c oldest_unread; at most S - 1 times, since numbers fall
    if
    :: before = previous[SLOT(place)] // get.c held_before: load previous
    :: KILLED
    fi;
    if
    :: atomic { // get.c held_before: holds(place)
        if
        :: number[SLOT(place)] != NUMBER(place) || before == 0 || NUMBER(before) + 1 != NUMBER(place) ->
            before = 0;
            goto describe
        :: else
        fi
    }
    :: KILLED
    fi;
    if
    :: atomic { // get.c held_before: holds(previous)
        if
#ifndef WALK_BLINDLY
        :: number[SLOT(before)] != NUMBER(before) ->
            before = 0;
            goto describe
#endif
        :: else ->
            place = before;
            before = 0;
            if
            :: END_OF_WALK -> goto describe
            :: else -> goto walk
            fi
        fi
    }
    :: KILLED
    fi;
describe:
    if
    :: atomic { // get.c describe: holds(place)
        if
        :: number[SLOT(place)] != NUMBER(place) -> goto again
        :: else -> i = WORDS - 1
        fi
    }
    :: KILLED
    fi;
    if
    :: atomic { // get.c describe: size_B, time_ns: what a put writes last is read first
        copy[i] = word[SLOT(place) * WORDS + i]
    }
    :: KILLED
    fi;
    if
    :: atomic { // get.c describe: still_holds(place)
        if
#ifndef TRUST_LABEL
        :: number[SLOT(place)] != NUMBER(place) ->
            clear_copy();
            goto again
#endif
        :: else ->
            // I1 for size and time, which a get relies on at once
            assert(I1_whole_and_under_its_number || copy[i] == published[NUMBER(place)]);
#ifdef CONSUME_AT_LOOK
            was = last[me];
            last[me] = place;
#endif
            skip
        fi
    }
    :: KILLED
    fi;
using:
    if
    :: atomic { // get.c copy_out
        i > 0 ->
        i--;
        copy[i] = word[SLOT(place) * WORDS + i];
        goto using
    }
    :: atomic { // get.c take: still_holds(place)
        i == 0 ->
        if
#ifndef NO_SECOND_LOOK
        :: number[SLOT(place)] != NUMBER(place) ->
            WITNESS(STALE_COPY);
            clear_copy();
            overtaken();
            goto get
#endif
        :: else ->
            consume();
            goto get
        fi
    }
    :: KILLED
    fi;

again:
    if
    :: atomic { // get.c try_to_look: overtaken at the head, load head
        place == seen_head ->
        // Else the look would say CORRUPT: the newest frame is not in its slot.
        assert(I2_slot_of_head_not_written || head != seen_head);
        overtaken();
        goto get
    }
    :: atomic {
        place != seen_head ->
        overtaken();
        goto get
    }
    :: KILLED
    fi;

sleep:
    if
    :: atomic { // the kernel: the futex call compares and sleeps in one. (clock.c any_changed looks before; that decides nothing)
        if
#ifndef SLEEP_WITHOUT_COMPARE
        :: head != last[me] -> goto get
#endif
        :: else ->
            asleep[me] = 1;
            check_sleepers()
        fi
    }
    :: KILLED
    fi;
    // I5 once more: whoever sleeps while all writers are through and something is unread, sleeps for ever. SPIN reports an invalid end
    // state.
    if
    :: !asleep[me] -> goto get
#ifdef TIMEOUT
    :: atomic { asleep[me] && head != last[me] -> asleep[me] = 0; goto get }
#endif
    :: finished == W && head == last[me] -> goto end
    :: KILLED
    fi;

dead:
    atomic { // the kernel takes it out of the queue; a new process opens the channel
        asleep[me] = 0;
        last[me] = 0;
        paid[me] = 0;
        told[me] = 0;
        at_open = 0;
        which = 0;
        seen_head = 0;
        place = 0;
        before = 0;
        i = 0;
        clear_copy();
        goto open
    };

end:
    skip
}

init
{
    atomic {
        z = 1;
        do
        :: z <= START -> // tags 1 .. START, in slots 0 ..
            number[z - 1] = z;
            previous[z - 1] = (z == 1 -> 0 : PLACE(z - 1, z - 2));
            for (y : 0 .. WORDS - 1) {
                word[(z - 1) * WORDS + y] = z
            }
            published[z] = z;
            head = PLACE(z, z - 1);
            z++
        :: else -> break
        od;
#ifndef NO_READERS
        for (x : 0 .. R - 1) {
            run reader(x)
        }
#endif
        for (y : 0 .. W - 1) {
            run writer(y, (y == 0 -> head : 0), (y == 0 && START > 0 -> (START < S - 1 -> START : S - 1) : 0)) // what is there is of the first
        }
    }
}
