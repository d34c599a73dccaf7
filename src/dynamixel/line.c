#include "dynamixel/line.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/invariant.h"
#include "dynamixel/line_private.h"

// A burst is forgotten when even the slowest receiver has heard its last byte.
#define KEPT_BITS 24

static void no_listener(void *context, const struct dxl_burst *burst)
{
    (void)context, (void)burst;
}

static bool no_servo(void *context, unsigned node, const struct dxl_disturbance *what, bool on)
{
    (void)context, (void)node, (void)what, (void)on;
    return false;
}

// ---- creation -----------------------------------------------------------------------------------

static enum status open_page(struct dxl_page *page, struct dxl_line **line)
{
    struct dxl_line *opened = calloc(1, sizeof *opened);
    if (opened == NULL) {
        dxl_page_unmap(page);
        return STATUS_NO_MEMORY;
    }
    opened->page = page;
    opened->bitrate_bit_s = page->bitrate_bit_s;
    opened->low_from = opened->low_to = instant_ns(INT64_MIN);
    opened->listener = no_listener;
    opened->servo = no_servo;
    for (unsigned i = 0; i < DXL_HOSTS_MAX; i++)
        atomic_store(&page->host[i].sent_tail, atomic_load(&page->host[i].sent_head));
    *line = opened;
    return STATUS_OK;
}

enum status dxl_line_open(const char *name, struct dxl_line **line)
{
    *line = NULL;
    const char *cell = getenv("UKEMI_CELL");
    struct dxl_page *page;
    if (cell == NULL)
        return STATUS_NOT_FOUND;
    const enum status status = dxl_page_map(cell, name, &page);
    return status == STATUS_OK ? open_page(page, line) : status;
}

enum status dxl_line_open_alone(unsigned bitrate_bit_s, struct dxl_line **line)
{
    *line = NULL;
    struct dxl_page *page;
    const enum status status = dxl_page_anonymous(bitrate_bit_s, &page);
    return status == STATUS_OK ? open_page(page, line) : status;
}

void dxl_line_close(struct dxl_line *line)
{
    if (line == NULL)
        return;
    dxl_page_unmap(line->page);
    free(line);
}

enum status dxl_line_port(struct dxl_line *line, const char *host, struct dxl_port **port)
{
    return dxl_port_on(line->page, false, host, port);
}

enum status dxl_line_add_device(struct dxl_line *line, struct dxl_device *device, unsigned *node)
{
    if (line->device_count == DXL_DEVICES_MAX)
        return STATUS_FULL;
    *node = line->device_count++;
    line->device[*node] = device;
    struct dxl_node_status *status = &line->page->node[DXL_HOSTS_MAX + *node];
    snprintf(status->name, sizeof status->name, "%u", dxl_get(device, DXL_ID));
    atomic_store(&line->page->device_count, line->device_count);
    return STATUS_OK;
}

void dxl_line_listen(struct dxl_line *line, dxl_line_listener *listener, void *context)
{
    line->listener = listener != NULL ? listener : no_listener;
    line->listener_context = context;
}

void dxl_line_on_servo(struct dxl_line *line, dxl_line_servo *servo, void *context)
{
    line->servo = servo != NULL ? servo : no_servo;
    line->servo_context = context;
}

struct dxl_line_load dxl_line_load(const struct dxl_line *line)
{
    return line->load;
}

// ---- senders ------------------------------------------------------------------------------------

static void add(_Atomic uint64_t *word, uint64_t more)
{
    atomic_store_explicit(word, atomic_load_explicit(word, memory_order_relaxed) + more,
                          memory_order_relaxed);
}

// A node sends a packet. Returns when it is free again.
static instant say(struct dxl_line *line, unsigned node, const uint8_t *bytes, unsigned length,
                   instant start)
{
    expects(length <= DXL_PACKET_MAX_B); // disturbances may make it longer
    uint8_t changed[BURST_MAX_B];
    memcpy(changed, bytes, length);
    if (!disturb_burst(line, node, changed, &length, &start))
        return start;
    line_add(line, node, changed, length, start);
    add(&line->page->node[node].sent, 1);
    return instant_add(start, bits_time((int64_t)length * BYTE_BITS, line_bitrate_of(line, node)));
}

