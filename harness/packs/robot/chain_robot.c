#include "harness/packs/robot/chain_robot.h"

#include "harness/history/history.h"
#include "harness/history/schema.h"
#include "harness/packs/robot/messages.h"
#include "harness/packs/robot/readings.h"

static bool fits(const char *message, const struct message_structure *structure, char *words,
                 size_t size)
{
    const struct schema *schema = schema_find(message);
    words[0] = '\0';
    return schema != NULL && message_structure_fits(schema->fields, structure, words, size);
}

static bool tells(const char *message, char *words, size_t size)
{
    return fits(message, &robot_state, words, size);
}

static bool refers(const char *message, char *words, size_t size)
{
    return fits(message, &robot_reference, words, size);
}

static instant gathered(const struct description *description, const struct event *message)
{
    return message->size_B < sizeof(struct state_message)
               ? INSTANT_NEVER
               : oldest_reading(description, message->data);
}

static uint64_t boards(const struct description *description, const struct event *reference)
{
    return reference->size_B < sizeof(struct reference_message)
               ? 0
               : reference_boards(description, reference->data);
}

static int board(const struct description *description, const void *frame)
{
    const struct bus_log_frame *of = frame;
    const struct board_description *found =
        of->sender != BUS_LOG_HOST ? NULL
                                   : description_reference_board(description, of->bus, of->can_id);
    return found == NULL ? -1 : (int)(found - description->board);
}

static instant shown(const struct description *description, const struct event *message,
                     const struct event *reference, instant since)
{
    if (message->size_B < sizeof(struct state_message) ||
        reference->size_B < sizeof(struct reference_message))
        return INSTANT_NEVER;
    return reference_read(description, message->data, reference->data,
                          reference_boards(description, reference->data), since);
}

const struct chain_robot robot_of_chains = {tells, refers, gathered, boards, board, shown};
