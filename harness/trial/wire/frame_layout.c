#include "harness/trial/wire/frame_layout.h"

#include <stdint.h>

#include "harness/history/message_stamps.h"
#include "harness/history/message_text.h"

struct filling {
    struct tamper_layout *layout;
    size_t count_offset_B; // of a sequence's count; no other number lies there
};

static void add(void *context, const char *path, const struct message_field *field)
{
    const struct filling *filling = context;
    struct tamper_layout *layout = filling->layout;
    if (layout->count == TAMPER_NUMBERS_MAX || field->offset_B == filling->count_offset_B)
        return;
    layout->number[layout->count++] =
        (struct tamper_number){.offset_B = (uint32_t)field->offset_B,
                               .width_B = (uint16_t)field->width_B,
                               .kind = field->kind == 'f'              ? TAMPER_REAL
                                       : message_is_stamp(path, field) ? TAMPER_STAMP
                                                                       : TAMPER_WHOLE};
}

void frame_layout(const char *fields, struct tamper_layout *layout)
{
    struct message_layout measured;
    struct message_mistake mistake;
    struct filling filling = {layout, SIZE_MAX};
    *layout = (struct tamper_layout){.count = 0};
    if (message_measure(fields, &measured, &mistake) != STATUS_OK)
        return;
    if (measured.element_size_B > 0)
        filling.count_offset_B = measured.count_offset_B;
    message_each(fields, TAMPER_NUMBERS_MAX, add, &filling);
    layout->repeated = layout->count;
    layout->repeat_B = (uint32_t)measured.element_size_B;
    message_each_of_sequence(fields, TAMPER_NUMBERS_MAX, add, &filling);
}

unsigned frame_layout_count(const struct tamper_layout *layout, enum tamper_number_kind kind)
{
    unsigned count = 0;
    for (uint32_t i = 0; i < layout->count; i++)
        count += layout->number[i].kind == kind;
    return count;
}
