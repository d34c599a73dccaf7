#include "harness/bench/interference/interference_bench.h"

#include "base/text.h"

#define LIMIT_MARGIN_S 60 // the samplers outlive a trial by so much at most

static enum status start_samplers(const struct scenario *scenario, struct machine_floor **samplers)
{
    // That the kernel held a core may be the load's doing, so it is no excuse here.
    const struct machine_floor_request request = {
        .stalls_only = true, .limit_ns = duration_s(scenario->duration_s + LIMIT_MARGIN_S).ns};
    return machine_floor_start(&request, samplers);
}

static enum status measure(const struct job *job, const struct history *history,
                           const struct floor_record *floor, int64_t epoch_ns,
                           struct interference *measured, char *trouble, size_t size)
{
    struct interference_times times;
    struct latency_record latency = {0};
    const enum status status = latency_measure(history, job->description, &latency);
    if (status == STATUS_OK && interference_times_of(history, &times))
        interference_add(measured, &latency, &times, floor, epoch_ns);
    else if (status == STATUS_OK)
        text_copy(trouble, size, "the fault was not both applied and undone");
    latency_free(&latency);
    return status;
}

enum status interference_bench_run(const struct job *job, struct interference *measured,
                                   struct trial_record *record, char *trouble, size_t size)
{
    struct history *history = NULL;
    struct machine_floor *samplers;
    enum status status = start_samplers(job->scenario, &samplers);
    if (status != STATUS_OK)
        return status;
    job_run(job, record, &history);
    machine_floor_stop(samplers);
    job_trouble(record, history, trouble, size);
    if (trouble[0] == '\0')
        status = measure(job, history, machine_floor_record(samplers), record->result.epoch_ns,
                         measured, trouble, size);
    machine_floor_free(samplers);
    history_free(history);
    return status;
}
