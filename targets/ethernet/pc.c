// The PC: sends a command to each node every 5 ms, takes their answers, and says what came of the
// cycle. The nodes are its arguments, in the order in which they are sent to.
#include <stdio.h>
#include <string.h>

#include "base/log.h"
#include "cycle.h"
#include "ethernet/etherrt.h"
#include "robot/participant.h"
#include "talk.h"

#define NODES_MAX 31
#define BITS_OF_CYCLE 1000 // values differ from cycle to cycle

struct pc {
    EtherRTSock *sock;
    unsigned count;
    struct ether_addr node[NODES_MAX];
    bool answered[NODES_MAX];
    struct cycle_message message;
};

static void command_of(int64_t cycle, unsigned node, struct command *command)
{
    command->cycle = cycle;
    for (unsigned i = 0; i < sizeof command->value / sizeof command->value[0]; i++)
        command->value[i] = (int16_t)(cycle % BITS_OF_CYCLE + node + i);
}

static int32_t sum_for(int64_t cycle, unsigned node)
{
    struct command command;
    int32_t sum = 0;
    command_of(cycle, node, &command);
    for (unsigned i = 0; i < sizeof command.value / sizeof command.value[0]; i++)
        sum += command.value[i];
    return sum;
}

static double later_us(double us, int64_t ns)
{
    return (double)ns * 1e-3 > us ? (double)ns * 1e-3 : us;
}

static void take(struct pc *pc, const struct answer *answer, const struct EtherRTFrom *from)
{
    struct cycle_message *message = &pc->message;
    for (unsigned i = 0; i < pc->count; i++) {
        if (memcmp(&pc->node[i], &from->source, sizeof from->source) != 0)
            continue;
        if (answer->cycle != message->cycle || pc->answered[i] ||
            from->length_B != sizeof *answer) {
            message->late_or_twice++;
            return;
        }
        pc->answered[i] = true;
        message->answers++;
        message->wrong += answer->sum != sum_for(answer->cycle, i);
        message->command_us = later_us(message->command_us, answer->arrived_ns);
        message->answer_us =
            later_us(message->answer_us, from->time_ns - answer->cycle * CYCLE_NS - ANSWER_AT_NS);
        return;
    }
    message->late_or_twice++;
}

// What the last cycle brought.
static void conclude(struct pc *pc, struct channel *out, instant now)
{
    struct answer answer;
    struct EtherRTFrom from;
    struct cycle_message *message = &pc->message;
    while (EtherRTRecvFrom(pc->sock, &answer, sizeof answer, MSG_DONTWAIT, &from) == 0)
        take(pc, &answer, &from);
    message->time_ns = now.ns;
    message->expected = (int32_t)pc->count;
    message->lost += message->expected - message->answers;
    message->lost_cycles += message->answers < message->expected;
    if (channel_put(out, message, sizeof *message, now) != STATUS_OK)
        log_error("cannot publish the cycle");
}

static void send_commands(struct pc *pc, int64_t cycle)
{
    struct command command;
    pc->message.cycle = cycle;
    pc->message.answers = 0;
    pc->message.command_us = pc->message.answer_us = 0;
    memset(pc->answered, 0, sizeof pc->answered);
    for (unsigned i = 0; i < pc->count; i++) {
        command_of(cycle, i, &command);
        (void)EtherRTSendTo(pc->sock, &pc->node[i], &command, sizeof command,
                            0); // what is lost shows in the answers
    }
}

static int open_all(struct pc *pc, int argc, char **argv)
{
    pc->sock = EtherRTSocket(SOCK_DGRAM, ETH_P_RT);
    if (pc->sock == NULL || EtherRTBind(pc->sock, NETWORK) != 0) {
        perror("pc: " NETWORK);
        return 3;
    }
    for (int i = 1; i < argc; i++, pc->count++)
        if (pc->count == NODES_MAX ||
            EtherRTAddress(pc->sock, argv[i], &pc->node[pc->count]) != 0) {
            log_error("%s: not a host of %s; name hosts of target.yaml", argv[i], NETWORK);
            return 2;
        }
    return 0;
}

int main(int argc, char **argv)
{
    static struct pc pc;
    struct channel *out;
    struct clk *clk;
    log_program(argv[0]);
    const int code = open_all(&pc, argc, argv);
    if (code != 0)
        return code;
    if (participant_channel("cycle", CHANNEL_WRITE, sizeof pc.message, &out) != STATUS_OK ||
        participant_join(&clk) != STATUS_OK)
        return 3;
    EtherRTClock(clk);
    struct clk_period period = clk_period_start(clk, instant_ns(CYCLE_NS), duration_ns(CYCLE_NS));
    for (bool begun = false;; begun = true) {
        (void)clk_period_wait(clk, &period);
        const instant now = clk_now(clk);
        if (begun)
            conclude(&pc, out, now);
        send_commands(&pc, now.ns / CYCLE_NS);
    }
}
