#include "robot/participant.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "base/log.h"

static bool silent; // no stamps

enum status participant_begin(int argc, char **argv)
{
    log_program(argv[0]);
    if (argc <= 1)
        return STATUS_OK;
    log_error("%s: takes no argument; remove it", argv[1]);
    return STATUS_INVALID;
}

enum status participant_channel(const char *name, enum channel_role role, size_t frame_size_B,
                                struct channel **channel)
{
    enum status status = channel_open(name, role, channel);
    if (status != STATUS_OK) {
        log_error(
            "channel %s: %s; is this started inside a cell, and is the channel in target.yaml?",
            name, status_text(status));
        return status;
    }
    const size_t largest_B = channel_frame_size_max_B(*channel);
    if (largest_B >= frame_size_B)
        return STATUS_OK;
    log_error("channel %s: frame_size_max_B: %zu: messages have %zu B; raise it in target.yaml",
              name, largest_B, frame_size_B);
    channel_close(*channel);
    return STATUS_TOO_LARGE;
}

// Of a thread, from UKEMI_THREADS ("NAME=PRIORITY ..."); 0: none is given.
static int priority_of(const char *thread)
{
    const char *words = getenv("UKEMI_THREADS");
    const size_t length = strlen(thread);
    while (words != NULL && *words != '\0') {
        if (strncmp(words, thread, length) == 0 && words[length] == '=')
            return (int)strtol(words + length + 1, NULL, 10);
        words += strcspn(words, " ");
        words += strspn(words, " ");
    }
    return 0;
}

enum status participant_join_thread(const char *thread, struct clk **clk)
{
    if (clk_realtime(priority_of(thread)) != STATUS_OK)
        log_info("%s: no real-time scheduling here: going on at normal priority", thread);
    const enum status status = clk_join_thread(thread, clk);
    if (status != STATUS_OK)
        log_error("clock: thread %s: %s; does target.yaml name it once, among this process's "
                  "`threads`?",
                  thread, status_text(status));
    return status;
}

enum status participant_join(struct clk **clk)
{
    const char *probes = getenv("UKEMI_ENV_PROBES");
    silent = probes != NULL && strcmp(probes, "off") == 0;
    const char *priority = getenv("UKEMI_PRIORITY");
    if (priority == NULL || clk_realtime((int)strtol(priority, NULL, 10)) != STATUS_OK)
        log_info("no real-time scheduling here: going on at normal priority");
    const enum status status = clk_join(clk);
    if (status != STATUS_OK)
        log_error("clock: %s; is UKEMI_PARTICIPANT a process of this cell?", status_text(status));
    return status;
}

instant participant_stamp(const struct clk *clk)
{
    return silent ? instant_ns(0) : clk_now(clk);
}
