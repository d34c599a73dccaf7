// What a file says, whatever it looks like: its nodes in their order, without comments and layout.
#include <stdio.h>
#include <string.h>
#include <xxhash.h>

#include "harness/files/yaml/yaml_private.h"

static void add(XXH3_state_t *state, const void *data, size_t size_B)
{
    XXH3_128bits_update(state, data, size_B);
}

static void add_number(XXH3_state_t *state, uint64_t number)
{
    add(state, &number, sizeof number);
}

// Nodes stand in the document in the order of the file. A scalar in quotes may mean something else
// than a plain one: "null", "1".
static void add_node(XXH3_state_t *state, const yaml_node_t *node)
{
    add_number(state, (uint64_t)node->type);
    if (node->type == YAML_SCALAR_NODE) {
        add_number(state, node->data.scalar.style == YAML_PLAIN_SCALAR_STYLE);
        add_number(state, node->data.scalar.length);
        add(state, node->data.scalar.value, node->data.scalar.length);
    } else if (node->type == YAML_SEQUENCE_NODE) {
        const yaml_node_item_t *item = node->data.sequence.items.start;
        for (; item < node->data.sequence.items.top; item++)
            add_number(state, (uint64_t)*item);
    } else if (node->type == YAML_MAPPING_NODE) {
        const yaml_node_pair_t *pair = node->data.mapping.pairs.start;
        for (; pair < node->data.mapping.pairs.top; pair++) {
            add_number(state, (uint64_t)pair->key);
            add_number(state, (uint64_t)pair->value);
        }
    }
    add_number(state, UINT64_MAX); // ends it
}

enum status yaml_meaning(const char *path, char hex[33])
{
    struct yaml_source *source;
    const enum status status = yaml_open(path, &source);
    XXH3_state_t *state = status == STATUS_OK ? XXH3_createState() : NULL;
    if (status != STATUS_OK)
        return status;
    if (state == NULL) {
        yaml_close(source);
        return STATUS_NO_MEMORY;
    }
    XXH3_128bits_reset(state);
    const yaml_node_t *node = source->document.nodes.start;
    for (; node < source->document.nodes.top; node++)
        add_node(state, node);
    const XXH128_hash_t hash = XXH3_128bits_digest(state);
    snprintf(hex, 33, "%016llx%016llx", (unsigned long long)hash.high64,
             (unsigned long long)hash.low64);
    XXH3_freeState(state);
    yaml_close(source);
    return STATUS_OK;
}
