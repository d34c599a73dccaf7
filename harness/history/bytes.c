#include "harness/history/bytes.h"

#include <stdlib.h>
#include <string.h>

#include "base/invariant.h"

_Static_assert(__BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__, "files and messages are little-endian");

void bytes_free(struct bytes *bytes)
{
    free(bytes->data);
    *bytes = (struct bytes){0};
}

void bytes_put(struct bytes *bytes, const void *data, size_t size)
{
    invariant(bytes->failed || bytes->size <= bytes->capacity);
    if (bytes->failed || size == 0)
        return;
    if (bytes->size + size > bytes->capacity) {
        size_t capacity = 2 * (bytes->size + size);
        uint8_t *grown = realloc(bytes->data, capacity);
        if (grown == NULL) {
            bytes->failed = true;
            return;
        }
        bytes->data = grown;
        bytes->capacity = capacity;
    }
    memcpy(bytes->data + bytes->size, data, size);
    bytes->size += size;
}

void bytes_put_u8(struct bytes *bytes, uint8_t value)
{
    bytes_put(bytes, &value, sizeof value);
}
void bytes_put_u16(struct bytes *bytes, uint16_t value)
{
    bytes_put(bytes, &value, sizeof value);
}
void bytes_put_u32(struct bytes *bytes, uint32_t value)
{
    bytes_put(bytes, &value, sizeof value);
}
void bytes_put_u64(struct bytes *bytes, uint64_t value)
{
    bytes_put(bytes, &value, sizeof value);
}
void bytes_put_f64(struct bytes *bytes, double value)
{
    bytes_put(bytes, &value, sizeof value);
}

void bytes_put_text(struct bytes *bytes, const char *text)
{
    bytes_put_u32(bytes, (uint32_t)strlen(text));
    bytes_put(bytes, text, strlen(text));
}

void bytes_set_u32(struct bytes *bytes, size_t at, uint32_t value)
{
    expects(bytes->failed || at + sizeof value <= bytes->size);
    if (!bytes->failed)
        memcpy(bytes->data + at, &value, sizeof value);
}

void bytes_set_u64(struct bytes *bytes, size_t at, uint64_t value)
{
    expects(bytes->failed || at + sizeof value <= bytes->size);
    if (!bytes->failed)
        memcpy(bytes->data + at, &value, sizeof value);
}

static void take(struct view *view, void *value, size_t size)
{
    invariant(view->failed || view->at <= view->size);
    memset(value, 0, size);
    if (view->failed || view->size - view->at < size) {
        view->failed = true;
        return;
    }
    memcpy(value, view->data + view->at, size);
    view->at += size;
}

uint8_t view_u8(struct view *view)
{
    uint8_t value;
    take(view, &value, sizeof value);
    return value;
}

uint16_t view_u16(struct view *view)
{
    uint16_t value;
    take(view, &value, sizeof value);
    return value;
}

uint32_t view_u32(struct view *view)
{
    uint32_t value;
    take(view, &value, sizeof value);
    return value;
}

uint64_t view_u64(struct view *view)
{
    uint64_t value;
    take(view, &value, sizeof value);
    return value;
}

struct view view_part(struct view *view, uint64_t size)
{
    if (view->failed || view->size - view->at < size) {
        view->failed = true;
        return (struct view){.data = view->data};
    }
    struct view part = {.data = view->data + view->at, .size = (size_t)size};
    view->at += (size_t)size;
    return part;
}

bool view_text(struct view *view, char *text, size_t size)
{
    struct view part = view_part(view, view_u32(view));
    text[0] = '\0';
    if (view->failed || part.size >= size) {
        view->failed = true;
        return false;
    }
    memcpy(text, part.data, part.size);
    text[part.size] = '\0';
    return true;
}
