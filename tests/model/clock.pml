/* The clock's grant protocol (src/clock; doc/reference/clock.md): one scheduler, N participants, of which the first is a follower. Participants are
 * killed and stopped at every step, continued and restarted by the lab between two runs; the scheduler dies at every step.
 *
 * One step is one access to shared memory or one system call. Left out: the grant limit (a participant here computes for a bounded
 * number of steps), weak memory (turn is stored with release and loaded with acquire), the wall mode, and time-outs that find nothing
 * to report. Futex waits compare and fall asleep in one step, as the kernel does; a stopped process is out of the futex's queue and
 * compares again when it is continued.
 *
 * Bounds: N participants, times 0..T, KILLS, STOPS, STARTS (restarts), PUTS of the one word all may wait for, EXECS (programs that a
 * participant executes in its place).
 * Switches: NO_POLL (no supervisor: the scheduler sees deaths by itself), SDEATH (the scheduler dies), NO_NAMESPACE (it is no init),
 * THREAD (who leaves is a thread: its process lives on).
 * Mutants: TURN_ONLY, NO_WAITERS, NEVER_POLL, RESET_STOPPED, LEAVE_TURN_FIRST, LATE_DEADLINE, BLIND_SLEEP, KEEP_ADMITTED,
 * FOLLOWER_LATE, SKIP_CONTINUED, STALE_TURN, UNLOCK_FIRST. Witnesses: SEE=name of what happens.
 */
#ifndef N
#define N 2
#endif
#ifndef T
#define T 1
#endif
#ifndef KILLS
#define KILLS 1
#endif
#ifndef STOPS
#define STOPS 1
#endif
#ifndef STARTS
#define STARTS 1
#endif
#ifndef PUTS
#define PUTS 1
#endif
#ifndef EXECS
#define EXECS 0
#endif
#if defined(LEAVE_TURN_FIRST) || defined(THREAD) && !defined(UNLOCK_FIRST)
#define GIVES_TURN_FIRST
#endif
#define NEVER (T + 1)
#define NOBODY N

/* What must not happen; the names are printed. They stay 0. */
hidden byte hang;                /* the scheduler waits for ever */
hidden byte lost_wake;           /* a participant sleeps although it has been granted */
hidden byte forgotten;           /* all is done, but somebody was due */
hidden byte two_running;         /* somebody is granted while another one runs in its turn */
hidden byte time_passed;         /* time moves past the deadline of somebody who could run */
hidden byte stale_world;         /* somebody runs at an instant to which the follower has not been brought */
hidden byte death_noticed_late;  /* a death is found by polling, not by the robust word */
hidden byte return_noticed_late; /* so is a turn given back */
hidden byte reset_while_held;    /* the alive word is reset while a living process holds it */
hidden byte uninvited;           /* a process runs that has not been awaited */
hidden byte taken_for_dead;      /* one who executes a program, or a thread that leaves, is held for dead */
hidden byte orphan;              /* the scheduler is dead and a participant lives */
hidden byte seen_it;

#ifdef SEE
#define witness(what, condition) assert(seen_it || !((SEE) == (what) && (condition)))
#else
#define witness(what, condition) skip
#endif
#define DIED_OWING_WAKE 1 /* between giving the turn back and the wake */
#define DIED_UNLOCKED 2   /* between unlocking alive and giving the turn up, in leaving */
#define CONTINUED_IN_TURN 3
#define RESTARTED_RAN 4
#define GRANTED_DEAD 5    /* one who is dead is granted */
#define TOLD 6            /* granted because of the word */
#define AWAIT_GAVE_UP 7
#define EXECUTED_RAN 8    /* a program that was executed has been granted */
#define DIED_EXECUTING 9
#define LEFT_AND_DIED 10  /* a thread had left when its process died */

