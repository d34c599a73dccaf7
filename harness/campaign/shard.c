#include "harness/campaign/shard.h"

#include <errno.h>
#include <stdlib.h>

#include "base/invariant.h"
#include "base/random.h"
#include "harness/campaign/campaign.h"
#include "harness/files/campaign_file.h"

// A number as people write it, without a sign or a space before it.
static bool take_number(const char **word, unsigned long *value)
{
    char *end;
    if (**word < '0' || **word > '9')
        return false;
    errno = 0;
    *value = strtoul(*word, &end, 10);
    *word = end;
    return errno == 0;
}

bool shard_parse(const char *word, struct shard *shard, const char **why)
{
    unsigned long index, count;
    *why = "give a shard and how many there are, as in 0/4";
    if (!take_number(&word, &index) || *word++ != '/' || !take_number(&word, &count) ||
        *word != '\0')
        return false;
    *why = "there are 1 to 100000 shards";
    if (count < 1 || count > SHARDS_MAX)
        return false;
    *why = "shards are counted from 0, so the last of four is 3/4";
    if (index >= count)
        return false;
    shard->index = (unsigned)index;
    shard->count = (unsigned)count;
    return true;
}

uint64_t campaign_place(const struct campaign *campaign, unsigned square, unsigned number)
{
    expects(square < campaign->square_count && number < campaign->square[square].trials);
    uint64_t place = 0;
    for (unsigned i = 0; i < campaign->square_count; i++) {
        const unsigned trials = campaign->square[i].trials;
        place += trials < number ? trials : number;
        place += i < square && trials > number;
    }
    return place;
}

// The same trials whoever asks.
static bool overlaps(const struct shard *shard, const struct campaign *campaign, unsigned square,
                     unsigned number)
{
    struct random_stream stream;
    random_start(&stream, campaign_trial_seed(campaign->seed, &campaign->square[square], number),
                 "overlap");
    return random_uniform(&stream, 0, 1) < shard->overlap;
}

bool shard_has(const struct shard *shard, const struct campaign *campaign, unsigned square,
               unsigned number)
{
    expects(shard->count == 0 || shard->index < shard->count);
    if (shard->count == 0)
        return true;
    const uint64_t part = campaign_place(campaign, square, number) % shard->count;
    return part == shard->index ||
           (part == (shard->index + 1) % shard->count && shard->overlap > 0 &&
            overlaps(shard, campaign, square, number));
}

unsigned shard_total(const struct shard *shard, const struct campaign *campaign)
{
    unsigned total = 0;
    for (unsigned square = 0; square < campaign->square_count; square++)
        for (unsigned n = 0; n < campaign->square[square].trials; n++)
            total += shard_has(shard, campaign, square, n);
    return total;
}