// Takes what a host wants to send before `until`.
static void take_sent(struct dxl_line *line, unsigned h, instant until)
{
    struct dxl_host_node *host = &line->page->host[h];
    uint64_t tail = atomic_load_explicit(&host->sent_tail, memory_order_relaxed);
    const uint64_t head = atomic_load_explicit(&host->sent_head, memory_order_acquire);
    const uint64_t from = atomic_load_explicit(&host->sent_from, memory_order_acquire);
    if (head - tail > DXL_SENT_SLOTS) // a host gone mad
        tail = head;
    if (from - tail <= head - tail)
        tail = from;
    for (; tail != head && line->burst_count + 2 < BURSTS_MAX; tail++) {
        const struct dxl_sent sent = host->sent[tail % DXL_SENT_SLOTS];
        const instant start =
            instant_max(sent.at, instant_max(line->advanced_to, line->host_free[h]));
        if (!instant_before(start, until))
            break;
        if (sent.count > 0 && sent.count <= DXL_PACKET_MAX_B)
            line->host_free[h] = say(line, h, sent.byte, sent.count, start);
    }
    atomic_store_explicit(&host->sent_end_ns, line->host_free[h].ns, memory_order_relaxed);
    atomic_store_explicit(&host->sent_tail, tail, memory_order_release);
}

// ---- receivers ----------------------------------------------------------------------------------

static bool is_sending(const struct dxl_line *line, unsigned node, instant from, instant until)
{
    for (unsigned i = 0; i < line->burst_count; i++) {
        const struct burst *burst = &line->burst[i];
        if (burst->sender == node && instant_before(burst->start, until) &&
            instant_before(from, burst->end))
            return true;
    }
    return false;
}

static void host_hears(struct dxl_line *line, unsigned h, const struct heard *heard)
{
    struct dxl_host_node *host = &line->page->host[h];
    const uint64_t head = atomic_load_explicit(&host->heard_head, memory_order_relaxed);
    if (atomic_load_explicit(&host->generation, memory_order_relaxed) == 0)
        return;
    if (head - atomic_load_explicit(&host->heard_tail, memory_order_acquire) >= DXL_HEARD_SLOTS) {
        add(&host->lost, 1);
        return;
    }
    host->heard[head % DXL_HEARD_SLOTS] = (struct dxl_byte){heard->end, heard->value};
    atomic_store_explicit(&host->heard_head, head + 1, memory_order_release);
}

static void device_hears(struct dxl_line *line, unsigned d, const struct heard *heard)
{
    expects(d < line->device_count);
    struct dxl_answer answer;
    const unsigned node = DXL_HOSTS_MAX + d;
    const uint8_t baud = line->device[d]->table[DXL_BAUD];
    dxl_device_hear(line->device[d], heard->value, heard->end, &answer);
    line->rates_changed |= line->device[d]->table[DXL_BAUD] != baud;
    if (answer.length > 0)
        (void)say(line, node, answer.byte, answer.length, instant_add(heard->end, answer.delay));
}

static void hear(struct dxl_line *line, const struct receiver *receiver, instant start,
                 const struct heard *heard)
{
    line->load.unframed += !heard->framed;
    for (uint64_t left = receiver->nodes & ~line->muted; left != 0; left &= left - 1) {
        const unsigned node = (unsigned)__builtin_ctzll(left);
        if (is_sending(line, node, start, heard->end))
            continue;
        if (!heard->framed)
            add(&line->page->node[node].unframed, 1);
        if (is_host(node))
            host_hears(line, node, heard);
        else
            device_hears(line, node - DXL_HOSTS_MAX, heard);
    }
}

// The receiver of a node: the one that others of the same rate have, or a new one.
static void assign(struct dxl_line *line, unsigned node)
{
    const int64_t bitrate_bit_s = line_bitrate_of(line, node);
    unsigned i = 0;
    while (i < line->receiver_count &&
           (line->receiver[i].at_hosts != is_host(node) ||
            (line->receiver[i].nodes != 0 && line->receiver[i].bitrate_bit_s != bitrate_bit_s)))
        i++;
    if (i == line->receiver_count) {
        line->receiver_count++;
        line->receiver[i] = (struct receiver){.at_hosts = is_host(node)};
    }
    struct receiver *receiver = &line->receiver[i];
    if (receiver->nodes == 0) {
        receiver->bitrate_bit_s = bitrate_bit_s;
        receiver->from = instant_max(receiver->from, line->advanced_to);
    }
    receiver->nodes |= node_bit(node);
}

// Which node hears by which receiver, after a device may have changed its rate.
static void assign_receivers(struct dxl_line *line)
{
    line->rates_changed = false;
    for (unsigned node = 0; node < DXL_HOSTS_MAX + line->device_count; node++) {
        const int64_t bitrate_bit_s = line_bitrate_of(line, node);
        bool has = false;
        for (unsigned i = 0; i < line->receiver_count; i++) {
            struct receiver *receiver = &line->receiver[i];
            if (receiver->nodes & node_bit(node) && receiver->bitrate_bit_s != bitrate_bit_s)
                receiver->nodes &= ~node_bit(node);
            has |= (receiver->nodes & node_bit(node)) != 0;
        }
        if (!has)
            assign(line, node);
    }
}