/* ---- processes as the kernel sees them ---- */
mtype = { NONE, RUN, STOPPED, KILLED, ZOMBIE };
mtype st[N] = NONE;
bool stop_news[N]; /* a stop the supervisor has not seen yet */
bool dies_with_lab[N];
bool p_asleep[N];  /* participant i sleeps on its turn */
byte s_asleep = NOBODY; /* the scheduler sleeps on the turn of this one... */
bool s_any;        /* ...and on its alive word */
bool s_dead, s_done;
bool marked[N];    /* the kernel has marked i's alive word and has woken who sleeps there */
byte kills = KILLS, stops = STOPS, starts = STARTS, puts = PUTS, execs = EXECS;

/* ---- the page ---- */
mtype = { ABSENT, BLOCKED, GRANTED, EXECUTES };
mtype turn[N] = ABSENT;
byte alive[N];
#define TID 1
#define WAITERS 2
#define DIED 4
byte deadline[N];
bool watches[N];
byte seen[N];
byte now;
byte word;

/* ---- the scheduler's own ---- */
bool admitted[N], stopped[N], departed[N];
byte ran[N]; /* 0: never; else time of the last grant + 1 */

/* ---- ghosts ---- */
bool invited[N]; /* awaited since it was started */
byte want[N];    /* the deadline it means */
bool owes_wake[N], unlocked[N];

#define IS_FOLLOWER(i) ((i) == 0)
#define HOLDS(i) (turn[i] == GRANTED || turn[i] == EXECUTES)

inline wake_turn(w)
{
    if
    :: p_asleep[w] -> p_asleep[w] = false
    :: s_asleep == w -> s_asleep = NOBODY; s_any = false
    :: else
    fi
}

inline wake_alive(w)
{
    if
    :: s_asleep == w && s_any -> s_asleep = NOBODY; s_any = false
    :: else
    fi
}

/* ---- a participant ---- */

#define RUNS (st[i] == RUN)
#define DO(x) atomic { RUNS -> x }

