#include "base/disturbances.h"

#include "base/random.h"

#define PPM 1000000u

int disturbance_free(const struct disturbance_table *table)
{
    int free = -1;
    for (unsigned i = table->count; i-- > 0;) {
        const struct disturbance_entry *entry = disturbance_at(table, i);
        if (atomic_load(&entry->active) == 0 &&
            (free < 0 || !entry->used || disturbance_at(table, (unsigned)free)->used))
            free = (int)i;
    }
    return free;
}

void disturbance_begin(struct disturbance_entry *entry, uint64_t tag, _Atomic uint64_t *number)
{
    entry->tag = tag;
    entry->used = true;
    atomic_store(&entry->matched, 0);
    atomic_store(&entry->hit, 0);
    atomic_store_explicit(&entry->active, atomic_fetch_add(number, 1) + 1, memory_order_release);
}

enum status disturbance_take(struct disturbance_entry *entry)
{
    // What the owner has counted when it notices comes on top of this: it writes that itself.
    atomic_store(&entry->hit_when_taken, atomic_load(&entry->hit));
    return atomic_exchange(&entry->active, 0) == 0 ? STATUS_NOT_FOUND : STATUS_OK;
}

int disturbance_find(const struct disturbance_table *table, uint64_t tag)
{
    for (unsigned i = 0; i < table->count; i++) {
        const struct disturbance_entry *entry = disturbance_at(table, i);
        if (entry->used && entry->tag == tag)
            return (int)i;
    }
    return -1;
}

bool disturbance_draws(struct disturbance_tally *tally, struct disturbance_odds odds)
{
    bool hit = tally->burst_left > 0;
    if (hit) {
        tally->burst_left--;
    } else if (random_at(odds.seed, tally->matched) % PPM < odds.share_ppm) {
        hit = true;
        tally->burst_left = odds.burst > 0 ? odds.burst - 1 : 0;
    }
    tally->matched++;
    return hit;
}

void disturbance_publish(struct disturbance_entry *entry, uint64_t matched, uint64_t hit)
{
    atomic_store_explicit(&entry->matched, matched, memory_order_relaxed);
    atomic_store_explicit(&entry->hit, hit, memory_order_relaxed);
}