// ---- time ---------------------------------------------------------------------------------------

// Lets the receiver hear whose next byte ends first. False: none ends by `until`.
static bool step(struct dxl_line *line, instant until)
{
    struct heard first = {.end = until}, heard;
    struct receiver *next = NULL;
    instant first_start = until, start;
    for (unsigned i = 0; i < line->receiver_count; i++)
        if (line->receiver[i].nodes != 0 &&
            uart_next(line, &line->receiver[i], first.end, &heard, &start) &&
            (next == NULL || instant_before(heard.end, first.end))) {
            next = &line->receiver[i];
            first = heard;
            first_start = start;
        }
    if (next == NULL)
        return false;
    next->from = uart_resume(line, next, first_start, &first);
    hear(line, next, first_start, &first);
    return true;
}

static void tell(struct dxl_line *line, struct burst *burst)
{
    const int device = (int)burst->sender - DXL_HOSTS_MAX;
    const struct dxl_burst told = {.start = burst->start,
                                   .end = burst->end,
                                   .sender = burst->sender == STRANGER ? DXL_FROM_STRANGER
                                             : device < 0              ? DXL_FROM_HOST
                                                                       : device,
                                   .length = burst->length,
                                   .byte = burst->byte};
    burst->told = true;
    line->listener(line->listener_context, &told);
}

// Tells the listener of the bursts that have ended, the earliest first.
static void tell_ended(struct dxl_line *line, instant until)
{
    for (;;) {
        struct burst *first = NULL;
        for (unsigned i = 0; i < line->burst_count; i++) {
            struct burst *burst = &line->burst[i];
            if (!burst->told && !instant_before(until, burst->end) &&
                (first == NULL || instant_before(burst->end, first->end)))
                first = burst;
        }
        if (first == NULL)
            return;
        tell(line, first);
    }
}

static void forget_ended(struct dxl_line *line, instant until)
{
    int64_t slowest_bit_s = line->bitrate_bit_s;
    for (unsigned i = 0; i < line->receiver_count; i++)
        if (line->receiver[i].nodes != 0 && line->receiver[i].bitrate_bit_s < slowest_bit_s)
            slowest_bit_s = line->receiver[i].bitrate_bit_s;
    const duration kept = bits_time(KEPT_BITS, slowest_bit_s);
    unsigned left = 0;
    for (unsigned i = 0; i < line->burst_count; i++)
        if (instant_before(until, instant_add(line->burst[i].end, kept)))
            line->burst[left++] = line->burst[i];
    line->burst_count = left;
}

static void report(struct dxl_line *line)
{
    for (unsigned d = 0; d < line->device_count; d++) {
        struct dxl_node_status *status = &line->page->node[DXL_HOSTS_MAX + d];
        const struct dxl_device *device = line->device[d];
        uint64_t word[DXL_TABLE_WORDS] = {0};
        memcpy(word, device->table, sizeof device->table);
        for (unsigned i = 0; i < DXL_TABLE_WORDS; i++)
            atomic_store_explicit(&status->table[i], word[i], memory_order_relaxed);
        atomic_store_explicit(&status->heard, device->heard, memory_order_relaxed);
        atomic_store_explicit(&status->broken, device->broken, memory_order_relaxed);
    }
}

// A piece of time in which the table of bursts is forgotten once: so it cannot fill up.
#define PIECE_NS 2000000

static void advance_piece(struct dxl_line *line, instant until)
{
    expects(instant_before(line->advanced_to, until));
    disturb_advance(line, until);
    for (unsigned h = 0; h < DXL_HOSTS_MAX; h++)
        take_sent(line, h, until);
    // Each byte takes time, so the turns are bounded by `until`.
    line->rates_changed = true;
    do {
        if (line->rates_changed)
            assign_receivers(line);
    } while (step(line, until));
    line->advanced_to = until;
    tell_ended(line, until);
    forget_ended(line, until);
}

void dxl_line_advance(struct dxl_line *line, instant until)
{
    disturb_refresh(line);
    while (instant_before(line->advanced_to, until))
        advance_piece(line,
                      instant_min(until, instant_add(line->advanced_to, duration_ns(PIECE_NS))));
    report(line);
    atomic_store_explicit(&line->page->time_ns, line->advanced_to.ns, memory_order_release);
}