proctype participant(byte i)
{
    bool owed;
absent:
    atomic { st[i] == RUN || st[i] == KILLED -> owed = false }
    {
        DO(dies_with_lab[i] = true);
joins:
        if /* become_alive */
        :: atomic { RUNS && alive[i] == 0 -> alive[i] = TID }
        :: atomic { RUNS && (alive[i] & DIED) -> alive[i] = (alive[i] & WAITERS) | TID }
        :: atomic { RUNS && (alive[i] & TID) -> goto ended } /* BUSY */
        fi;
        atomic { RUNS -> deadline[i] = now; want[i] = now; watches[i] = false }
block:
        atomic { RUNS -> turn[i] = BLOCKED; owes_wake[i] = true }
#ifdef LATE_DEADLINE
        DO(deadline[i] = want[i]);
#endif
        atomic { RUNS -> wake_turn(i); owes_wake[i] = false }
        do
        :: atomic { RUNS && turn[i] == GRANTED -> break }
        :: atomic { RUNS && turn[i] != GRANTED -> skip } /* then falls asleep, unless it has changed */
            if
#ifdef BLIND_SLEEP
            :: atomic { RUNS -> p_asleep[i] = true }
#else
            :: atomic { RUNS && turn[i] == BLOCKED -> p_asleep[i] = true }
            :: atomic { RUNS && turn[i] != BLOCKED -> skip }
#endif
            fi;
            DO(!p_asleep[i])
        od;
        atomic {
            RUNS -> assert(uninvited || invited[i]);
            witness(RESTARTED_RAN, starts < STARTS && kills < KILLS && stops < STOPS);
            witness(EXECUTED_RAN, execs < EXECS)
        }
        do /* its turn */
        :: atomic { RUNS && puts > 0 -> puts--; word++ }
        :: atomic { /* sleep for one unit of time */
            RUNS -> want[i] = now + 1; watches[i] = false; seen[i] = 0
#ifndef LATE_DEADLINE
            ; deadline[i] = want[i]
#endif
            ; goto block
        }
        :: atomic { /* wait for the word, without a deadline */
            RUNS -> want[i] = NEVER; watches[i] = true; seen[i] = word
#ifndef LATE_DEADLINE
            ; deadline[i] = want[i]
#endif
            ; goto block
        }
#if EXECS > 0
        :: atomic { RUNS && !IS_FOLLOWER(i) && execs > 0 -> execs--; turn[i] = EXECUTES }
            if
            :: atomic { RUNS -> turn[i] = GRANTED } /* it cannot be executed */
            :: atomic { RUNS -> owed = (alive[i] & WAITERS) != 0; alive[i] = (alive[i] & WAITERS) | DIED } /* the kernel, for the program before */
                atomic {
                    RUNS -> if
                    :: owed -> wake_alive(i)
                    :: else
                    fi;
                    owed = false; goto joins
                }
            fi
#endif
        :: atomic { RUNS && !IS_FOLLOWER(i) -> break } /* leave */
        od;
#ifdef GIVES_TURN_FIRST
        atomic { RUNS -> turn[i] = ABSENT; owes_wake[i] = true }
        atomic { RUNS -> wake_turn(i); owes_wake[i] = false }
#endif
        atomic { RUNS -> owed = (alive[i] & WAITERS) != 0; alive[i] = 0; unlocked[i] = true }
        atomic {
            RUNS -> if
            :: owed -> wake_alive(i)
            :: else
            fi;
            owed = false
        }
#ifndef GIVES_TURN_FIRST
        atomic { RUNS -> turn[i] = ABSENT; owes_wake[i] = true }
        atomic { RUNS -> wake_turn(i); owes_wake[i] = false }
#endif
#ifdef THREAD
        atomic { RUNS -> unlocked[i] = false; owed = false }
        DO(false); /* the process lives on, until it is killed */
#endif
ended:
        atomic { RUNS -> st[i] = ZOMBIE; unlocked[i] = false; owed = false; goto absent }
    } unless { st[i] == KILLED };
    /* The kernel walks the robust list, then tears the process down. A death between unlocking and waking: it wakes too. */
    atomic {
        witness(DIED_OWING_WAKE, owes_wake[i]);
        witness(DIED_UNLOCKED, unlocked[i]);
        witness(DIED_EXECUTING, turn[i] == EXECUTES);
        witness(LEFT_AND_DIED, turn[i] == ABSENT && invited[i] && !admitted[i]);
        owes_wake[i] = false;
        if
        :: alive[i] & TID -> owed = (alive[i] & WAITERS) != 0; alive[i] = (alive[i] & WAITERS) | DIED
        :: else -> owed = owed || unlocked[i]
        fi;
        unlocked[i] = false
    }
    atomic {
        if
        :: owed -> wake_alive(i)
        :: else
        fi;
        owed = false;
        marked[i] = true
    }
    atomic { st[i] = ZOMBIE; goto absent }
}

/* ---- the supervisor, in the scheduler's process ---- */

inline left(l)
{
    assert(reset_while_held || !(alive[l] & TID) || st[l] == KILLED || st[l] == ZOMBIE);
    departed[l] = true;
    deadline[l] = 0; /* nobody looks at these before its next joining: fewer states */
    want[l] = 0;
    watches[l] = false;
    seen[l] = 0;
#ifndef KEEP_ADMITTED
    admitted[l] = false;
#endif
    stopped[l] = false;
    ran[l] = 0;
    turn[l] = ABSENT;
    alive[l] = 0;
    marked[l] = false
}

#ifdef NO_POLL
#define NEWS_OF(i) false
#else
#define NEWS_OF(i) (st[i] == ZOMBIE || stop_news[i])
#endif
#if N == 2
#define NEWS (NEWS_OF(0) || NEWS_OF(1))
#else
#define NEWS (NEWS_OF(0) || NEWS_OF(1) || NEWS_OF(2))
#endif

