// The motion control PC. Three tasks each cycle of 5 ms, as in Fig. 13 of the paper: sends the
// commands computed in the last cycle; takes the nodes' answers, 1 ms later; computes the whole
// body's motion. Argument corba: nodes are called by CORBA (joint.idl) in place of frames.
#include <stdio.h>
#include <string.h>

#include "base/log.h"
#include "clock/pace.h"
#include "ethernet/ptp.h"
#include "robot/participant.h"
#include "targets/hrp3p/motion_corba.h"
#include "targets/hrp3p/motion_core.h"
#include "targets/hrp3p/robot_files.h"
#include "task.h"

#define WINDOW_NS 1000000       // for the exchange
#define WINDOW_CORBA_NS 2000000 // nodes answer at their next tick
#define RECEIVED_MAX 256        // frames of one cycle

struct motion {
    struct clk *clk;
    struct clk_pace pace;
    EtherRTSock *sock;
    struct ptp_host ptp; // nodes ask it for the time
    struct channel *cycle_channel, *task_channel;
    struct exchange exchange;
    struct motion_core core;
    struct motion_corba corba; // of the variant in which nodes are called by CORBA
};

static void send_commands(struct motion *motion)
{
    struct command_frame frame;
    if (motion->core.phase == MOTION_WAIT)
        return;
    for (unsigned n = 0; n < NODES; n++) {
        exchange_command(&motion->exchange, n, motion->core.reference_rad, &frame);
        (void)EtherRTSendTo(motion->sock, &motion->exchange.node[n].address, &frame, sizeof frame,
                            0); // what is lost shows in the answers
    }
}

static void receive_answers(struct motion *motion, int64_t begin_ns)
{
    struct answer_frame frame;
    struct EtherRTFrom from;
    for (unsigned i = 0; i < RECEIVED_MAX; i++) {
        if (EtherRTRecvFrom(motion->sock, &frame, sizeof frame, MSG_DONTWAIT, &from) != 0)
            return;
        exchange_take(&motion->exchange, &from.source, &frame, from.length_B,
                      from.time_ns - begin_ns);
    }
}

static void ask(struct motion *motion)
{
    struct task_message task;
    const enum status got =
        channel_get(motion->task_channel, &task, sizeof task, CHANNEL_LAST, NULL);
    if (got == STATUS_OK || got == STATUS_MISSED)
        (void)motion_core_ask(&motion->core, task.id, (enum motion_task)task.kind, task.steps,
                              task.gait);
}

static void compute(struct motion *motion)
{
    const bool known = motion->exchange.full;
    ask(motion);
    motion_core_step(&motion->core, known ? motion->exchange.angle_rad : NULL,
                     &motion->exchange.sensed);
    motion->exchange.message.task = (int32_t)motion->core.task;
    motion->exchange.message.walked = motion->core.task == MOTION_WALK ? motion->core.cycle / 2 : 0;
}

// Where the machine kept this PC back, or who carries frames, no network is to blame.
static void note_lateness(struct motion *motion, int64_t begin_ns)
{
    struct exchange *exchange = &motion->exchange;
    const double kept_us = duration_to_s(clk_pace_kept(&motion->pace, motion->clk)) * 1e6;
    exchange->carried_late_ns = EtherRTHeldUp(motion->sock, begin_ns - CYCLE_NS);
    exchange->message.kept_us =
        kept_us > exchange->message.kept_us ? kept_us : exchange->message.kept_us;
    const bool carried_late = exchange->prompt && exchange->carried_late_ns > LATE_NS;
    if (kept_us * 1e3 > LATE_NS || carried_late)
        exchange_late(exchange, carried_late);
}

