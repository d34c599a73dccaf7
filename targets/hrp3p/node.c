// A node: drives up to five joints by its link board, and talks to the motion PC. Argument: its
// board in hrp3p.xml; corba: it is called by CORBA (joint.idl) in place of frames; threads: each of
// its two tasks has one; or the host whose time it follows: it ticks by the PC's time, whatever its
// own clock says.
//
// Two tasks, as in Fig. 13 of the paper: each millisecond the joints, and at the begin of a cycle
// the answer; then, of lower priority, what has come from the PC.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/log.h"
#include "clock/pace.h"
#include "ethernet/ptp.h"
#include "model/description.h"
#include "robot/participant.h"
#include "targets/hrp3p/node_corba.h"
#include "targets/hrp3p/node_receiver.h"
#include "targets/hrp3p/robot_files.h"

#define RECEIVED_MAX 64 // frames of one tick: no stranger keeps the node from its joints

struct node {
    struct clk *clk;
    struct clk_pace pace;
    EtherRTSock *sock;
    struct ptp_host ptp; // not open: its own clock is the PC's
    struct link_registers *registers;
    struct node_control control;
    struct node_link link;
    struct node_receiver receiver; // of the variant with threads
    int64_t answered;              // the last cycle that it answered in
    struct node_corba corba;       // of the variant that is driven by CORBA
};

static void read_counters(const struct node *node, uint32_t counter[LINK_JOINTS])
{
    for (unsigned i = 0; i < LINK_JOINTS; i++)
        counter[i] = node->registers->counter[i];
}

static void drive_joints(struct node *node)
{
    uint32_t counter[LINK_JOINTS], output[LINK_JOINTS];
    read_counters(node, counter);
    node_tick(&node->control, counter, output);
    for (unsigned i = 0; i < node->control.joint_count; i++)
        node->registers->output[i] = output[i];
    node->registers->alive++;
}

static void send_answer(struct node *node, int64_t now_ns)
{
    struct answer_frame answer;
    if (now_ns / CYCLE_NS == node->answered) // two ticks, the first late
        return;
    node->answered = now_ns / CYCLE_NS;
    node_link_answer(&node->link, &node->control, node->registers, now_ns, &answer);
    frame_seal(&answer, sizeof answer);
    (void)EtherRTSendTo(node->sock, &node->link.pc, &answer, sizeof answer,
                        0); // a lost one shows at the PC
}

static bool next_frame(struct node *node, struct received_frame *received)
{
    if (node->receiver.sock != NULL)
        return node_receiver_take(&node->receiver, received);
    received->time_ns = ptp_time_ns(&node->ptp, clk_now(node->clk).ns);
    return EtherRTRecvFrom(node->sock, &received->frame, sizeof received->frame, MSG_DONTWAIT,
                           &received->from) == 0;
}

static void receive_commands(struct node *node)
{
    struct received_frame received;
    struct node_command command[LINK_JOINTS];
    for (unsigned n = 0; n < RECEIVED_MAX && next_frame(node, &received); n++)
        if (node_link_take(&node->link, &received.from.source, &received.frame,
                           received.from.length_B, received.time_ns, node->control.joint_count,
                           command))
            node_take(&node->control, command);
}

// Until the next tick of the PC's time; returns that time. Within a tick the two clocks go alike.
static int64_t await_tick(struct node *node, struct clk_period *period)
{
    if (!node->ptp.follows) {
        const instant due = period->next;
        (void)clk_period_wait(node->clk, period);
        clk_pace_slept(&node->pace, node->clk, due);
        return clk_now(node->clk).ns;
    }
    const int64_t local_ns = clk_now(node->clk).ns, time_ns = ptp_time_ns(&node->ptp, local_ns);
    const int64_t next_ns = ((time_ns + TICK_NS / 2) / TICK_NS + 1) * TICK_NS;
    const instant due = instant_ns(local_ns + next_ns - time_ns);
    clk_sleep_until(node->clk, due);
    clk_pace_slept(&node->pace, node->clk, due);
    return next_ns;
}

static int64_t kept_ns(const struct node *node)
{
    return clk_pace_kept(&node->pace, node->clk).ns;
}