inline poll()
{
    d_step {
        k = 0;
        do
        :: k == N -> break
        :: k < N && st[k] == ZOMBIE -> left(k); st[k] = NONE; stop_news[k] = false; dies_with_lab[k] = false; k++
        :: k < N && st[k] != ZOMBIE && stop_news[k] -> stop_news[k] = false; stopped[k] = true; k++
        :: k < N && st[k] != ZOMBIE && !stop_news[k] -> k++
        od;
        k = 0
    }
}

/* ---- the scheduler ---- */

inline depart(i)
{
#ifdef NO_POLL
    atomic { left(i) }
#else
    do
    :: atomic { departed[i] || stopped[i] -> departed[i] = false; break }
    :: atomic { !departed[i] && !stopped[i] && NEWS -> poll() }
#if EXECS > 0
    :: atomic { !departed[i] && !stopped[i] && !NEWS && st[i] == RUN && (alive[i] & TID) -> /* "somebody else wrote into the page" */
        assert(taken_for_dead || !(alive[i] & TID)); left(i) }
#endif
    :: atomic { !departed[i] && !stopped[i] && !NEWS && st[i] != STOPPED -> /* patience is over */
#ifdef THREAD
        assert(taken_for_dead || st[i] != RUN);
#endif
        left(i) }
    od
#endif
}

inline await_return(i)
{
    do
    :: atomic { !HOLDS(i) -> break }
    :: atomic { HOLDS(i) && (stopped[i] || !admitted[i]) ->
#ifdef RESET_STOPPED
        if
        :: stopped[i] -> left(i)
        :: else
        fi;
#endif
        break }
    :: atomic { HOLDS(i) && !stopped[i] && admitted[i] -> was = turn[i] }
        atomic { value = alive[i] }
#if !defined(NO_WAITERS) && !defined(TURN_ONLY)
        if
        :: atomic { (value & TID) && !(value & WAITERS) -> value = alive[i] | WAITERS; alive[i] = value }
        :: atomic { !(value & TID) || (value & WAITERS) -> skip }
        fi;
#endif
        if
#ifndef TURN_ONLY
#define IS_DEAD_WORD (!(value & TID) || (value & DIED))
#ifdef STALE_TURN
        :: atomic { IS_DEAD_WORD && was == GRANTED -> value = 0; was = 0; break }
        :: atomic { !(IS_DEAD_WORD && was == GRANTED) -> skip }
#else
        :: atomic { IS_DEAD_WORD && turn[i] == GRANTED -> value = 0; was = 0; break } /* read again: it may execute by now */
        :: atomic { !(IS_DEAD_WORD && turn[i] == GRANTED) -> skip }
#endif
            if
            :: atomic { turn[i] != was || alive[i] != value -> value = 0; was = 0 } /* EAGAIN */
            :: atomic { turn[i] == was && alive[i] == value -> value = 0; was = 0; s_asleep = i; s_any = true }
            fi
#else
        :: atomic { !HOLDS(i) -> value = 0; was = 0 }
        :: atomic { HOLDS(i) -> value = 0; was = 0; s_asleep = i; s_any = false }
#endif
        fi;
        if
        :: atomic { s_asleep == NOBODY -> skip }
#ifndef NEVER_POLL
        :: atomic { s_asleep != NOBODY && NEWS -> /* time-out, or a signal */
            assert(death_noticed_late || !marked[i] || turn[i] == EXECUTES);
            assert(return_noticed_late || HOLDS(i) || owes_wake[i] || st[i] != RUN);
            s_asleep = NOBODY; s_any = false; poll() }
#endif
        fi
    od;
    if
#ifdef THREAD
    :: atomic { turn[i] == ABSENT && admitted[i] && !stopped[i] -> admitted[i] = false }
    :: atomic { HOLDS(i) && admitted[i] && !stopped[i] -> skip } depart(i)
#else
    :: atomic { turn[i] != BLOCKED && admitted[i] && !stopped[i] -> skip } depart(i)
#endif
    :: atomic { turn[i] == BLOCKED || !admitted[i] || stopped[i] -> skip }
    fi
}