static void exchange_all(struct motion *motion, int64_t begin_ns)
{
    if (motion->corba.orb != NULL) {
        const bool ready = motion->core.phase != MOTION_WAIT;
        motion_corba_send(&motion->corba, ready ? motion->core.reference_rad : NULL);
        note_lateness(motion, begin_ns);
        clk_sleep_until(motion->clk, instant_ns(begin_ns + WINDOW_CORBA_NS));
        motion_corba_receive(&motion->corba, begin_ns);
        return;
    }
    send_commands(motion);
    const instant over = instant_ns(begin_ns + WINDOW_NS);
    clk_sleep_until(motion->clk, over);
    clk_pace_slept(&motion->pace, motion->clk, over);
    note_lateness(motion, begin_ns);
    receive_answers(motion, begin_ns);
}

static _Noreturn void run(struct motion *motion)
{
    struct clk_period period =
        clk_period_start(motion->clk, instant_ns(CYCLE_NS), duration_ns(CYCLE_NS));
    for (;;) {
        const instant due = period.next;
        (void)clk_period_wait(motion->clk, &period);
        clk_pace_slept(&motion->pace, motion->clk, due);
        const instant begin = clk_now(motion->clk);
        const int64_t begin_ns = begin.ns / CYCLE_NS * CYCLE_NS;
        exchange_begin(&motion->exchange, (uint32_t)(begin_ns / CYCLE_NS));
        exchange_all(motion, begin_ns);
        const instant now = clk_now(motion->clk);
        exchange_end(&motion->exchange, now.ns);
        ptp_poll(&motion->ptp, now.ns);
        compute(motion);
        if (channel_put(motion->cycle_channel, &motion->exchange.message,
                        sizeof motion->exchange.message, now) != STATUS_OK)
            log_error("the cycle cannot be published");
    }
}

static int load(struct motion *motion)
{
    static struct robot_model *model; // the core keeps it
    struct description *description;
    char path[PATH_MAX];
    if (robot_description(&description) != STATUS_OK ||
        robot_file("robot.xml", path) != STATUS_OK || robot_model_load(path, &model) != STATUS_OK)
        return 2;
    if (description->board_count != NODES || description->joint_count != model->joint_count) {
        log_error("hrp3p.xml: has %u boards; give it %d, and the model's joints",
                  description->board_count, NODES);
        return 2;
    }
    motion->exchange.description = description;
    motion->exchange.window_ns = WINDOW_NS;
    return motion_core_init(&motion->core, model) == STATUS_OK ? 0 : 2;
}

static bool open_network(struct motion *motion)
{
    motion->sock = EtherRTSocket(SOCK_DGRAM, ETH_P_RT);
    bool good = motion->sock != NULL && EtherRTBind(motion->sock, NETWORK) == 0 &&
                ptp_open(&motion->ptp, NETWORK, "motion", NULL) == 0;
    for (unsigned n = 0; n < NODES && good; n++)
        good = EtherRTAddress(motion->sock, motion->exchange.description->board[n].name,
                              &motion->exchange.node[n].address) == 0;
    if (!good)
        perror("motion: " NETWORK);
    return good;
}

int main(int argc, char **argv)
{
    static struct motion motion;
    const bool corba = argc == 2 && strcmp(argv[1], "corba") == 0;
    if (participant_begin(corba ? 1 : argc, argv) != STATUS_OK)
        return 2;
    const int code = load(&motion);
    if (code != 0)
        return code;
    if (!open_network(&motion) ||
        participant_channel("cycle", CHANNEL_WRITE, sizeof(struct cycle_message),
                            &motion.cycle_channel) != STATUS_OK ||
        participant_channel("task", CHANNEL_READ, sizeof(struct task_message),
                            &motion.task_channel) != STATUS_OK ||
        participant_join(&motion.clk) != STATUS_OK)
        return 3;
    EtherRTClock(motion.clk);
    if (corba)
        motion.exchange.window_ns = WINDOW_CORBA_NS;
    if (corba && motion_corba_open(&motion.corba, motion.clk, &motion.exchange) != STATUS_OK) {
        perror("motion: CORBA over " NETWORK);
        return 3;
    }
    run(&motion);
}
