#include <stdlib.h>
#include <string.h>

#include "dynamixel/page.h"

struct dxl_port {
    struct dxl_page *page;
    struct dxl_host_node *node;
    uint64_t generation; // of this opening: a later one takes the port over
    bool owned;          // the page
};

static struct dxl_host_node *claim(struct dxl_page *page, uint64_t name)
{
    for (unsigned i = 0; i < DXL_HOSTS_MAX; i++) {
        uint64_t found = 0;
        if (atomic_compare_exchange_strong(&page->host[i].name, &found, name) || found == name) {
            memcpy(page->node[i].name, &name, sizeof name);
            return &page->host[i];
        }
    }
    return NULL;
}

enum status dxl_port_on(struct dxl_page *page, bool owned, const char *host, struct dxl_port **port)
{
    uint64_t name = 0;
    const size_t length = strlen(host);
    *port = NULL;
    if (length == 0 || length >= sizeof name)
        return STATUS_INVALID;
    memcpy(&name, host, length);
    struct dxl_port *opened = calloc(1, sizeof *opened);
    if (opened == NULL)
        return STATUS_NO_MEMORY;
    struct dxl_host_node *node = claim(page, name);
    if (node == NULL) {
        free(opened);
        return STATUS_FULL;
    }
    *opened = (struct dxl_port){.page = page, .node = node, .owned = owned};
    opened->generation = atomic_fetch_add(&node->generation, 1) + 1;
    atomic_store(&node->sent_from, atomic_load(&node->sent_head));
    atomic_store(&node->heard_tail, atomic_load(&node->heard_head));
    *port = opened;
    return STATUS_OK;
}

enum status dxl_port_open(const char *line, const char *host, struct dxl_port **port)
{
    *port = NULL;
    const char *cell = getenv("UKEMI_CELL");
    struct dxl_page *page;
    if (cell == NULL)
        return STATUS_NOT_FOUND;
    enum status status = dxl_page_map(cell, line, &page);
    if (status != STATUS_OK)
        return status;
    status = dxl_port_on(page, true, host, port);
    if (status != STATUS_OK)
        dxl_page_unmap(page);
    return status;
}

void dxl_port_close(struct dxl_port *port)
{
    if (port == NULL)
        return;
    if (port->owned)
        dxl_page_unmap(port->page);
    free(port);
}

static bool owns_node(const struct dxl_port *port)
{
    return atomic_load_explicit(&port->node->generation, memory_order_relaxed) == port->generation;
}

enum status dxl_port_send(struct dxl_port *port, const uint8_t *bytes, unsigned count, instant at)
{
    struct dxl_host_node *node = port->node;
    if (count == 0 || count > DXL_PACKET_MAX_B)
        return STATUS_INVALID;
    if (!owns_node(port))
        return STATUS_DENIED;
    const uint64_t head = atomic_load_explicit(&node->sent_head, memory_order_relaxed);
    if (head - atomic_load_explicit(&node->sent_tail, memory_order_acquire) >= DXL_SENT_SLOTS)
        return STATUS_FULL;
    struct dxl_sent *sent = &node->sent[head % DXL_SENT_SLOTS];
    sent->at = at;
    sent->count = count;
    memcpy(sent->byte, bytes, count);
    atomic_store_explicit(&node->sent_head, head + 1, memory_order_release);
    return STATUS_OK;
}

bool dxl_port_sent(const struct dxl_port *port, instant *end)
{
    const struct dxl_host_node *node = port->node;
    if (atomic_load_explicit(&node->sent_tail, memory_order_acquire) !=
        atomic_load_explicit(&node->sent_head, memory_order_relaxed))
        return false;
    *end = instant_ns(atomic_load_explicit(&node->sent_end_ns, memory_order_relaxed));
    return true;
}

unsigned dxl_port_receive(struct dxl_port *port, struct dxl_byte *bytes, unsigned most)
{
    struct dxl_host_node *node = port->node;
    unsigned count = 0;
    if (!owns_node(port))
        return 0;
    uint64_t tail = atomic_load_explicit(&node->heard_tail, memory_order_relaxed);
    const uint64_t head = atomic_load_explicit(&node->heard_head, memory_order_acquire);
    for (; count < most && tail != head; tail++)
        bytes[count++] = node->heard[tail % DXL_HEARD_SLOTS];
    atomic_store_explicit(&node->heard_tail, tail, memory_order_release);
    return count;
}

instant dxl_port_time(const struct dxl_port *port)
{
    return instant_ns(atomic_load_explicit(&port->page->time_ns, memory_order_acquire));
}

unsigned dxl_port_bitrate_bit_s(const struct dxl_port *port)
{
    return port->page->bitrate_bit_s;
}
