// Faults of a channel: asks the channel's interposer for them. The lab compares, by itself, what
// the writer put with what the readers got.
//
//   channel apply|effect|undo|settled KIND channel=NAME tag=N seed=N [key=value...]
//
// The parameters are those of faults/channel.yaml; the lab writes fields as OFFSET:WIDTH in bytes.
#include <inttypes.h>
#include <stdio.h>

#include "faults/asking.h"

static const char *page(const struct fault_asked *asked)
{
    return fault_text(asked, "channel");
}

// A parameter that is not there leaves both alone.
static bool read_field(const struct fault_asked *asked, const char *name, uint32_t *offset_B,
                       uint32_t *width_B)
{
    const char *field = fault_find(asked, name);
    if (field == NULL || sscanf(field, "%" SCNu32 ":%" SCNu32, offset_B, width_B) == 2)
        return true;
    fprintf(stderr, "%s=%s: not OFFSET:WIDTH\n", name, field);
    return false;
}

static bool describe(const struct fault_asked *asked, struct tampering *what)
{
    uint32_t other_width_B; // the lab has compared it with the field's
    return read_field(asked, "field", &what->field_offset_B, &what->field_width_B) &&
           read_field(asked, "other_field", &what->other_offset_B, &other_width_B);
}

#define ENTRY(name, kind) ASKING_ENTRY(name, kind, page, describe)

static const struct fault_entry entries[] = {
    ENTRY("channel-drop", TAMPER_DROP),
    ENTRY("channel-delay", TAMPER_DELAY),
    ENTRY("channel-duplication", TAMPER_DUPLICATE),
    ENTRY("channel-reordering", TAMPER_REORDER),
    ENTRY("channel-freeze", TAMPER_FREEZE),
    ENTRY("channel-corruption", TAMPER_CORRUPT),
    ENTRY("channel-truncation", TAMPER_TRUNCATE),
    ENTRY("channel-nan", TAMPER_SET),
    ENTRY("channel-value", TAMPER_SET),
    ENTRY("channel-offset", TAMPER_ADD),
    ENTRY("channel-noise", TAMPER_NOISE),
    ENTRY("channel-swap", TAMPER_SWAP),
    ENTRY("channel-thinning", TAMPER_THIN),
    ENTRY("wrong-writer", TAMPER_FORGE),
    ENTRY("channel-stale", TAMPER_STALE),
    ENTRY("channel-all-nan", TAMPER_SET_ALL),
    ENTRY("channel-zero", TAMPER_ZERO),
    {0},
};

int main(int argc, char **argv)
{
    return asking_main(argc, argv, entries);
}
