// The motion PC's exchange by calls of the nodes' objects (joint.idl): references one-way, then the
// state, of all nodes at once; replies are collected when the window is over. A call without a
// reply by then is a TIMEOUT, and shows as a lost answer.
#pragma once

#include "base/status.h"
#include "joint_idl.h"
#include "targets/hrp3p/exchange.h"

struct motion_corba {
    struct giop_orb *orb; // NULL: not opened
    struct clk *clk;
    struct exchange *exchange;
    struct giop_object node[NODES];
};

// The exchange knows the nodes; it must stay valid. Errors as eriop_create.
enum status motion_corba_open(struct motion_corba *corba, struct clk *clk,
                              struct exchange *exchange) MUST_CHECK;
// NULL: no references yet. Real-time safe, as is the other.
void motion_corba_send(struct motion_corba *corba, const double *reference_rad);
void motion_corba_receive(struct motion_corba *corba, int64_t begin_ns);
