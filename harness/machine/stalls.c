#include "harness/machine/stalls.h"

void stall_list_add(struct stall_list *list, int64_t begin_ns, int64_t end_ns)
{
    if (end_ns < begin_ns)
        return;
    list->happened++;
    struct stall *last = list->count > 0 ? &list->window[list->count - 1] : 0;
    const bool joins = last != 0 && (begin_ns <= last->end_ns || list->count == STALLS_MAX);
    if (!joins) {
        list->window[list->count++] = (struct stall){begin_ns, end_ns};
        list->total_ns += end_ns - begin_ns;
        return;
    }
    if (end_ns <= last->end_ns)
        return;
    list->total_ns += end_ns - last->end_ns;
    last->end_ns = end_ns;
}

bool stall_list_touches(const struct stall_list *list, int64_t from_ns, int64_t to_ns)
{
    // The first window that does not end before `from`.
    uint32_t low = 0, high = list->count;
    while (low < high) {
        const uint32_t middle = low + (high - low) / 2;
        if (list->window[middle].end_ns < from_ns)
            low = middle + 1;
        else
            high = middle;
    }
    return low < list->count && list->window[low].begin_ns <= to_ns;
}

int64_t stall_unexplained_ns(const struct stall_wake *wake)
{
    const int64_t late_ns = wake->woke_ns - wake->due_ns;
    const int64_t unexplained_ns = late_ns - wake->queued_ns;
    return unexplained_ns > 0 ? unexplained_ns : 0;
}

bool stall_list_judge(struct stall_list *list, const struct stall_wake *wake, int64_t threshold_ns)
{
    if (stall_unexplained_ns(wake) <= threshold_ns)
        return false;
    stall_list_add(list, wake->seen_ns, wake->woke_ns);
    return true;
}

bool stall_list_judge_held(struct stall_list *list, const struct stall_wake *wake,
                           int64_t threshold_ns, int64_t longest_ns)
{
    const int64_t late_ns = wake->woke_ns - wake->due_ns;
    if (late_ns <= threshold_ns || late_ns > longest_ns)
        return false;
    stall_list_add(list, wake->seen_ns, wake->woke_ns);
    return true;
}