#define CAN_RUN(i) (admitted[i] && !stopped[i] && turn[i] == BLOCKED)
#define TIME_CAME(i) ((IS_FOLLOWER(i) && ran[i] < now + 1) || (!IS_FOLLOWER(i) && deadline[i] <= now))
#define WORD_CAME(i) (watches[i] && seen[i] != word)
#define IS_DUE(i) (CAN_RUN(i) && (TIME_CAME(i) || WORD_CAME(i)))
#define RUNS_IN_ITS_TURN(i) (admitted[i] && st[i] == RUN && HOLDS(i))

/* The follower first, then the higher number (as if it had the higher priority). */
inline choose()
{
    d_step {
        next = NOBODY;
        k = N;
        do
        :: k == 0 -> break
        :: k > 0 && IS_DUE(k - 1) && (next == NOBODY
#ifndef FOLLOWER_LATE
            || k == 1
#endif
            ) -> k--; next = k
        :: else -> k--
        od;
        k = 0
    }
}

inline advance(until)
{
    d_step {
        earliest = until;
        k = 1;
        do
        :: k == N -> break
        :: k < N && CAN_RUN(k) && deadline[k] < earliest -> earliest = deadline[k]; k++
        :: else -> k++
        od;
        k = 1;
        do
        :: k == N -> break
        :: else ->
            assert(time_passed || !CAN_RUN(k) || want[k] >= earliest || st[k] != RUN);
            k++
        od;
        k = 0;
        now = earliest;
        earliest = 0
    }
}

inline mark_grant(i)
{
    d_step {
        k = 0;
        do
        :: k == N -> break
        :: else ->
            assert(two_running || k == i || !RUNS_IN_ITS_TURN(k));
            k++
        od;
        k = 0;
        assert(stale_world || IS_FOLLOWER(i) || !CAN_RUN(0) || ran[0] == now + 1);
        witness(GRANTED_DEAD, alive[i] & DIED);
        witness(TOLD, !TIME_CAME(i));
        ran[i] = now + 1;
        turn[i] = GRANTED
    }
}

#define TO_COLLECT(i) (admitted[i] && !stopped[i] && turn[i] != BLOCKED)

inline run_until(until)
{
    do
    :: atomic {
#ifndef SKIP_CONTINUED
        j = 0;
        do
        :: j == N -> break
        :: j < N && TO_COLLECT(j) -> witness(CONTINUED_IN_TURN, turn[j] == GRANTED && st[j] == RUN); break
        :: j < N && !TO_COLLECT(j) -> j++
        od;
#else
        j = N;
#endif
        next = NOBODY;
        if
        :: j == N -> choose()
        :: else
        fi }
        if
        :: atomic { j < N -> skip } await_return(j)
        :: atomic { j == N && next != NOBODY -> mark_grant(next) }
            atomic { wake_turn(next) }
            await_return(next)
        :: atomic { j == N && next == NOBODY && now >= until -> j = 0; break }
        :: atomic { j == N && next == NOBODY && now < until -> advance(until) }
        fi
    od
}

inline await(i)
{
    do
    :: atomic { turn[i] != ABSENT -> break }
    :: atomic { turn[i] == ABSENT && departed[i] -> break }
    :: atomic { turn[i] == ABSENT && !departed[i] -> s_asleep = i; s_any = false }
        if
        :: atomic { s_asleep == NOBODY -> skip }
        :: atomic { s_asleep != NOBODY && NEWS -> s_asleep = NOBODY; poll() }
        :: atomic { s_asleep != NOBODY && !NEWS && st[i] == STOPPED -> /* patience is over */
            witness(AWAIT_GAVE_UP, true);
            s_asleep = NOBODY; break }
#ifdef NO_POLL
        :: atomic { s_asleep != NOBODY && st[i] == ZOMBIE -> s_asleep = NOBODY; left(i); st[i] = NONE; break }
#endif
        fi
    od;
    if
    :: atomic { turn[i] != ABSENT && (alive[i] & TID) && !(alive[i] & DIED) ->
#ifndef NO_WAITERS
        alive[i] = alive[i] | WAITERS;
#endif
        admitted[i] = true; invited[i] = true }
    :: atomic { turn[i] != ABSENT && !((alive[i] & TID) && !(alive[i] & DIED)) -> skip } depart(i)
    :: atomic { turn[i] == ABSENT -> skip }
    fi
}

