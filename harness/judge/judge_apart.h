// Judging in a process of its own, for a limited time: whatever a history holds, the lab goes on.
#pragma once

#include "harness/judge/judge.h"

// As judge(). ERROR of "lab" if it takes more than limit_s during which the machine ran, or if no
// process can be had (noted, base/trouble.h). If a signal ends the judging, it ends the caller.
void judge_apart(const struct judged *judged, const struct judge_cell *cell, double limit_s,
                 struct judgement *judgement);
