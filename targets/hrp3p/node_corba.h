// A node as an object of joint.idl, over ERIOP: what comes is treated as frames are
// (node_link.h). Who may read and set limits is not asked; references are the PC's alone.
#pragma once

#include "base/status.h"
#include "joint_idl.h"
#include "targets/hrp3p/node_link.h"

#define CORBA_CHANNEL 1         // of the nodes' servers
#define CORBA_MESSAGE_MAX_B 512 // the longest is a state

struct node_corba {
    struct giop_orb *orb; // NULL: not opened
    struct clk *clk;
    const char *name;
    struct node_link *link;
    struct node_control *control;
    const struct link_registers *registers;
    struct hrp3p_limits widest[LINK_JOINTS];
    struct hrp3p_node_servant servant;
};

// Serves `name`; all that is given must stay valid. Errors as eriop_create.
enum status node_corba_open(struct node_corba *corba, struct clk *clk, const char *name,
                            struct node_link *link, struct node_control *control,
                            const struct link_registers *registers) MUST_CHECK;
// Does what has come since, and answers. Real-time safe.
void node_corba_work(struct node_corba *corba);