inline start(i)
{
    atomic { st[i] = RUN; invited[i] = false; departed[i] = false }
    await(i)
}

/* What the lab may do between two runs. */
inline meddle()
{
    do
    :: atomic { NEWS -> poll() }
    :: atomic { true -> break }
    :: atomic { st[m] == STOPPED -> st[m] = RUN; stop_news[m] = false; stopped[m] = false } /* SIGCONT, and its effect awaited */
    :: atomic { st[m] == NONE && starts > 0 -> starts-- } start(m)
    :: atomic { st[m] == RUN && !invited[m] -> skip } await(m)
    :: atomic { m < N - 1 -> m++ }
    od;
    m = 0
}

active proctype scheduler()
{
    byte next = NOBODY, k, j, m, t, value, earliest;
    mtype was;
    {
        atomic {
            k = 0;
            do
            :: k == N -> k = 0; break
            :: else -> run participant(k); k++
            od
        }
        do
        :: atomic { m == N -> m = 0; break }
        :: atomic { m < N -> skip } start(m); m++
        od;
        do
        :: atomic { t > T -> break }
        :: atomic { t <= T -> skip }
            run_until(t);
            t++;
            meddle()
        od;
        run_until(T);
        s_done = true
    } unless { s_dead };
    skip
}

/* ---- whoever kills and stops, at any time ---- */

#define KILL(f) atomic { kills > 0 && (st[f] == RUN || st[f] == STOPPED) -> \
    kills--; st[f] = KILLED; p_asleep[f] = false; stop_news[f] = false }
#define STOP(f) atomic { stops > 0 && st[f] == RUN -> stops--; st[f] = STOPPED; p_asleep[f] = false; stop_news[f] = true }

active proctype fate()
{
    byte f;
    do
    :: KILL(0) :: STOP(0)
    :: KILL(1) :: STOP(1)
#if N > 2
    :: KILL(2) :: STOP(2)
#endif
#ifdef SDEATH
    :: atomic { !s_dead && !s_done -> s_dead = true; s_asleep = NOBODY; f = 0;
        do /* the kernel: all of a PID namespace die with its init; others if they have asked for it */
        :: f == N -> f = 0; break
#ifdef NO_NAMESPACE
        :: f < N && dies_with_lab[f] && (st[f] == RUN || st[f] == STOPPED) -> st[f] = KILLED; p_asleep[f] = false; f++
#else
        :: f < N && (st[f] == RUN || st[f] == STOPPED) -> st[f] = KILLED; p_asleep[f] = false; f++
#endif
        :: else -> f++
        od }
#endif
    od
}

/* ---- when nothing moves any more ---- */

active proctype judge()
{
    byte i;
    timeout ->
    atomic {
        assert(hang || s_done || s_dead);
        do
        :: i == N -> break
        :: else ->
            assert(lost_wake || !(st[i] == RUN && p_asleep[i] && turn[i] == GRANTED && !s_dead));
            assert(forgotten || s_dead || !(CAN_RUN(i) && st[i] == RUN) || !(IS_DUE(i) || want[i] <= T && !IS_FOLLOWER(i)));
            assert(orphan || !s_dead || st[i] == NONE || st[i] == ZOMBIE);
            i++
        od
    }
}
