#include "targets/hrp3p/exchange.h"

#include <string.h>

#include "targets/hrp3p/node_control.h"

#define OWED_FROM 10  // cycle: until then nodes may yet begin
#define OWED_CYCLES 8 // so long an answer may be late, or a node may take to say that it was

static void begin_node(struct exchange_node *node, uint32_t cycle, uint32_t later)
{
    node->late = frame_cycles_later(node->late, later);
    if (node->ahead == cycle) // the PC was kept back, and has had that answer
        node->late |= 1;
    node->answered = false;
}

// An answer that has not come by now is the network's, unless the machine kept back anybody in its
// cycle: who shares a processor with many may be so in ways that nobody can tell.
static void give_up(struct exchange *exchange, uint32_t later)
{
    struct cycle_message *message = &exchange->message;
    uint32_t late = exchange->late;
    for (unsigned n = 0; n < NODES; n++)
        late |= exchange->node[n].late;
    for (unsigned n = 0; n < NODES; n++) {
        const uint32_t owed = (uint32_t)exchange->node[n].overdue << (later < 16 ? later : 16);
        message->held_up += __builtin_popcount(owed >> OWED_CYCLES & late >> OWED_CYCLES);
        message->overdue += __builtin_popcount(owed >> OWED_CYCLES & ~(late >> OWED_CYCLES));
        exchange->node[n].overdue = (uint16_t)(owed & ((1u << OWED_CYCLES) - 1));
    }
}

void exchange_begin(struct exchange *exchange, uint32_t cycle)
{
    struct cycle_message *message = &exchange->message;
    const uint32_t later = cycle - (uint32_t)message->cycle;
    exchange->late = frame_cycles_later(exchange->late, later);
    for (unsigned n = 0; n < NODES; n++)
        begin_node(&exchange->node[n], cycle, later);
    give_up(exchange, later);
    message->cycle = cycle;
    message->answers = message->tracking = 0;
    message->answer_us = message->command_age_us = message->behind_cycles = 0;
    exchange->missed = false;
}

void exchange_late(struct exchange *exchange, bool before_too)
{
    exchange->late |= before_too ? 3 : 1;
}

void exchange_command(struct exchange *exchange, unsigned n, const double *reference_rad,
                      struct command_frame *frame)
{
    const struct board_description *board = &exchange->description->board[n];
    struct exchange_node *node = &exchange->node[n];
    const uint32_t cycle = (uint32_t)exchange->message.cycle;
    *frame = (struct command_frame){.head = {FRAME_COMMAND, 0, cycle, 0}};
    for (unsigned c = 0; c < LINK_JOINTS && board->joint[c] >= 0; c++, frame->head.count++) {
        const struct joint_description *joint = &exchange->description->joint[board->joint[c]];
        frame->joint[c].angle = frame_int(reference_rad[board->joint[c]], ANGLE_RAD);
        frame->joint[c].p = frame_unsigned(node_p_Nm_rad(joint->torque_max_Nm), P_NM_RAD);
        frame->joint[c].d = frame_unsigned(node_d_Nms_rad(joint->torque_max_Nm), D_NMS_RAD);
    }
    frame_seal(frame, sizeof *frame);
    node->sent_cycle[cycle % EXCHANGE_MEMORY] = cycle;
    node->sent_sum[cycle % EXCHANGE_MEMORY] = frame->head.sum;
}

static double greater(double a, double b)
{
    return a > b ? a : b;
}

// Whether a node follows what it was sent, or nothing yet. What is too old to be remembered is told
// by the distance.
static bool follows_ours(const struct exchange_node *node, const struct answer_frame *answer)
{
    const unsigned place = answer->used_cycle % EXCHANGE_MEMORY;
    return answer->used_cycle == 0 || node->sent_cycle[place] != answer->used_cycle ||
           node->sent_sum[place] == answer->used_sum;
}

static void read_joints(struct exchange *exchange, unsigned n, const struct answer_frame *answer)
{
    const struct board_description *board = &exchange->description->board[n];
    for (unsigned c = 0; c < LINK_JOINTS && board->joint[c] >= 0; c++)
        exchange->angle_rad[board->joint[c]] = answer->joint[c].angle * ANGLE_RAD;
    int16_t sensor[LINK_SENSORS];
    memcpy(sensor, answer->sensor, sizeof sensor);
    sensing_read(board->name, sensor, &exchange->sensed);
}

