#include "targets/hubo2/hardware/hardware_senders.h"

#include <limits.h>
#include <stddef.h>

#include "base/invariant.h"
#include "base/log.h"

#define OWED_UNKNOWN UINT_MAX // only order tells that all has come
#define PASSED_ENOUGH 4

// ---- who may reply -----------------------------------------------------------------------------

static enum status add(struct senders *senders, const struct source *source)
{
    if (source->bus >= HARDWARE_BUSES || source->can_id >= CAN_IDS ||
        senders->count == SENDERS_MAX) {
        log_error("robot description: bus %u, CAN identifier 0x%X: out of range; correct the board",
                  source->bus, source->can_id);
        return STATUS_INVALID;
    }
    if (senders->source_of_id[source->bus][source->can_id]) {
        log_error("robot description: bus %u, CAN identifier 0x%X: used twice; correct one board",
                  source->bus, source->can_id);
        return STATUS_INVALID;
    }
    senders->source[senders->count] = *source;
    senders->source_of_id[source->bus][source->can_id] = (uint8_t)++senders->count;
    return STATUS_OK;
}

static enum status add_sensors(struct senders *senders)
{
    static const struct source sensors[SENDERS_SENSORS] = {
        {.bus = 0,
         .can_id = HUBO_ID_FORCE_TORQUE + HUBO_SENSOR_RIGHT_FOOT,
         .kind = SOURCE_FORCE_TORQUE,
         .index = FT_RIGHT_FOOT},
        {.bus = 0,
         .can_id = HUBO_ID_FORCE_TORQUE + HUBO_SENSOR_LEFT_FOOT,
         .kind = SOURCE_FORCE_TORQUE,
         .index = FT_LEFT_FOOT},
        {.bus = 1,
         .can_id = HUBO_ID_FORCE_TORQUE + HUBO_SENSOR_RIGHT_HAND,
         .kind = SOURCE_FORCE_TORQUE,
         .index = FT_RIGHT_HAND},
        {.bus = 1,
         .can_id = HUBO_ID_FORCE_TORQUE + HUBO_SENSOR_LEFT_HAND,
         .kind = SOURCE_FORCE_TORQUE,
         .index = FT_LEFT_HAND},
        {.bus = 0,
         .can_id = HUBO_ID_INERTIAL + HUBO_SENSOR_RIGHT_FOOT,
         .kind = SOURCE_TILT,
         .index = SIDE_RIGHT},
        {.bus = 0,
         .can_id = HUBO_ID_INERTIAL + HUBO_SENSOR_LEFT_FOOT,
         .kind = SOURCE_TILT,
         .index = SIDE_LEFT},
        {.bus = 0, .can_id = HUBO_ID_INERTIAL + HUBO_SENSOR_IMU, .kind = SOURCE_IMU},
        {.bus = 1, .can_id = HUBO_ID_POWER, .kind = SOURCE_POWER},
    };
    enum status status = STATUS_OK;
    for (unsigned i = 0; i < SENDERS_SENSORS && status == STATUS_OK; i++)
        status = add(senders, &sensors[i]);
    return status;
}

static enum status add_board(struct senders *senders, const struct board_description *board,
                             unsigned b)
{
    const uint32_t can_id[] = {[SOURCE_ENCODER] = board->encoder_can_id,
                               [SOURCE_STATUS] = board->status_can_id,
                               [SOURCE_CURRENT] = board->current_can_id};
    enum status status = STATUS_OK;
    for (enum source_kind kind = SOURCE_ENCODER; kind <= SOURCE_CURRENT && status == STATUS_OK;
         kind++)
        status = add(
            senders,
            &(struct source){.bus = board->bus, .can_id = can_id[kind], .kind = kind, .index = b});
    return status;
}

enum status senders_start(struct senders *senders, const struct description *description)
{
    *senders = (struct senders){0};
    enum status status = add_sensors(senders);
    for (unsigned b = 0; b < description->board_count && status == STATUS_OK; b++)
        status = add_board(senders, &description->board[b], b);
    return status;
}

// ---- what is owed ------------------------------------------------------------------------------

static bool is_expected(const struct source *source)
{
    return source->asked > 0 || source->owed > 0;
}

static unsigned place(const struct senders *senders, unsigned bus, uint32_t can_id)
{
    return bus < HARDWARE_BUSES && can_id < CAN_IDS ? senders->source_of_id[bus][can_id] : 0;
}

bool senders_has(const struct senders *senders, unsigned bus, uint32_t can_id)
{
    return place(senders, bus, can_id) != 0;
}

struct source *senders_find(struct senders *senders, unsigned bus, uint32_t can_id)
{
    invariant(senders->count <= SENDERS_MAX);
    const unsigned found = place(senders, bus, can_id);
    return found ? &senders->source[found - 1] : NULL;
}

