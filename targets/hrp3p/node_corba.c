#include "targets/hrp3p/node_corba.h"

#include <stdio.h>
#include <string.h>

#include "clock/clock.h"

#define CONNECTIONS 4   // the PC's, the gateway's, and two that were there before
#define MESSAGES_MAX 64 // of one tick: no stranger keeps the node from its joints

_Static_assert(HRP3P_JOINTS_MAX == LINK_JOINTS && HRP3P_SENSORS == LINK_SENSORS,
               "joint.idl is of other boards");

static void set_references(void *self, const struct giop_call *call, uint32_t cycle, uint32_t sum,
                           const struct hrp3p_references *wanted)
{
    struct node_corba *corba = self;
    struct command_frame frame = {.head = {FRAME_COMMAND, (uint16_t)wanted->count, cycle, sum}};
    struct node_command command[LINK_JOINTS];
    struct ether_addr from;
    for (unsigned i = 0; i < wanted->count; i++) {
        frame.joint[i].angle = wanted->item[i].angle;
        frame.joint[i].p = wanted->item[i].p;
        frame.joint[i].d = wanted->item[i].d;
    }
    (void)call->transport->operations->peer(call->transport, call->connection,
                                            from.ether_addr_octet);
    if (node_link_take(corba->link, &from, &frame, sizeof frame, clk_now(corba->clk).ns,
                       corba->control->joint_count, command))
        node_take(corba->control, command);
}

static void read_state(void *self, const struct giop_call *call, struct hrp3p_state *result)
{
    const struct node_corba *corba = self;
    struct answer_frame answer;
    (void)call;
    node_link_answer(corba->link, corba->control, corba->registers, clk_now(corba->clk).ns,
                     &answer);
    frame_seal(&answer, sizeof answer);
    *result = (struct hrp3p_state){.cycle = answer.head.cycle,
                                   .used_cycle = answer.used_cycle,
                                   .used_sum = answer.used_sum,
                                   .used_age_us = answer.used_age_us,
                                   .stale = answer.stale,
                                   .doubled = answer.doubled,
                                   .foreign = answer.foreign,
                                   .unsound = answer.unsound,
                                   .kept_us = answer.kept_us,
                                   .late = answer.late,
                                   .doing = (enum hrp3p_mode)answer.mode,
                                   .joint.count = answer.head.count,
                                   .sum = answer.head.sum};
    for (unsigned i = 0; i < answer.head.count; i++)
        result->joint.item[i] = (struct hrp3p_joint){answer.joint[i].angle, answer.joint[i].torque,
                                                     answer.joint[i].temperature};
    memcpy(result->sensor, answer.sensor, sizeof result->sensor);
}

static void get_name(void *self, const struct giop_call *call, char result[16])
{
    (void)call;
    snprintf(result, 16, "%s", ((const struct node_corba *)self)->name);
}

static bool has_joint(const struct node_corba *corba, uint16_t joint,
                      struct hrp3p_node_raised *raised)
{
    if (joint < corba->control->joint_count)
        return true;
    raised->which = HRP3P_NODE_RAISED_NO_SUCH_JOINT;
    raised->no_such_joint.joints = (uint16_t)corba->control->joint_count;
    return false;
}

static void read_limits(void *self, const struct giop_call *call, uint16_t joint,
                        struct hrp3p_limits *result, struct hrp3p_node_raised *raised)
{
    const struct node_corba *corba = self;
    (void)call;
    if (has_joint(corba, joint, raised))
        *result = (struct hrp3p_limits){corba->control->joint[joint].min_rad,
                                        corba->control->joint[joint].max_rad};
}

static void set_limits(void *self, const struct giop_call *call, uint16_t joint,
                       const struct hrp3p_limits *within, struct hrp3p_node_raised *raised)
{
    struct node_corba *corba = self;
    (void)call;
    if (!has_joint(corba, joint, raised))
        return;
    const struct hrp3p_limits *widest = &corba->widest[joint];
    if (!(within->min_rad >= widest->min_rad && within->max_rad <= widest->max_rad &&
          within->min_rad < within->max_rad)) { // nor what is no number
        raised->which = HRP3P_NODE_RAISED_BAD_LIMITS;
        raised->bad_limits.widest = *widest;
        return;
    }
    corba->control->joint[joint].min_rad = within->min_rad;
    corba->control->joint[joint].max_rad = within->max_rad;
}

void node_corba_work(struct node_corba *corba)
{
    (void)giop_orb_work(corba->orb, MESSAGES_MAX, clk_now(corba->clk).ns);
}

enum status node_corba_open(struct node_corba *corba, struct clk *clk, const char *name,
                            struct node_link *link, struct node_control *control,
                            const struct link_registers *registers)
{
    struct giop_transport *transport;
    *corba = (struct node_corba){.clk = clk,
                                 .name = name,
                                 .link = link,
                                 .control = control,
                                 .registers = registers,
                                 .servant = {.self = corba,
                                             .set_references = set_references,
                                             .read_state = read_state,
                                             .get_name = get_name,
                                             .read_limits = read_limits,
                                             .set_limits = set_limits}};
    for (unsigned i = 0; i < control->joint_count; i++)
        corba->widest[i] =
            (struct hrp3p_limits){control->joint[i].min_rad, control->joint[i].max_rad};
    enum status status =
        eriop_create(clk, NETWORK, CORBA_CHANNEL, CONNECTIONS, CORBA_MESSAGE_MAX_B, &transport);
    if (status == STATUS_OK)
        status = giop_orb_create(transport, CORBA_MESSAGE_MAX_B, 0, &corba->orb);
    if (status == STATUS_OK)
        status =
            giop_orb_serve(corba->orb, name, HRP3P_NODE_TYPE, hrp3p_node_skeleton, &corba->servant);
    return status;
}