// Tells the PC, by later answers, that the machine kept this node from its part in an exchange: the
// tick of its answer, and the one at which it is called by CORBA.
static void note_lateness(struct node *node)
{
    const int64_t late_ns = kept_ns(node);
    const int64_t now_ns = ptp_time_ns(&node->ptp, clk_now(node->clk).ns);
    const int64_t due_ns = now_ns - late_ns;
    if (late_ns > LATE_NS &&
        (due_ns % CYCLE_NS < 2 * TICK_NS || due_ns / CYCLE_NS != now_ns / CYCLE_NS))
        node_link_late(&node->link, due_ns, now_ns);
}

static _Noreturn void run(struct node *node)
{
    uint32_t counter[LINK_JOINTS];
    struct clk_period period =
        clk_period_start(node->clk, instant_ns(TICK_NS), duration_ns(TICK_NS));
    read_counters(node, counter);
    node_begin(&node->control, counter);
    for (;;) {
        const int64_t now_ns = await_tick(node, &period);
        drive_joints(node);
        node->link.kept_us = frame_unsigned((double)kept_ns(node), 1000);
        if (node->corba.orb != NULL) {
            node_corba_work(&node->corba);
            note_lateness(node);
            continue;
        }
        if (now_ns % CYCLE_NS < TICK_NS)
            send_answer(node, now_ns);
        receive_commands(node);
        note_lateness(node);
        // Not while commands and answers are under way.
        if (node->ptp.follows && now_ns % CYCLE_NS >= TICK_NS)
            ptp_poll(&node->ptp, clk_now(node->clk).ns);
    }
}

// The joints of this node's board.
static bool find_joints(struct node_control *control, const char *name)
{
    struct description *description;
    if (robot_description(&description) != STATUS_OK)
        return false;
    const int board = description_board(description, name);
    if (board < 0)
        log_error("%s: no such board; use one of hrp3p.xml", name);
    for (unsigned c = 0; board >= 0 && c < LINK_JOINTS; c++) {
        const int j = description->board[board].joint[c];
        if (j < 0)
            break;
        const struct joint_description *joint = &description->joint[j];
        control->joint[control->joint_count++] =
            (struct node_joint){.ticks_per_rad = joint->ticks_per_rad,
                                .torque_max_Nm = joint->torque_max_Nm,
                                .min_rad = joint->position_min_rad,
                                .max_rad = joint->position_max_rad};
    }
    description_free(description);
    return board >= 0;
}

int main(int argc, char **argv)
{
    static struct node node;
    log_program(argv[0]);
    const bool corba = argc == 3 && strcmp(argv[2], "corba") == 0;
    const bool threads = argc == 3 && strcmp(argv[2], "threads") == 0;
    const char *reference = argc == 3 && !corba && !threads ? argv[2] : NULL;
    if (argc < 2 || argc > 3) {
        fputs("usage: node BOARD [corba | threads | REFERENCE]\n", stderr);
        return 2;
    }
    if (!find_joints(&node.control, argv[1]))
        return 2;
    node.sock = EtherRTSocket(SOCK_DGRAM, ETH_P_RT);
    if (node.sock == NULL || EtherRTBind(node.sock, NETWORK) != 0 ||
        EtherRTAddress(node.sock, "motion", &node.link.pc) != 0 ||
        (reference != NULL && ptp_open(&node.ptp, NETWORK, argv[1], reference) != 0) ||
        (threads && node_receiver_start(&node.receiver, node.sock) != 0)) {
        perror("node: " NETWORK);
        return 3;
    }
    if (participant_join(&node.clk) != STATUS_OK)
        return 3;
    EtherRTClock(node.clk);
    if (link_page_open(argv[1], &node.registers) != STATUS_OK) {
        log_error("%s: its board cannot be reached; is the robot there?", argv[1]);
        return 3;
    }
    if (corba && node_corba_open(&node.corba, node.clk, argv[1], &node.link, &node.control,
                                 node.registers) != STATUS_OK) {
        perror("node: CORBA over " NETWORK);
        return 3;
    }
    run(&node);
}
