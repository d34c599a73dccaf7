#include "giop/segment.h"

#include <string.h>

#define VERSION 1

void segment_put(uint8_t head[SEGMENT_HEAD_B], const struct segment *segment)
{
    struct cdr out = cdr_writer(head, SEGMENT_HEAD_B, false);
    cdr_put(&out, VERSION, 1);
    cdr_put(&out, segment->flags, 1);
    cdr_put(&out, segment->connection, 2);
    cdr_put(&out, segment->message, 4);
    cdr_put(&out, segment->index, 2);
    cdr_put(&out, segment->count, 2);
}

static bool sound(const struct segment *segment, unsigned segments_max)
{
    const bool first = segment->index == 0, last = segment->index + 1 == segment->count;
    const uint8_t flags = (first ? SEGMENT_FIRST : 0) | (last ? SEGMENT_LAST : 0);
    return segment->index < segment->count && segment->count <= segments_max &&
           (segment->flags & ~SEGMENT_TO_CLIENT) == flags &&
           (last ? segment->data_B <= SEGMENT_DATA_B : segment->data_B == SEGMENT_DATA_B);
}

enum status segment_read(const uint8_t *frame, size_t size_B, unsigned segments_max,
                         struct segment *segment)
{
    struct cdr in = cdr_reader(frame, size_B, false);
    const uint64_t version = cdr_get(&in, 1);
    segment->flags = (uint8_t)cdr_get(&in, 1);
    segment->connection = (uint16_t)cdr_get(&in, 2);
    segment->message = (uint32_t)cdr_get(&in, 4);
    segment->index = (uint16_t)cdr_get(&in, 2);
    segment->count = (uint16_t)cdr_get(&in, 2);
    segment->data = frame + in.at;
    segment->data_B = cdr_left(&in);
    return !in.bad && version == VERSION && sound(segment, segments_max) ? STATUS_OK
                                                                         : STATUS_CORRUPT;
}

enum status segment_assemble(struct segment_assembly *assembly, const struct segment *segment)
{
    // Numbers go up and wrap; what is not newer is a copy, or late.
    const int32_t ahead = (int32_t)(segment->message - assembly->message);
    const bool begins = segment->index == 0 && (!assembly->any || ahead > 0);
    const bool goes_on = segment->index > 0 && ahead == 0 && segment->index == assembly->next;
    if (!begins && !goes_on)
        return STATUS_MISSED;
    if (begins) {
        assembly->torn += assembly->next > 0;
        assembly->any = true;
        assembly->message = segment->message;
        assembly->size_B = 0;
    }
    assembly->next = 0;
    if (segment->data_B > assembly->room_B - assembly->size_B)
        return STATUS_TOO_LARGE;
    memcpy(assembly->bytes + assembly->size_B, segment->data, segment->data_B);
    assembly->size_B += segment->data_B;
    if (segment->index + 1 == segment->count)
        return STATUS_OK;
    assembly->next = (uint16_t)(segment->index + 1);
    return STATUS_EMPTY;
}
