#include "harness/judge/promise_silence.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "harness/files/scenario.h"

// Who says what is heard on a channel.
struct speaker {
    const char *channel;
    const char *writer; // "": the target does not say
    const char *needs;  // channel without which the writer says nothing; ""
};

void promise_vacuous(struct oracle_verdict *verdict, const char *format, ...)
{
    char words[sizeof verdict->detail], why[sizeof verdict->detail - sizeof "vacuous: "];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(why, sizeof why, format, arguments);
    va_end(arguments);
    snprintf(words, sizeof words, "vacuous: %s", why);
    verdict_nothing(verdict, words);
}

bool promise_trial_was_whole(const struct analysis *a)
{
    return a->limit.count == 0 && a->end_s >= a->scenario->duration_s - 1e-6;
}

static struct speaker speaker_of(const struct target *target, const char *channel)
{
    struct speaker speaker = {channel, "", ""};
    for (unsigned i = 0; target != NULL && i < target->channel_count; i++)
        if (strcmp(target->channel[i].name, channel) == 0)
            speaker =
                (struct speaker){channel, target->channel[i].writer, target->channel[i].needs};
    for (unsigned i = 0; target != NULL && i < target->tap_count; i++) {
        const struct tap_config *tap = &target->tap[i];
        if (strcmp(tap->channel, channel) == 0)
            speaker.writer = tap->kind == TAP_STDOUT ? tap->name : tap->writer;
    }
    return speaker;
}

// Faults name a process, or its component.
static bool strikes_process(const struct analysis *a, const char *struck, const char *process)
{
    if (strcmp(struck, process) == 0)
        return true;
    for (unsigned i = 0; a->target != NULL && i < a->target->process_count; i++)
        if (strcmp(a->target->process[i].name, process) == 0)
            return strcmp(struck, a->target->process[i].component) == 0;
    return false;
}

static bool silences(const struct analysis *a, const struct in_force *fault,
                     const struct speaker *speaker)
{
    const char *struck = fault->event->component;
    if (fault->request->struck == STRUCK_CHANNEL)
        return strcmp(struck, speaker->channel) == 0 || strcmp(struck, speaker->needs) == 0;
    if (fault->request->struck != STRUCK_PROCESS || fault->request->loads != LOADS_NOTHING)
        return true; // all use it
    const struct speaker needed = speaker_of(a->target, speaker->needs);
    return strikes_process(a, struck, speaker->writer) || strikes_process(a, struck, needed.writer);
}

// The fault that accounts for silence throughout a window; NULL: none does.
static const struct in_force *silencer(const struct analysis *a, const struct speaker *speaker,
                                       double from_s, double to_s)
{
    for (unsigned i = 0; i < a->in_force_count; i++) {
        const struct in_force *fault = &a->in_force[i];
        if (fault->from_s <= from_s && fault->to_s >= to_s && silences(a, fault, speaker))
            return fault;
    }
    return NULL;
}

static uint64_t lost(const struct analysis *a, const char *channel)
{
    uint64_t frames = 0;
    for (size_t i = 0; i < a->loss.count; i++) {
        const struct loss_event *loss = a->loss.event[i]->data;
        if (strcmp(loss->channel, channel) == 0)
            frames += loss->frames;
    }
    return frames;
}

// Which process was not there yet when the window began: the last one to come.
static void tell_latecomer(const struct analysis *a, double from_s, char *words, size_t size)
{
    double latest_s = from_s;
    *words = '\0';
    for (unsigned i = 0; a->target != NULL && i < a->target->process_count; i++) {
        const char *name = a->target->process[i].name;
        const double ready_s = first_ready_s(a, name);
        if (ready_s <= from_s || ready_s < latest_s)
            continue;
        latest_s = ready_s;
        if (isfinite(ready_s))
            snprintf(words, size, "; %s was not ready before %.3f s", name, ready_s);
        else
            snprintf(words, size, "; %s was never ready", name);
    }
}

// The window's `after_s` that begins at an instant, rounded up to what is shown.
static double after_s(const struct promise *promise, double from_s, double known_s)
{
    return ceil((promise->after_s + known_s - from_s) * 1e3) * 1e-3;
}