void senders_begin(struct senders *senders)
{
    for (unsigned i = 0; i < senders->count; i++) {
        struct source *source = &senders->source[i];
        if (source->asked > 0)
            source->owed = source->known && source->owed != OWED_UNKNOWN
                               ? source->owed + source->asked
                               : OWED_UNKNOWN;
        source->asked = source->passed = 0;
        source->answered = false;
    }
}

bool senders_overdue(const struct senders *senders, unsigned bus, uint32_t can_id)
{
    const unsigned found = place(senders, bus, can_id);
    return found && senders->source[found - 1].owed > 0;
}

void senders_expect(struct senders *senders, unsigned bus, uint32_t can_id)
{
    struct source *source = senders_find(senders, bus, can_id);
    if (source == NULL)
        return;
    source->newest = ++senders->requests;
    if (!is_expected(source))
        source->oldest = source->newest;
    source->asked++;
}

// ---- what order tells --------------------------------------------------------------------------

// The first of the three sources of a board.
static unsigned first_of(unsigned board)
{
    return SENDERS_SENSORS + 3 * board;
}

static bool is_owed_nothing_since(const struct source *source, uint64_t request)
{
    return !is_expected(source) || source->oldest > request;
}

// Whether what a board owes cannot be counted, because a predecessor of this process may have asked
// it, too.
static bool is_doubtful(const struct source *of_board)
{
    return of_board[SOURCE_ENCODER].owed == OWED_UNKNOWN;
}

// Positions are asked for only while status or current owes nothing: so there is always one whose
// first reply from now on is to a request after those for positions. It is asked until it replies,
// and its reply settles the others.
bool senders_in_question(const struct senders *senders, unsigned board)
{
    expects(first_of(board) + SOURCE_CURRENT < senders->count);
    const struct source *of_board = &senders->source[first_of(board)];
    return of_board[SOURCE_ENCODER].owed > 0 ||
           (of_board[SOURCE_STATUS].owed > 0 && of_board[SOURCE_CURRENT].owed > 0);
}

// Of a doubtful board a reply to the predecessor may be on its way as well: it is asked for status
// and, when that has come, for current.
enum source_kind senders_probe(const struct senders *senders, unsigned board)
{
    expects(senders_in_question(senders, board));
    const struct source *of_board = &senders->source[first_of(board)];
    const bool status =
        is_doubtful(of_board)
            ? !of_board[SOURCE_STATUS].known
            : is_owed_nothing_since(&of_board[SOURCE_STATUS], of_board[SOURCE_ENCODER].newest);
    return status ? SOURCE_STATUS : SOURCE_CURRENT;
}

static void settle(struct source *source)
{
    source->owed = 0;
    source->known = true;
}

static void settle_doubt(struct source *of_board, enum source_kind heard)
{
    if (heard == SOURCE_STATUS) {
        of_board[SOURCE_STATUS].known = true;
    } else if (heard == SOURCE_CURRENT && of_board[SOURCE_STATUS].known) {
        settle(&of_board[SOURCE_ENCODER]);
        settle(&of_board[SOURCE_STATUS]);
    }
}

// A board has replied, to this source's oldest request at the earliest.
static void settle_board(struct senders *senders, const struct source *heard)
{
    struct source *of_board = &senders->source[first_of(heard->index)];
    if (is_doubtful(of_board))
        settle_doubt(of_board, heard->kind);
    else
        for (enum source_kind kind = SOURCE_ENCODER; kind <= SOURCE_CURRENT; kind++)
            if (of_board[kind].newest < heard->oldest)
                settle(&of_board[kind]);
}

// A bus has carried this source's frame in this cycle. One or two may pass a sensor's whose frames
// fail: an error-passive sender waits longer than others (ISO 11898-1, suspend transmission).
static void settle_sensors(struct senders *senders, const struct source *passing)
{
    for (unsigned i = 0; i < SENDERS_SENSORS; i++) {
        struct source *sensor = &senders->source[i];
        if (sensor->bus == passing->bus && sensor->can_id < passing->can_id &&
            ++sensor->passed >= PASSED_ENOUGH)
            settle(sensor);
    }
}

enum reply_age senders_hear(struct senders *senders, struct source *source, bool in_time)
{
    if (in_time)
        settle_sensors(senders, source);
    if (is_expected(source) && source->kind <= SOURCE_CURRENT)
        settle_board(senders, source);
    if (source->owed > 0) {
        source->owed -= source->owed != OWED_UNKNOWN;
        return REPLY_OF_BEFORE;
    }
    if (!in_time || (!source->asked && !source->answered))
        return REPLY_OF_BEFORE;
    if (source->asked == 0)
        return REPLY_ONE_MORE;
    source->asked--;
    source->known = true;
    return REPLY_OF_NOW;
}
