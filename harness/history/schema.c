#include "harness/history/schema.h"

#include <stdlib.h>
#include <string.h>

#include "harness/history/foul.h"
#include "harness/history/history.h"
#include "harness/history/wait.h"
#include "message/io.h"

static const char io_fields[] =
    "int64 time_ns\nuint64 count\nuint64 hash\nuint32 call\nint32 descriptor\nuint32 size_b\n"
    "uint32 task\nuint8[48] participant\nuint8[64] words\n";

static const char process_event_fields[] =
    "int64 time_ns\nuint32 kind\nint32 value\nint32 pid\nuint32 generation\nuint8[48] process\n"
    "uint8[48] component\nuint8[256] last_words\n";

static const char fault_event_fields[] = "int64 time_ns\nuint32 index\nuint32 kind\nuint32 "
                                         "proven\nuint32 proof_follows\nuint8[48] fault\n"
                                         "uint8[48] component\nuint8[160] evidence\n";

static const char limit_event_fields[] =
    "int64 time_ns\nuint32 limit\nint32 pid\nfloat64 used\nfloat64 allowed\nuint8[48] process\n"
    "uint8[48] component\nuint8[160] words\n";

static const char stamp_event_fields[] =
    "int64 time_ns\nint64 stamp_ns\nuint8[48] process\nuint8[48] channel\n";
static const char foul_event_fields[] =
    "int64 time_ns\nint64 stamp_ns\nuint64 frames\nuint32 kind\nuint32 padding\n"
    "uint8[48] process\nuint8[48] channel\n";
static const char loss_event_fields[] =
    "int64 time_ns\nint64 unread_ns\nuint64 frames\nuint32 held\nuint32 padding\n"
    "uint8[48] channel\n";

static const char output_event_fields[] =
    "int64 time_ns\nuint32 generation\nuint8[48] process\nuint32 count\nuint8[] text\n";

static const char tap_event_fields[] =
    "int64 time_ns\nuint64 messages\nuint8[48] tap\nuint8[96] words\n";

static const char variation_event_fields[] =
    "int64 time_ns\nuint8[48] quantity\nfloat64 low\nfloat64 high\nuint32 count\nuint32 padding\n"
    "float64[] value\n";

static const char wait_event_fields[] = "int64 time_ns\nuint32 stuck\nuint32 task\nint32 pid\n"
                                        "uint32 padding\nuint8[48] process\nuint8[256] words\n";

static const char end_event_fields[] = "int64 time_ns\n";

#define WHOLE(type, text)                                                                          \
    {                                                                                              \
#type, text, sizeof(struct type), sizeof(struct type), 0, 0                                \
    }
#define COUNTED(type, text, array)                                                                 \
    {                                                                                              \
#type, text, sizeof(struct type), offsetof(struct type, array),                            \
            sizeof((struct type *)0)->array[0], offsetof(struct type, count)                       \
    }

static const struct schema schemas[] = {
    WHOLE(io_message, io_fields),           WHOLE(process_event, process_event_fields),
    WHOLE(fault_event, fault_event_fields), WHOLE(limit_event, limit_event_fields),
    WHOLE(loss_event, loss_event_fields),   COUNTED(output_event, output_event_fields, text),
    WHOLE(stamp_event, stamp_event_fields), WHOLE(tap_event, tap_event_fields),
    WHOLE(end_event, end_event_fields),     WHOLE(foul_event, foul_event_fields),
    WHOLE(wait_event, wait_event_fields),   COUNTED(variation_event, variation_event_fields, value),
};

#define BUILT_IN (sizeof schemas / sizeof schemas[0])

// What targets and history files declare, for as long as the process lives.
static struct schema declared[SCHEMAS_DECLARED_MAX];
static size_t declared_count;

size_t schema_count(void)
{
    return BUILT_IN + declared_count;
}

const struct schema *schema_at(size_t index)
{
    return index < BUILT_IN ? &schemas[index] : &declared[index - BUILT_IN];
}

const struct schema *schema_find(const char *name)
{
    const size_t number = schema_number(name);
    return number < schema_count() ? schema_at(number) : NULL;
}

size_t schema_number(const char *name)
{
    size_t number = 0;
    while (number < schema_count() && strcmp(schema_at(number)->name, name) != 0)
        number++;
    return number;
}

enum status schema_declare(const char *name, const char *fields, struct message_mistake *mistake)
{
    struct message_layout layout;
    const struct schema *same = schema_find(name);
    *mistake = (struct message_mistake){0};
    if (same != NULL)
        return strcmp(same->fields, fields) == 0 ? STATUS_OK : STATUS_BUSY;
    if (message_measure(fields, &layout, mistake) != STATUS_OK)
        return STATUS_INVALID;
    if (declared_count == SCHEMAS_DECLARED_MAX)
        return STATUS_FULL;
    char *own_name = strdup(name), *own_fields = strdup(fields);
    if (own_name == NULL || own_fields == NULL) {
        free(own_name);
        free(own_fields);
        return STATUS_NO_MEMORY;
    }
    const size_t element_B = layout.element_size_B;
    declared[declared_count++] = (struct schema){
        .name = own_name,
        .fields = own_fields,
        .size_max_B = element_B == 0             ? layout.size_B
                      : layout.elements_max == 0 ? SCHEMA_SIZE_MAX_B
                                                 : layout.size_B + element_B * layout.elements_max,
        .head_size_B = layout.size_B,
        .element_size_B = element_B,
        .count_offset_B = element_B == 0 ? 0 : layout.count_offset_B};
    return STATUS_OK;
}

bool schema_fits(const struct schema *schema, size_t size_B)
{
    if (schema->element_size_B == 0)
        return size_B == schema->size_max_B;
    return size_B >= schema->head_size_B && size_B <= schema->size_max_B &&
           (size_B - schema->head_size_B) % schema->element_size_B == 0;
}
