#include "ethernet/page.h"

#include <string.h>
#include <sys/mman.h>

#include "base/shared_page.h"
#include "clock/coordinator.h"
#include "clock/futex.h"

static bool is_sound(const void *memory)
{
    const struct eth_page *page = memory;
    return page->magic == ETH_PAGE_MAGIC && page->size_B == sizeof *page &&
           page->plan.host_count <= ETH_HOSTS_MAX && page->plan.cable_count <= ETH_CABLES_MAX &&
           page->plan.hub_count <= ETH_HUB_PORTS_MAX && page->plan.bitrate_bit_s > 0;
}

static struct shared_page page_of(const char *cell, const char *name)
{
    return (struct shared_page){cell, "networks", name, sizeof(struct eth_page), is_sound};
}

static void start_hosts(struct eth_page *page)
{
    for (unsigned i = 0; i < page->plan.host_count; i++) {
        struct eth_host_page *host = &page->host[i];
        memcpy(host->name, page->plan.host[i].name, sizeof host->name);
        host->relay = 1;
        host->through = 2;
    }
}

enum status eth_network_create(const char *cell, const struct eth_plan *plan, bool wakes)
{
    static struct eth_page head; // large: the lab is one thread
    const struct shared_page page = page_of(cell, plan->name);
    const size_t head_B = offsetof(struct eth_page, host);
    struct eth_page *mapped;
    memset(&head, 0, head_B); // the rest is some 25 MB of rings, which nobody need touch
    head.magic = ETH_PAGE_MAGIC;
    head.size_B = sizeof head;
    head.wakes = wakes;
    head.plan = *plan;
    if (plan->host_count == 0 || plan->bitrate_bit_s == 0)
        return STATUS_INVALID;
    enum status status = shared_page_create(&page, &head, head_B);
    if (status == STATUS_OK)
        status = eth_page_map(cell, plan->name, &mapped);
    if (status == STATUS_OK) {
        start_hosts(mapped);
        eth_page_unmap(mapped);
    }
    return status;
}

static enum status watch_hosts(struct eth_page *page, struct clk_coordinator *coordinator)
{
    enum status status = clk_coordinator_watch(coordinator, &page->activity, &page->watch_id);
    for (unsigned h = 0; h < page->plan.host_count; h++)
        for (unsigned s = 0; s < ETH_SOCKETS_MAX && status == STATUS_OK; s++) {
            struct eth_socket_page *sock = &page->host[h].socket[s];
            status = clk_coordinator_watch(coordinator, &sock->receive.head, &sock->watch_id);
        }
    return status;
}

enum status eth_network_register(const char *cell, const char *name,
                                 struct clk_coordinator *coordinator)
{
    struct eth_page *page;
    const enum status status = eth_page_map(cell, name, &page);
    return status == STATUS_OK ? watch_hosts(page, coordinator) : status;
}

enum status eth_page_map(const char *cell, const char *name, struct eth_page **page)
{
    const struct shared_page mapped = page_of(cell, name);
    void *memory;
    const enum status status = shared_page_map(&mapped, false, &memory);
    if (status == STATUS_OK)
        *page = memory;
    return status;
}

void eth_page_unmap(struct eth_page *page)
{
    munmap(page, sizeof *page);
}

void eth_page_bump(const struct eth_page *page, _Atomic uint64_t *word)
{
    atomic_fetch_add_explicit(word, 1, memory_order_release);
    if (page->wakes)
        futex_wake(word, INT32_MAX);
}
