#include "harness/trial/taps.h"

#include <arpa/inet.h>
#include <errno.h>
#include <netinet/in.h>
#include <stdalign.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <time.h>
#include <unistd.h>

#include "base/invariant.h"
#include "base/text.h"
#include "base/trouble.h"
#include "harness/files/target/target.h"
#include "harness/history/bytes.h"
#include "harness/history/line_pattern.h"
#include "harness/history/schema.h"

#define SCHEMA_TAP "tap_event"
#define SCHEMA_LOSS "loss_event"
#define DATAGRAM_MAX_B 65536
#define RECORD_B 64                     // what a datagram costs beside its bytes
#define DRAIN_MAX 4096                  // datagrams of one socket in a look
#define WAITING_MAX_B ((size_t)4 << 20) // beyond, they wait in the socket

struct waiting { // read, not yet recorded; its bytes follow, up to a multiple of 8
    instant time;
    uint64_t size_B;
};

struct tap {
    const struct tap_config *config;
    const struct schema *schema;
    unsigned topic;
    uint64_t number;  // of its frames
    int socket;       // -1: it hears a process
    uint32_t dropped; // by the kernel, as far as is known
    uint64_t lost;    // of these not yet recorded
    uint64_t sent_B;  // to it, in all
    bool made_room;   // since it was asked
    struct line_pattern *pattern;
    struct bytes waiting;
    struct tap_event bad; // not yet recorded
};

struct taps {
    struct history *history;
    bool real_time;
    unsigned count;
    struct tap tap[TAPS_MAX];
    int bad_topic, loss_topic; // -1: not needed so far
    uint8_t *datagram;
    size_t datagram_max_B;
};

// ---- what is kept until it is recorded ---------------------------------------------------------

static void keep(struct tap *tap, instant time, const void *data, size_t size_B)
{
    static const uint8_t zeros[8];
    const struct waiting head = {time, size_B};
    bytes_put(&tap->waiting, &head, sizeof head);
    bytes_put(&tap->waiting, data, size_B);
    bytes_put(&tap->waiting, zeros, (8 - size_B % 8) % 8);
    // A head lies as its type wants.
    ensures(tap->waiting.failed || tap->waiting.size % 8 == 0);
}

// Counts what is no message; the first one is worded.
__attribute__((format(printf, 3, 4))) static void note_bad(struct tap *tap, instant time,
                                                           const char *format, ...)
{
    if (tap->bad.messages++ > 0)
        return;
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(tap->bad.words, sizeof tap->bad.words, format, arguments);
    va_end(arguments);
    text_clean(tap->bad.words);
    tap->bad.time = time;
}

// ---- sockets -----------------------------------------------------------------------------------

static enum status fail(char *reason, size_t size, const struct tap_config *config)
{
    (void)trouble_note(errno);
    snprintf(reason, size, "tap %s: %s: %s", config->channel, config->from, strerror(errno));
    return STATUS_SYSTEM;
}

static bool bind_unix(int socket, const char *cell, const char *name)
{
    struct sockaddr_un address = {.sun_family = AF_UNIX};
    char folder[sizeof address.sun_path];
    snprintf(folder, sizeof folder, "%s/" TAPS_FOLDER, cell);
    if ((mkdir(folder, 0755) != 0 && errno != EEXIST) || chmod(folder, 0755) != 0)
        return false;
    if ((size_t)snprintf(address.sun_path, sizeof address.sun_path, "%s/%s", folder, name) >=
        sizeof address.sun_path) {
        errno = ENAMETOOLONG;
        return false;
    }
    return bind(socket, (const struct sockaddr *)&address, sizeof address) == 0 &&
           chmod(address.sun_path, 0666) == 0;
}

