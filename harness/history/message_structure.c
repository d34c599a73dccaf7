#include "harness/history/message_structure.h"

#include <stdio.h>

static bool has(const char *text, const struct message_member *member)
{
    struct message_field field;
    return message_find(text, member->path, &field) && field.offset_B == member->offset_B &&
           field.kind == member->kind && field.width_B == member->width_B &&
           field.group == member->group &&
           (member->group == 0 || field.stride_B == member->stride_B);
}

static void describe(const struct message_member *member, char *words, size_t size)
{
    const char *kind = member->kind == 'f' ? "float" : member->kind == 'u' ? "uint" : "int";
    int used = snprintf(words, size, "%s is not %s%u at byte %zu", member->path, kind,
                        8 * member->width_B, member->offset_B);
    if (member->group > 0 && used >= 0 && (size_t)used < size)
        snprintf(words + used, size - (size_t)used, ", %u of them", member->group);
}

bool message_structure_fits(const char *text, const struct message_structure *structure,
                            char *words, size_t size)
{
    struct message_layout layout;
    struct message_mistake mistake;
    if (message_measure(text, &layout, &mistake) != STATUS_OK) {
        snprintf(words, size, "line %u: %s", mistake.line, mistake.words);
        return false;
    }
    for (const struct message_member *member = structure->member; member->path != NULL; member++)
        if (!has(text, member)) {
            describe(member, words, size);
            return false;
        }
    const size_t size_B = layout.size_B + layout.element_size_B * layout.elements_max;
    if (layout.size_B == structure->head_size_B && size_B == structure->size_B)
        return true;
    snprintf(words, size, "it has %zu bytes, %zu at most; %zu and %zu are needed", layout.size_B,
             size_B, structure->head_size_B, structure->size_B);
    return false;
}
