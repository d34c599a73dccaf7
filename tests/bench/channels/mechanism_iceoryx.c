// iceoryx: chunks in shared memory, lent by its daemon RouDi. The writer copies its frame into a
// chunk; a reader reads where it lies.
#include "tests/bench/channels/mechanism.h"

#if __has_include("iceoryx_binding_c/publisher.h")
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <unistd.h>

#include "iceoryx_binding_c/log.h"
#include "iceoryx_binding_c/publisher.h"
#include "iceoryx_binding_c/runtime.h"
#include "iceoryx_binding_c/subscriber.h"
#include "iceoryx_binding_c/wait_set.h"
#include "tests/bench/channels/frame.h"

#define DAEMON "iox-roudi"
#define DAEMON_CONFIGURATION "/dev/shm/roudi.toml"
#define SERVICE "ukemi", "bench", "frame"

struct end {
    iox_pub_storage_t publisher_storage;
    iox_sub_storage_t subscriber_storage;
    iox_ws_storage_t waitset_storage;
    iox_pub_t publisher;
    iox_sub_t subscriber;
    iox_ws_t waitset;
    const void *chunk; // lent to a reader
};

static void write_configuration(void)
{
    FILE *file = fopen(DAEMON_CONFIGURATION, "w");
    if (file == NULL)
        bench_fail("%s", DAEMON_CONFIGURATION);
    fprintf(file, "[general]\nversion = 1\n[[segment]]\n");
    for (unsigned size_B = 128; size_B < 2 * FRAME_SIZE_MAX_B; size_B *= 4)
        fprintf(file, "[[segment.mempool]]\nsize = %u\ncount = 64\n", size_B);
    fprintf(file, "[[segment.mempool]]\nsize = %u\ncount = 64\n", 2 * FRAME_SIZE_MAX_B);
    if (fclose(file) != 0)
        bench_fail("%s", DAEMON_CONFIGURATION);
}

static void prepare(unsigned readers, size_t size_max_B)
{
    (void)readers;
    (void)size_max_B;
    write_configuration();
    if (fork() != 0)
        return;
    // It tells what it does, on both.
    int nowhere = open("/dev/null", O_WRONLY);
    dup2(nowhere, STDOUT_FILENO);
    dup2(nowhere, STDERR_FILENO);
    execlp(DAEMON, DAEMON, "--config-file", DAEMON_CONFIGURATION, "--log-level", "error", "-m",
           "off", NULL);
    _exit(3); // then no end of it is ever ready, and said not to be
}

static struct end *open_end(const char *name)
{
    iox_set_loglevel(Iceoryx_LogLevel_Error);
    iox_runtime_init(name); // waits for the daemon
    return bench_new(sizeof(struct end));
}

static void *open_writer(unsigned readers)
{
    (void)readers;
    struct end *end = open_end("writer");
    iox_pub_options_t options;
    iox_pub_options_init(&options);
    options.nodeName = "bench";
    end->publisher = iox_pub_init(&end->publisher_storage, SERVICE, &options);
    return end;
}

static void *open_reader(unsigned reader)
{
    char name[16];
    snprintf(name, sizeof name, "reader-%u", reader);
    struct end *end = open_end(name);
    iox_sub_options_t options;
    iox_sub_options_init(&options);
    options.queueCapacity = 10;
    options.nodeName = "bench";
    end->subscriber = iox_sub_init(&end->subscriber_storage, SERVICE, &options);
    end->waitset = iox_ws_init(&end->waitset_storage);
    if (iox_ws_attach_subscriber_event(end->waitset, end->subscriber, SubscriberEvent_DATA_RECEIVED,
                                       1, NULL) != WaitSetResult_SUCCESS)
        bench_fail("iceoryx: cannot wait for frames");
    return end;
}

static void send_frame(void *writer, const void *frame, size_t size_B)
{
    struct end *end = writer;
    void *loan;
    if (iox_pub_loan_chunk(end->publisher, &loan, (uint32_t)size_B) != AllocationResult_SUCCESS)
        bench_fail("iceoryx: no chunk of %zu B", size_B);
    memcpy(loan, frame, size_B);
    iox_pub_publish_chunk(end->publisher, loan);
}

static const void *receive(void *reader, size_t *size_B)
{
    struct end *end = reader;
    uint64_t missed;
    iox_notification_info_t events[1];
    while (iox_sub_take_chunk(end->subscriber, &end->chunk) != ChunkReceiveResult_SUCCESS)
        (void)iox_ws_wait(end->waitset, events, 1, &missed);
    *size_B = frame_size_B(end->chunk, FRAME_SIZE_MIN_B); // its C binding does not tell
    return end->chunk;
}

static void done(void *reader)
{
    struct end *end = reader;
    iox_sub_release_chunk(end->subscriber, end->chunk);
}

const struct mechanism mechanism_iceoryx = PEER("iceoryx", .prepare = prepare, .done = done);
#else
const struct mechanism mechanism_iceoryx =
    PEER_WITHOUT("iceoryx", "iceoryx libiceoryx-binding-c-dev");
#endif
