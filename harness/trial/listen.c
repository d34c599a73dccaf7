// Reads what a trial's processes say, and records it: channels, taps, printed lines, and what
// shimmed programs do.
//
// Six places ask for it. The tick of the recorder's grid reads all channels (listen_all). Before
// the clock goes on, what was said before its first instant is taken (listen_taps). Three hooks of
// the clock read in between: in virtual mode after each turn, so that what was printed gets its
// instant; there also while a turn is out, so that no native program waits in vain for room in a
// socket; in wall mode at each poll, before a channel runs over. And while a fault's program runs,
// time may go on (listen_meanwhile). What such a reading finds wrong, the next tick finds too: a
// hook has nobody to tell it.
#include "harness/trial/listen.h"

#include <stdio.h>

#include "harness/files/target/target.h"
#include "harness/trial/trial_private.h"

// What a process prints is limited; so is what a tap is sent, by whomever.
static void check_flood(const struct trial *trial)
{
    double used_MB;
    const double allowed_MB = trial->request->target->limits.output_MB;
    const char *tap = taps_flooded(trial->taps, allowed_MB, &used_MB);
    char name[2 * NAME_MAX_LENGTH];
    if (tap == NULL)
        return;
    snprintf(name, sizeof name, "tap %s", tap);
    breach_report(&trial->shared->breach, LIMIT_OUTPUT, name, 0, 0, used_MB, allowed_MB);
}

// Its failure is kept: the hooks of the clock have nobody to tell it.
static enum status record_taps(struct trial *trial)
{
    const instant now = clk_coordinator_now(trial->coordinator);
    if (trial->taps == NULL || trial->taps_went != STATUS_OK)
        return trial->taps_went;
    trial->taps_went = taps_record(trial->taps, now, trial->watch);
    check_flood(trial);
    if (taps_made_room(trial->taps) && trial->request->mode == CLK_VIRTUAL)
        shims_tell(trial->request->target, &trial->wiring, IO_ROOM, "", now);
    return trial->taps_went;
}

enum status listen_taps(struct trial *trial)
{
    if (trial->taps != NULL)
        supervisor_listen(trial->supervisor);
    return record_taps(trial);
}

enum status listen_all(struct trial *trial)
{
    trial->looked = clk_coordinator_now(trial->coordinator);
    const enum status status = recorder_read(trial->recorder, trial->looked, trial->watch,
                                             trial->reason, sizeof trial->reason);
    return status == STATUS_OK ? listen_taps(trial) : status;
}

// Wall mode: time goes on while a process is started again or a fault program runs. What is
// published meanwhile is read in between, before the channels run over. What this finds wrong, the
// next tick finds too.
void listen_meanwhile(void *context)
{
    struct trial *trial = context;
    char found[sizeof trial->reason];
    if (recorder_read(trial->recorder, clk_coordinator_now(trial->coordinator), trial->watch, found,
                      sizeof found) != STATUS_OK ||
        record_taps(trial) != STATUS_OK)
        return;
}

// Whose turn it was; NULL: the simulated world's, or an interposer's.
static const char *other_than_world(const struct trial *trial)
{
    const int number = supervisor_of(trial->supervisor, clk_coordinator_ran(trial->coordinator));
    const struct process_config *process =
        number < 0 ? NULL : supervisor_config(trial->supervisor, (unsigned)number);
    return process == NULL || process->follower || process->interposes ? NULL : process->name;
}

// Virtual mode, after each turn: what was printed gets the instant at which it was. Shimmed
// programs may do more between two ticks than their channel holds; what this finds wrong, the next
// tick finds too.
static void turn_over(void *context)
{
    struct trial *trial = context;
    if (output_has_come())
        supervisor_listen(trial->supervisor);
    recorder_turn(trial->recorder, clk_coordinator_now(trial->coordinator),
                  other_than_world(trial));
    if (trial->hears_io &&
        recorder_read_io(trial->recorder, clk_coordinator_now(trial->coordinator), trial->watch) !=
            STATUS_OK)
        return;
    if (record_taps(trial) != STATUS_OK)
        return;
}

// Virtual mode, while a turn is out: nobody shall wait in vain for room in a socket. Shimmed
// programs do not: they return their turn until there is some, at the same datagram in every run.
static void poll_with_taps(void *context)
{
    struct trial *trial = context;
    supervisor_notice(trial->supervisor);
    if (supervisor_runs_native(trial->supervisor))
        taps_drain(trial->taps, clk_coordinator_now(trial->coordinator));
}

void listen_printed(void *context, const struct output_line *line)
{
    struct trial *trial = context;
    taps_hear(trial->taps, line);
}

static void poll_in_wall_mode(void *context)
{
    struct trial *trial = context;
    supervisor_notice(trial->supervisor);
    listen_meanwhile(trial);
}

void listen_begin(struct trial *trial)
{
    const bool virtual = trial->request->mode == CLK_VIRTUAL;
    trial->hears_io = virtual && recorder_hears_io(trial->recorder);
    if (virtual)
        clk_coordinator_on_return(trial->coordinator, turn_over, trial);
    else
        clk_coordinator_on_poll(trial->coordinator, poll_in_wall_mode, trial);
    if (virtual && trial->taps != NULL)
        clk_coordinator_on_poll(trial->coordinator, poll_with_taps, trial);
}
