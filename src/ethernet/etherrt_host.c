// A host of a network of the cell: its number, its address, and what its relay is told.
#include <errno.h>
#include <string.h>

#include "ethernet/etherrt_private.h"

int etherrt_find_host(const struct eth_page *page, const char *name)
{
    for (unsigned i = 0; i < page->plan.host_count; i++)
        if (strcmp(page->plan.host[i].name, name) == 0)
            return (int)i;
    return -1;
}

int etherrt_page_address(const struct eth_page *page, const char *host, uint8_t address[6])
{
    const int found = etherrt_find_host(page, host);
    if (found < 0) {
        errno = ENOENT;
        return -1;
    }
    eth_address((unsigned)found, 0, address);
    return 0;
}

int etherrt_page_mode(struct eth_page *page, unsigned host, bool relay, int on)
{
    struct eth_host_page *of = &page->host[host];
    if (relay)
        atomic_store(&of->relay, on != 0);
    else
        atomic_store(&of->through, on < 0 ? 2 : on != 0);
    return 0;
}