void promise_late(const struct analysis *a, const struct promise *promise, double known_s,
                  double from_s, double to_s, struct oracle_verdict *verdict)
{
    char latecomer[96];
    tell_latecomer(a, from_s, latecomer, sizeof latecomer);
    if (promise->operator== FORMULA_EVENTUALLY) {
        verdict_count(verdict, 1, VERDICT_FAIL, "windows",
                      "at no instant from %.3f to %.3f s; no sample before %.3f s%s", from_s, to_s,
                      known_s, latecomer);
        verdict_broken_at(verdict, to_s);
    } else
        verdict_count(verdict, 1, VERDICT_ERROR, "windows",
                      "undecided from %.3f to %.3f s: a signal of it has no sample before %.3f s: "
                      "write `after_s: %.3f`%s",
                      from_s, to_s, known_s, after_s(promise, from_s, known_s), latecomer);
}

// Silence that is the target's: of a writer that it has, or of none.
static void tell_silence(const struct analysis *a, const struct speaker *speaker, const char *name,
                         double from_s, double to_s, struct oracle_verdict *verdict)
{
    char latecomer[96];
    const bool world = a->target != NULL && a->target->world[0] != '\0' &&
                       strcmp(speaker->writer, a->target->world) == 0 && !world_was_ended(a);
    const bool cut = a->limit.count > 0; // of which the judge makes that it was not seen
    tell_latecomer(a, from_s, latecomer, sizeof latecomer);
    verdict_count(verdict, 1, world || cut ? VERDICT_ERROR : VERDICT_FAIL, "samples",
                  "no sample of %s from %.3f to %.3f s: %s%s%s", name, from_s, to_s,
                  speaker->writer[0] != '\0' ? speaker->writer : "its writer", " was silent",
                  latecomer);
    verdict_broken_at(verdict, from_s);
}

void promise_silent(const struct analysis *a, const struct promise *promise,
                    const struct signal_name *signal, const struct formula_samples *samples,
                    double from_s, double to_s, struct oracle_verdict *verdict)
{
    const struct speaker speaker = speaker_of(a->target, signal->channel);
    const struct in_force *fault = silencer(a, &speaker, from_s, to_s);
    const uint64_t frames = lost(a, signal->channel);
    const double first_s = samples->count == 0 ? INFINITY : (double)samples->time_ns[0] * 1e-9;
    if (frames > 0)
        verdict_count(verdict, 1, VERDICT_ERROR, "samples",
                      "no sample of %s from %.3f to %.3f s, and the lab lost %llu messages of %s",
                      signal->name, from_s, to_s, (unsigned long long)frames, signal->channel);
    else if (fault != NULL)
        promise_vacuous(
            verdict,
            "no sample of %s from %.3f to %.3f s: the scenario's own %s of %s at %.3f s "
            "silences it; watch what goes on",
            signal->name, from_s, to_s, fault->event->fault, fault->event->component,
            fault->from_s);
    else if (isfinite(first_s) && first_s > to_s && promise->operator!= FORMULA_EVENTUALLY)
        promise_late(a, promise, first_s, from_s, to_s, verdict);
    else
        tell_silence(a, &speaker, signal->name, from_s, to_s, verdict);
}

// ---- no time passed -----------------------------------------------------------------------------

static bool ends_with(const char *name, size_t length, const char *end)
{
    const size_t size = strlen(end);
    return length > size && strncmp(name + length - size, end, size) == 0;
}

// Whether a name's unit is of time; that of a speed ends likewise.
static bool is_time(const char *name)
{
    static const char *const time[] = {"_s", "_ms", "_us", "_ns"};
    static const char *const rate[] = {"rad_s", "deg_s", "m_s", "N_s", "kg_s", "A_s", "C_s"};
    const size_t length = strcspn(name, "[");
    bool found = false;
    for (size_t i = 0; i < sizeof time / sizeof *time; i++)
        found |= ends_with(name, length, time[i]);
    for (size_t i = 0; i < sizeof rate / sizeof *rate; i++)
        found &= !ends_with(name, length, rate[i]);
    return found;
}

static bool is_nothing(const struct formula_samples *samples, const struct formula_window *window)
{
    size_t seen = 0;
    for (size_t i = 0; i < samples->count && samples->time_ns[i] <= window->to_ns; i++) {
        if (samples->time_ns[i] < window->from_ns)
            continue;
        if (samples->value[i] < 0 || samples->value[i] > 0)
            return false;
        seen++;
    }
    return seen > 0;
}

const char *promise_timeless(const struct signal_names *names, const struct formula_trace *trace,
                             const struct formula_window *window)
{
    for (unsigned i = 0; i < names->count; i++)
        if (is_time(names->signal[i].name) && is_nothing(&trace->signal[i], window))
            return names->signal[i].name;
    return NULL;
}
