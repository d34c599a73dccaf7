#include "tests/bench/channels/frame.h"

#include <string.h>

#define WORDS_LOOKED_AT 16

static uint64_t word_of(const struct frame_header *header, size_t i)
{
    return (i + 1) * 0x9e3779b97f4a7c15U ^ ((uint64_t)header->block << 32 | header->number);
}

static size_t word_size_B(size_t i, size_t size_B)
{
    size_t rest_B = size_B - i * sizeof(uint64_t);
    return rest_B < sizeof(uint64_t) ? rest_B : sizeof(uint64_t);
}

#define FIRST_WORD (sizeof(struct frame_header) / sizeof(uint64_t))

static size_t word_count(size_t size_B)
{
    return (size_B + sizeof(uint64_t) - 1) / sizeof(uint64_t);
}

void frame_fill(unsigned char *frame, size_t size_B, uint32_t block, uint32_t number)
{
    const struct frame_header header = {.block = block, .number = number, .size_B = size_B};
    memcpy(frame, &header, sizeof header);
    for (size_t i = FIRST_WORD; i < word_count(size_B); i++) {
        const uint64_t word = word_of(&header, i);
        memcpy(frame + i * sizeof word, &word, word_size_B(i, size_B));
    }
}

size_t frame_size_B(const unsigned char *frame, size_t have_B)
{
    struct frame_header header;
    if (have_B < sizeof header)
        return sizeof header;
    memcpy(&header, frame, sizeof header);
    return header.size_B;
}

static bool word_is_right(const unsigned char *frame, const struct frame_header *header, size_t i)
{
    const uint64_t word = word_of(header, i);
    return memcmp(frame + i * sizeof word, &word, word_size_B(i, header->size_B)) == 0;
}

bool frame_is_whole(const unsigned char *frame, size_t size_B)
{
    struct frame_header header;
    if (size_B < sizeof header)
        return false;
    memcpy(&header, frame, sizeof header);
    if (header.size_B != size_B)
        return false;
    const size_t words = word_count(size_B) - FIRST_WORD;
    if (words == 0)
        return true;
    const size_t step = words / WORDS_LOOKED_AT + 1;
    for (size_t i = header.number % step; i < words; i += step)
        if (!word_is_right(frame, &header, FIRST_WORD + i))
            return false;
    return word_is_right(frame, &header, FIRST_WORD + words - 1);
}
