#include "ethernet/page.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "clock/coordinator.h"
#include "clock/futex.h"

enum status eth_network_create(const char *cell, const struct eth_plan *plan, bool wakes)
{
    static struct eth_page head; // large: the lab is one thread
    char path[PATH_MAX];
    const size_t head_B = offsetof(struct eth_page, host);
    memset(&head, 0, head_B); // the rest is some 25 MB of rings, which nobody need touch
    head.magic = ETH_PAGE_MAGIC;
    head.size_B = sizeof head;
    head.wakes = wakes;
    head.plan = *plan;
    int length = snprintf(path, sizeof path, "%s/networks", cell);
    if (length < 0 || (size_t)length + NAME_MAX >= sizeof path || plan->host_count == 0 ||
        plan->bitrate_bit_s == 0)
        return STATUS_INVALID;
    if (mkdir(path, 0755) < 0 && errno != EEXIST)
        return STATUS_SYSTEM;
    snprintf(path, sizeof path, "%s/networks/%.48s", cell, plan->name);
    const int file = open(path, O_CREAT | O_EXCL | O_RDWR | O_CLOEXEC, 0644);
    if (file < 0)
        return STATUS_SYSTEM;
    bool ok =
        ftruncate(file, sizeof head) == 0 && pwrite(file, &head, head_B, 0) == (ssize_t)head_B;
    for (unsigned i = 0; ok && i < plan->host_count; i++) {
        struct eth_host_page *host = &head.host[0];
        memcpy(host->name, plan->host[i].name, sizeof host->name);
        host->relay = 1;
        host->through = 2;
        const size_t words_B = offsetof(struct eth_host_page, socket);
        ok =
            pwrite(file, host, words_B,
                   (off_t)(offsetof(struct eth_page, host) + i * sizeof *host)) == (ssize_t)words_B;
    }
    close(file);
    if (!ok)
        unlink(path);
    return ok ? STATUS_OK : STATUS_SYSTEM;
}

static bool is_sound(const struct eth_page *page)
{
    return page->magic == ETH_PAGE_MAGIC && page->size_B == sizeof *page &&
           page->plan.host_count <= ETH_HOSTS_MAX && page->plan.cable_count <= ETH_CABLES_MAX &&
           page->plan.hub_count <= ETH_HUB_PORTS_MAX && page->plan.bitrate_bit_s > 0;
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
    char path[PATH_MAX];
    const int length = snprintf(path, sizeof path, "%s/networks/%s", cell, name);
    if (length < 0 || (size_t)length >= sizeof path)
        return STATUS_NOT_FOUND;
    const int file = open(path, O_RDWR | O_CLOEXEC);
    if (file < 0)
        return errno == ENOENT ? STATUS_NOT_FOUND : STATUS_SYSTEM;
    struct stat about;
    if (fstat(file, &about) < 0 || about.st_size != (off_t)sizeof **page) {
        close(file);
        return STATUS_CORRUPT;
    }
    void *memory = mmap(NULL, sizeof **page, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
    close(file);
    if (memory == MAP_FAILED)
        return STATUS_SYSTEM;
    *page = memory;
    if (is_sound(*page))
        return STATUS_OK;
    eth_page_unmap(*page);
    return STATUS_CORRUPT;
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