// Counts only go up; a restarted node's begin anew.
static void add_refused(struct exchange_node *node, const struct answer_frame *answer,
                        struct cycle_message *message)
{
    const uint16_t now[4] = {answer->stale, answer->doubled, answer->foreign, answer->unsound};
    int64_t *const sum[4] = {&message->refused_stale, &message->refused_doubled,
                             &message->refused_foreign, &message->refused_unsound};
    for (unsigned i = 0; i < 4; i++) {
        *sum[i] += (int64_t)(now[i] >= node->refused[i] ? now[i] - node->refused[i] : now[i]);
        node->refused[i] = now[i];
    }
}

// An answer that has come after all. It may come as much later as the machine kept back its node
// and who carries frames. In time by its stamp, it was not there when the PC looked: that is the
// machine's, too. A node may yet tell that it was kept back in the midst of it.
static void judge(struct exchange *exchange, struct exchange_node *node,
                  const struct answer_frame *answer, int64_t after_ns)
{
    const int64_t behind = exchange->message.cycle - answer->head.cycle;
    const int64_t beyond_ns = after_ns + behind * CYCLE_NS - exchange->window_ns;
    const int64_t kept_ns = (int64_t)answer->kept_us * 1000 + exchange->carried_late_ns;
    node->overdue |= behind == 0 && beyond_ns > 0;
    if (exchange->prompt || behind >= OWED_CYCLES || (node->overdue >> behind & 1) == 0 ||
        beyond_ns > kept_ns)
        return;
    exchange->message.held_up++;
    node->overdue &= (uint16_t) ~(1u << behind);
}

static void take_sound(struct exchange *exchange, unsigned n, const struct answer_frame *answer,
                       int64_t after_ns)
{
    struct cycle_message *message = &exchange->message;
    struct exchange_node *node = &exchange->node[n];
    node->answered = node->heard = true;
    judge(exchange, node, answer, after_ns);
    message->answers++;
    message->tracking += answer->mode == NODE_TRACK;
    message->answer_us = greater(message->answer_us, (double)after_ns * 1e-3);
    message->mismatched += !follows_ours(node, answer);
    if (answer->used_cycle > 0) {
        const int64_t behind = message->cycle - answer->used_cycle;
        message->behind_cycles = greater(message->behind_cycles, (double)behind);
        const bool missed = behind > (exchange->prompt ? 0 : 1);
        message->missed += missed;
        exchange->missed |= missed;
        message->command_age_us = greater(message->command_age_us, answer->used_age_us);
    }
    add_refused(node, answer, message);
    read_joints(exchange, n, answer);
}

void exchange_take(struct exchange *exchange, const struct ether_addr *source, const void *frame,
                   size_t length_B, int64_t after_ns)
{
    struct answer_frame answer;
    unsigned n = 0;
    while (n < NODES && memcmp(&exchange->node[n].address, source, sizeof *source) != 0)
        n++;
    if (n == NODES || !frame_sound(frame, length_B, FRAME_ANSWER)) {
        exchange->message.strange++;
        return;
    }
    memcpy(&answer, frame, sizeof answer);
    const int64_t behind = exchange->message.cycle - answer.head.cycle;
    if (behind >= 0)
        exchange->node[n].late |= frame_cycles_later(answer.late, (uint32_t)behind);
    if (behind > 0) {
        exchange->message.late++;
        judge(exchange, &exchange->node[n], &answer, after_ns);
    } else if (behind < 0 && after_ns + LATE_NS >= -behind * CYCLE_NS)
        exchange->node[n].ahead = answer.head.cycle; // it is the PC that is late
    else if (answer.head.cycle > exchange->message.cycle || exchange->node[n].answered)
        exchange->message.strange++;
    else
        take_sound(exchange, n, &answer, after_ns);
}

void exchange_end(struct exchange *exchange, int64_t now_ns)
{
    struct cycle_message *message = &exchange->message;
    message->time_ns = now_ns;
    exchange->full |= message->answers == NODES;
    for (unsigned n = 0; n < NODES && message->cycle >= OWED_FROM; n++)
        exchange->node[n].overdue |= !exchange->node[n].answered;
    if (!exchange->full)
        return;
    for (unsigned n = 0; n < NODES; n++)
        message->node_lost[n] += !exchange->node[n].answered;
    message->lost += NODES - message->answers;
    message->lost_cycles += message->answers < NODES || exchange->missed;
}
