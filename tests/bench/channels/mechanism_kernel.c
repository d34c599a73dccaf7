// What the kernel offers: a pipe, a seqpacket socket pair or a message queue to each reader.
#include <fcntl.h>
#include <mqueue.h>
#include <stdio.h>
#include <sys/socket.h>
#include <unistd.h>

#include "tests/bench/channels/frame.h"
#include "tests/bench/channels/mechanism.h"

#define BUFFER_B (1024 * 1024)
#define QUEUE_LENGTH 1 // more would be beyond RLIMIT_MSGQUEUE

struct kernel_reader {
    int file;
    unsigned char frame[FRAME_SIZE_MAX_B];
};

struct kernel_writer {
    unsigned readers;
    int file[READERS_MAX];
};

static void *new_reader(int file)
{
    struct kernel_reader *reader = bench_new(sizeof *reader);
    reader->file = file;
    return reader;
}

static void *new_writer(unsigned readers, int (*file_of)(unsigned))
{
    struct kernel_writer *writer = bench_new(sizeof *writer);
    writer->readers = readers;
    for (unsigned i = 0; i < readers; i++)
        writer->file[i] = file_of(i);
    return writer;
}

// ---- pipe ----

static int pipes[READERS_MAX][2];

static void pipe_prepare(unsigned readers, size_t size_max_B)
{
    (void)size_max_B;
    for (unsigned i = 0; i < readers; i++)
        if (pipe2(pipes[i], O_CLOEXEC) != 0 || fcntl(pipes[i][1], F_SETPIPE_SZ, BUFFER_B) < 0)
            bench_fail("pipe");
}

static int pipe_writer_file(unsigned reader)
{
    return pipes[reader][1];
}

static void *pipe_open_writer(unsigned readers)
{
    return new_writer(readers, pipe_writer_file);
}

static void *pipe_open_reader(unsigned reader)
{
    return new_reader(pipes[reader][0]);
}

static void pipe_send(void *end, const void *frame, size_t size_B)
{
    const struct kernel_writer *writer = end;
    for (unsigned i = 0; i < writer->readers; i++)
        if (write(writer->file[i], frame, size_B) != (ssize_t)size_B)
            bench_fail("pipe: write");
}

// A pipe keeps no frames apart. Since there is never more than one in it, a frame is over when the
// pipe is empty and as many bytes have come as its own header says (frame.h).
static const void *pipe_receive(void *end, size_t *size_B)
{
    struct kernel_reader *reader = end;
    size_t have_B = 0;
    do {
        ssize_t n = read(reader->file, reader->frame + have_B, sizeof reader->frame - have_B);
        if (n <= 0)
            bench_fail("pipe: read");
        have_B += (size_t)n;
    } while (have_B < frame_size_B(reader->frame, have_B));
    *size_B = have_B;
    return reader->frame;
}

const struct mechanism mechanism_pipe = {.name = "pipe",
                                         .kind = MECHANISM_KERNEL,
                                         .prepare = pipe_prepare,
                                         .open_writer = pipe_open_writer,
                                         .open_reader = pipe_open_reader,
                                         .send = pipe_send,
                                         .receive = pipe_receive};

// ---- AF_UNIX, SOCK_SEQPACKET ----

static int pairs[READERS_MAX][2];

static void seqpacket_prepare(unsigned readers, size_t size_max_B)
{
    (void)size_max_B;
    const int size_B = BUFFER_B;
    for (unsigned i = 0; i < readers; i++)
        if (socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, pairs[i]) != 0 ||
            setsockopt(pairs[i][1], SOL_SOCKET, SO_SNDBUF, &size_B, sizeof size_B) != 0)
            bench_fail("socketpair");
}

static int seqpacket_writer_file(unsigned reader)
{
    return pairs[reader][1];
}

static void *seqpacket_open_writer(unsigned readers)
{
    return new_writer(readers, seqpacket_writer_file);
}

static void *seqpacket_open_reader(unsigned reader)
{
    return new_reader(pairs[reader][0]);
}

static void seqpacket_send(void *end, const void *frame, size_t size_B)
{
    const struct kernel_writer *writer = end;
    for (unsigned i = 0; i < writer->readers; i++)
        if (send(writer->file[i], frame, size_B, 0) != (ssize_t)size_B)
            bench_fail("seqpacket: send");
}

static const void *seqpacket_receive(void *end, size_t *size_B)
{
    struct kernel_reader *reader = end;
    ssize_t n = recv(reader->file, reader->frame, sizeof reader->frame, 0);
    if (n <= 0)
        bench_fail("seqpacket: recv");
    *size_B = (size_t)n;
    return reader->frame;
}

const struct mechanism mechanism_seqpacket = {.name = "seqpacket",
                                              .kind = MECHANISM_KERNEL,
                                              .prepare = seqpacket_prepare,
                                              .open_writer = seqpacket_open_writer,
                                              .open_reader = seqpacket_open_reader,
                                              .send = seqpacket_send,
                                              .receive = seqpacket_receive};

// ---- POSIX message queue ----

// The world's own limit; a privilege lifts it, too.
static void mqueue_prepare(unsigned readers, size_t size_max_B)
{
    (void)readers;
    (void)size_max_B;
    FILE *file = fopen("/proc/sys/fs/mqueue/msgsize_max", "w");
    if (file == NULL)
        return;
    fprintf(file, "%d\n", FRAME_SIZE_MAX_B);
    fclose(file);
}

static mqd_t queue_open(unsigned reader, int flags)
{
    char name[32];
    struct mq_attr attributes = {.mq_maxmsg = QUEUE_LENGTH, .mq_msgsize = FRAME_SIZE_MAX_B};
    snprintf(name, sizeof name, "/bench-%u", reader);
    mqd_t queue = mq_open(name, flags | O_CLOEXEC, 0600, &attributes);
    if (queue < 0)
        bench_fail("mqueue %s of %d B (beyond fs.mqueue.msgsize_max this takes root)", name,
                   FRAME_SIZE_MAX_B);
    return queue;
}

static int mqueue_writer_file(unsigned reader)
{
    return queue_open(reader, O_WRONLY | O_CREAT);
}

static void *mqueue_open_writer(unsigned readers)
{
    return new_writer(readers, mqueue_writer_file);
}

static void *mqueue_open_reader(unsigned reader)
{
    return new_reader(queue_open(reader, O_RDONLY | O_CREAT));
}

static void mqueue_send(void *end, const void *frame, size_t size_B)
{
    const struct kernel_writer *writer = end;
    for (unsigned i = 0; i < writer->readers; i++)
        if (mq_send(writer->file[i], frame, size_B, 0) != 0)
            bench_fail("mqueue: send");
}

static const void *mqueue_receive(void *end, size_t *size_B)
{
    struct kernel_reader *reader = end;
    ssize_t n = mq_receive(reader->file, (char *)reader->frame, sizeof reader->frame, NULL);
    if (n < 0)
        bench_fail("mqueue: receive");
    *size_B = (size_t)n;
    return reader->frame;
}

const struct mechanism mechanism_mqueue = {.name = "mqueue",
                                           .kind = MECHANISM_KERNEL,
                                           .prepare = mqueue_prepare,
                                           .open_writer = mqueue_open_writer,
                                           .open_reader = mqueue_open_reader,
                                           .send = mqueue_send,
                                           .receive = mqueue_receive};
