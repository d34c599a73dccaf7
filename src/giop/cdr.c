#include "giop/cdr.h"

#include <string.h>

struct cdr cdr_writer(void *bytes, size_t room_B, bool little)
{
    return (struct cdr){.bytes = bytes, .size_B = room_B, .little = little};
}

struct cdr cdr_reader(const void *bytes, size_t size_B, bool little)
{
    return (struct cdr){.bytes = (uint8_t *)bytes, .size_B = size_B, .little = little};
}

// The next size_B bytes; NULL, and bad, if there are not so many.
static uint8_t *take(struct cdr *cdr, size_t size_B)
{
    if (cdr->bad || cdr->size_B - cdr->at < size_B) {
        cdr->bad = true;
        return NULL;
    }
    uint8_t *bytes = cdr->bytes + cdr->at;
    cdr->at += size_B;
    return bytes;
}

void cdr_align_put(struct cdr *cdr, size_t size)
{
    const size_t padding_B = (size - cdr->at % size) % size;
    uint8_t *bytes = take(cdr, padding_B);
    if (bytes != NULL)
        memset(bytes, 0, padding_B);
}

void cdr_align_get(struct cdr *cdr, size_t size)
{
    (void)take(cdr, (size - cdr->at % size) % size);
}

void cdr_put(struct cdr *cdr, uint64_t value, size_t size_B)
{
    cdr_align_put(cdr, size_B);
    uint8_t *bytes = take(cdr, size_B);
    for (size_t i = 0; bytes != NULL && i < size_B; i++)
        bytes[i] = (uint8_t)(value >> 8 * (cdr->little ? i : size_B - 1 - i));
}

uint64_t cdr_get(struct cdr *cdr, size_t size_B)
{
    cdr_align_get(cdr, size_B);
    const uint8_t *bytes = take(cdr, size_B);
    uint64_t value = 0;
    for (size_t i = 0; bytes != NULL && i < size_B; i++)
        value |= (uint64_t)bytes[i] << 8 * (cdr->little ? i : size_B - 1 - i);
    return value;
}

void cdr_put_float(struct cdr *cdr, float value)
{
    uint32_t bits;
    memcpy(&bits, &value, sizeof bits);
    cdr_put(cdr, bits, sizeof bits);
}

float cdr_get_float(struct cdr *cdr)
{
    const uint32_t bits = (uint32_t)cdr_get(cdr, sizeof bits);
    float value;
    memcpy(&value, &bits, sizeof value);
    return value;
}

void cdr_put_double(struct cdr *cdr, double value)
{
    uint64_t bits;
    memcpy(&bits, &value, sizeof bits);
    cdr_put(cdr, bits, sizeof bits);
}

double cdr_get_double(struct cdr *cdr)
{
    const uint64_t bits = cdr_get(cdr, sizeof bits);
    double value;
    memcpy(&value, &bits, sizeof value);
    return value;
}

bool cdr_get_boolean(struct cdr *cdr)
{
    const uint64_t value = cdr_get(cdr, 1);
    cdr->bad |= value > 1;
    return value == 1;
}

void cdr_put_string(struct cdr *cdr, const char *text)
{
    const size_t size_B = strlen(text) + 1;
    cdr_put(cdr, size_B, 4);
    cdr_put_bytes(cdr, text, size_B);
}

const char *cdr_see_string(struct cdr *cdr, size_t room_B)
{
    const size_t size_B = cdr_get(cdr, 4);
    cdr->bad |= size_B == 0 || size_B > room_B;
    const uint8_t *bytes = take(cdr, size_B);
    cdr->bad |= bytes == NULL || memchr(bytes, 0, size_B) != bytes + size_B - 1;
    return cdr->bad ? "" : (const char *)bytes;
}

void cdr_get_string(struct cdr *cdr, char *text, size_t room_B)
{
    const char *seen = cdr_see_string(cdr, room_B);
    memcpy(text, seen, strlen(seen) + 1);
}

void cdr_put_bytes(struct cdr *cdr, const void *bytes, size_t size_B)
{
    uint8_t *to = take(cdr, size_B);
    if (to != NULL && size_B > 0)
        memcpy(to, bytes, size_B);
}

void cdr_get_bytes(struct cdr *cdr, void *bytes, size_t size_B)
{
    const uint8_t *from = take(cdr, size_B);
    if (from != NULL)
        memcpy(bytes, from, size_B);
    else
        memset(bytes, 0, size_B);
}

const uint8_t *cdr_see_octets(struct cdr *cdr, uint32_t *count)
{
    *count = (uint32_t)cdr_get(cdr, 4);
    const uint8_t *bytes = take(cdr, *count);
    if (bytes == NULL)
        *count = 0;
    return bytes;
}

uint32_t cdr_get_count(struct cdr *cdr, uint32_t most, size_t element_least_B)
{
    const uint32_t count = (uint32_t)cdr_get(cdr, 4);
    cdr->bad |= count > most || (uint64_t)count * element_least_B > cdr_left(cdr);
    return cdr->bad ? 0 : count;
}
