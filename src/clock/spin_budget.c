#include "clock/spin_budget.h"

int64_t spin_budget_allow(struct spin_budget *budget, int64_t now_ns, int64_t wanted_ns)
{
    const int64_t since_ns = now_ns - budget->at_ns;
    budget->at_ns = now_ns;
    if (since_ns >= SPIN_BURST_NS * SPIN_SHARE && budget->left_ns >= 0) // also keeps the sum small
        budget->left_ns = SPIN_BURST_NS;
    else if (since_ns > 0)
        budget->left_ns += since_ns / SPIN_SHARE;
    if (budget->left_ns > SPIN_BURST_NS)
        budget->left_ns = SPIN_BURST_NS;
    const int64_t allowed_ns = wanted_ns < budget->left_ns ? wanted_ns : budget->left_ns;
    return allowed_ns > 0 ? allowed_ns : 0;
}

void spin_budget_spend(struct spin_budget *budget, int64_t spent_ns)
{
    budget->left_ns -= spent_ns;
}