static bool bind_udp(int socket, const char *port)
{
    const struct sockaddr_in address = {.sin_family = AF_INET,
                                        .sin_port = htons((uint16_t)strtoul(port, NULL, 10)),
                                        .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
    return bind(socket, (const struct sockaddr *)&address, sizeof address) == 0;
}

static enum status open_socket(struct tap *tap, const char *cell, char *reason, size_t size)
{
    const struct tap_config *config = tap->config;
    const bool local = config->kind == TAP_UNIX;
    const int on = 1;
    tap->socket = socket(local ? AF_UNIX : AF_INET, SOCK_DGRAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
    if (tap->socket < 0 ||
        !(local ? bind_unix(tap->socket, cell, config->name)
                : bind_udp(tap->socket, config->name)) ||
        setsockopt(tap->socket, SOL_SOCKET, SO_TIMESTAMPNS, &on, sizeof on) != 0 ||
        (!local && setsockopt(tap->socket, SOL_SOCKET, SO_RXQ_OVFL, &on, sizeof on) != 0))
        return fail(reason, size, config);
    return STATUS_OK;
}

// When it was sent, by the kernel's stamp: of real time, which is all that counts in wall mode.
static instant when(const struct timespec *stamp, instant now)
{
    struct timespec present;
    if (clock_gettime(CLOCK_REALTIME, &present) != 0)
        return now;
    const int64_t age_ns =
        (present.tv_sec - stamp->tv_sec) * INT64_C(1000000000) + (present.tv_nsec - stamp->tv_nsec);
    return age_ns > 0 && age_ns < now.ns ? instant_ns(now.ns - age_ns) : now;
}

static void read_notes(struct tap *tap, struct msghdr *message, bool real_time, instant *time)
{
    for (struct cmsghdr *note = CMSG_FIRSTHDR(message); note; note = CMSG_NXTHDR(message, note)) {
        if (note->cmsg_level != SOL_SOCKET)
            continue;
        if (note->cmsg_type == SO_TIMESTAMPNS && real_time) {
            struct timespec stamp;
            memcpy(&stamp, CMSG_DATA(note), sizeof stamp);
            *time = when(&stamp, *time);
        } else if (note->cmsg_type == SO_RXQ_OVFL) {
            uint32_t dropped;
            memcpy(&dropped, CMSG_DATA(note), sizeof dropped);
            tap->lost += dropped - tap->dropped;
            tap->dropped = dropped;
        }
    }
}

// False: there is none.
static bool take_datagram(struct taps *taps, struct tap *tap, instant now)
{
    expects(tap->socket >= 0 && taps->datagram != NULL);
    alignas(struct cmsghdr) char notes[128];
    struct iovec part = {taps->datagram, taps->datagram_max_B};
    struct msghdr message = {
        .msg_iov = &part, .msg_iovlen = 1, .msg_control = notes, .msg_controllen = sizeof notes};
    const ssize_t got = recvmsg(tap->socket, &message, MSG_TRUNC | MSG_CMSG_CLOEXEC);
    if (got < 0)
        return false;
    read_notes(tap, &message, taps->real_time, &now);
    tap->made_room |= tap->config->kind == TAP_UNIX; // a port drops what it has no room for
    tap->sent_B += (uint64_t)got + RECORD_B;
    if ((size_t)got <= taps->datagram_max_B && schema_fits(tap->schema, (size_t)got))
        keep(tap, now, taps->datagram, (size_t)got);
    else
        note_bad(tap, now, "%zd bytes; a %.95s has %s%zu", got, tap->config->message,
                 tap->schema->element_size_B > 0 ? "at least " : "", tap->schema->head_size_B);
    return true;
}

void taps_drain(struct taps *taps, instant now)
{
    for (unsigned i = 0; i < taps->count; i++) {
        struct tap *tap = &taps->tap[i];
        for (int n = 0; tap->socket >= 0 && n < DRAIN_MAX && tap->waiting.size < WAITING_MAX_B; n++)
            if (!take_datagram(taps, tap, now))
                break;
    }
}

const char *taps_flooded(const struct taps *taps, double allowed_MB, double *used_MB)
{
    for (unsigned i = 0; i < taps->count; i++) {
        *used_MB = (double)taps->tap[i].sent_B / (1024 * 1024);
        if (*used_MB > allowed_MB)
            return taps->tap[i].config->channel;
    }
    return NULL;
}

bool taps_made_room(struct taps *taps)
{
    bool made = false;
    for (unsigned i = 0; i < taps->count; i++) {
        made |= taps->tap[i].made_room;
        taps->tap[i].made_room = false;
    }
    return made;
}

// ---- lines -------------------------------------------------------------------------------------

static void take_line(struct tap *tap, const struct output_line *line)
{
    expects(tap->pattern != NULL && tap->socket < 0);
    double values[LINE_FIELDS_MAX];
    const size_t size_B = line_pattern_fields(tap->pattern) * sizeof values[0];
    const enum line_found found = line_pattern_read(tap->pattern, line->text, line->length, values);
    if (found == LINE_NUMBERS)
        keep(tap, line->time, values, size_B);
    else if (found == LINE_BAD)
        note_bad(tap, line->time, "no number: %.80s", line->text);
}

void taps_hear(struct taps *taps, const struct output_line *line)
{
    for (unsigned i = 0; i < taps->count; i++) {
        const struct tap_config *config = taps->tap[i].config;
        if (config->kind == TAP_STDOUT && strcmp(config->name, line->process) == 0)
            take_line(&taps->tap[i], line);
    }
}

// ---- recording ---------------------------------------------------------------------------------

// An event of a topic that only exists where something is wrong.
static enum status append_rare(struct taps *taps, int *topic, const char *name, const char *schema,
                               instant time, const void *data, size_t size_B)
{
    unsigned new;
    const int there = history_topic(taps->history, name);
    enum status status = STATUS_OK;
    if (*topic < 0 && there >= 0) {
        *topic = there;
    } else if (*topic < 0) {
        status = history_add_topic(taps->history, name, schema, &new);
        *topic = status == STATUS_OK ? (int)new : -1;
    }
    return status != STATUS_OK
               ? status
               : history_append(taps->history, (unsigned)*topic, 0, time, data, size_B);
}

static enum status record_loss(struct taps *taps, struct tap *tap, instant now)
{
    struct loss_event event = {.time = now, .frames = tap->lost, .held = 0};
    if (tap->lost == 0)
        return STATUS_OK;
    text_copy(event.channel, sizeof event.channel, tap->config->channel);
    tap->number += tap->lost; // the judge sees the gap
    tap->lost = 0;
    return append_rare(taps, &taps->loss_topic, TOPIC_LOSS, SCHEMA_LOSS, now, &event, sizeof event);
}

static enum status record_bad(struct taps *taps, struct tap *tap)
{
    const struct tap_event event = tap->bad;
    if (event.messages == 0)
        return STATUS_OK;
    tap->bad.messages = 0;
    return append_rare(taps, &taps->bad_topic, TOPIC_TAP, SCHEMA_TAP, event.time, &event,
                       sizeof event);
}

static enum status record_waiting(struct taps *taps, struct tap *tap, struct watch *watch)
{
    enum status status = tap->waiting.failed ? STATUS_NO_MEMORY : STATUS_OK;
    for (size_t at = 0; at < tap->waiting.size && status == STATUS_OK;) {
        struct waiting head;
        invariant(at + sizeof head <= tap->waiting.size);
        memcpy(&head, tap->waiting.data + at, sizeof head);
        at += sizeof head;
        status = history_append(taps->history, tap->topic, ++tap->number, head.time,
                                tap->waiting.data + at, head.size_B);
        if (status == STATUS_OK)
            watch_take(watch, history_event(taps->history, history_length(taps->history) - 1));
        at += (head.size_B + 7) / 8 * 8;
        invariant(at <= tap->waiting.size);
    }
    tap->waiting.size = 0;
    return status;
}

enum status taps_record(struct taps *taps, instant now, struct watch *watch)
{
    enum status status = STATUS_OK;
    taps_drain(taps, now);
    for (unsigned i = 0; i < taps->count && status == STATUS_OK; i++) {
        struct tap *tap = &taps->tap[i];
        status = record_loss(taps, tap, now);
        if (status == STATUS_OK)
            status = record_waiting(taps, tap, watch);
        if (status == STATUS_OK)
            status = record_bad(taps, tap);
    }
    return status;
}

// ---- creation ----------------------------------------------------------------------------------

static enum status add(struct taps *taps, const char *cell, const struct tap_config *config,
                       char *reason, size_t size)
{
    expects(taps->count < TAPS_MAX);
    struct tap *tap = &taps->tap[taps->count++];
    *tap = (struct tap){.config = config, .socket = -1, .schema = schema_find(config->message)};
    text_copy(tap->bad.tap, sizeof tap->bad.tap, config->channel);
    if (tap->schema == NULL) // the loader has declared it
        return STATUS_NOT_FOUND;
    if (tap->schema->size_max_B > taps->datagram_max_B)
        taps->datagram_max_B = tap->schema->size_max_B;
    enum status status = config->kind == TAP_STDOUT
                             ? line_pattern_create(config->fields, &tap->pattern, reason, size)
                             : open_socket(tap, cell, reason, size);
    if (status == STATUS_OK)
        status = history_add_topic(taps->history, config->channel, config->message, &tap->topic);
    return status;
}

enum status taps_create(const char *cell, const struct target *target, enum clk_mode mode,
                        struct history *history, struct taps **result, char *reason, size_t size)
{
    struct taps *taps = calloc(1, sizeof *taps);
    if (taps == NULL)
        return STATUS_NO_MEMORY;
    taps->history = history;
    taps->real_time = mode == CLK_WALL;
    taps->bad_topic = taps->loss_topic = -1;
    enum status status = STATUS_OK;
    for (unsigned i = 0; i < target->tap_count && status == STATUS_OK; i++)
        status = add(taps, cell, &target->tap[i], reason, size);
    if (taps->datagram_max_B > DATAGRAM_MAX_B)
        taps->datagram_max_B = DATAGRAM_MAX_B;
    taps->datagram = malloc(taps->datagram_max_B + 1);
    if (status == STATUS_OK && taps->datagram == NULL)
        status = STATUS_NO_MEMORY;
    if (status == STATUS_OK)
        *result = taps;
    else
        taps_free(taps);
    return status;
}

void taps_free(struct taps *taps)
{
    if (taps == NULL)
        return;
    for (unsigned i = 0; i < taps->count; i++) {
        struct tap *tap = &taps->tap[i];
        if (tap->socket >= 0)
            close(tap->socket);
        line_pattern_free(tap->pattern);
        bytes_free(&tap->waiting);
    }
    free(taps->datagram);
    free(taps);
}
