#include "harness/history/cdr.h"

#include <string.h>

static void align(struct bytes *bytes, size_t start, size_t size)
{
    while ((bytes->size - start) % size != 0 && !bytes->failed)
        bytes_put_u8(bytes, 0);
}

size_t cdr_begin(struct bytes *bytes)
{
    bytes_put(bytes, CDR_HEAD, CDR_HEAD_SIZE_B);
    return bytes->size;
}

void cdr_append_u32(struct bytes *bytes, size_t start, uint32_t value)
{
    align(bytes, start, sizeof value);
    bytes_put_u32(bytes, value);
}

void cdr_append_f64(struct bytes *bytes, size_t start, double value)
{
    align(bytes, start, sizeof value);
    bytes_put_f64(bytes, value);
}

void cdr_append_string(struct bytes *bytes, size_t start, const char *text)
{
    cdr_append_u32(bytes, start, (uint32_t)strlen(text) + 1); // the terminating zero counts
    bytes_put(bytes, text, strlen(text) + 1);
}
