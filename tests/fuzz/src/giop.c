// Bytes as an orb's transport, a reference's text and ERIOP's segments bring them. Whatever comes:
// servants get what their interface allows, replies are of the call that awaits them, nothing is
// longer than its room, and an honest call is answered afterwards.
#include "tests/fuzz/fuzz.h"

#include "giop/orb_private.h"
#include "giop/segment.h"
#include "tests/unit/giop/memory.h"

#include "tests/unit/giop/echo.h"

#define ORB_MAX_B 1024

static struct memory_end end[2]; // client, server
static struct giop_orb *orb[2];
static struct giop_object object;
static struct echo echo;
static int64_t now_ns;

static void check_all(void *self, const struct giop_call *call,
                      const struct example_everything *sent, struct example_everything *result)
{
    fuzz_check(sent->several.count <= 4 && sent->said.count <= 3);
    fuzz_check((unsigned)sent->hue <= EXAMPLE_COLOUR_BLUE && strlen(sent->text) <= 15);
    echo_all(self, call, sent, result);
}

static void check_label(void *self, const struct giop_call *call, const char *value)
{
    fuzz_check(strlen(value) <= 31);
    echo_set_label(self, call, value);
}

static void set_up(void)
{
    const struct ior_profile at = {.tag = IOR_TAG_ERIOP, .minor = 2, .key = "echo", .key_B = 4};
    memory_pair(end, &now_ns);
    for (unsigned i = 0; i < 2; i++)
        fuzz_check(giop_orb_create(&end[i].base, ORB_MAX_B, 128, &orb[i]) == STATUS_OK);
    echo_init(&echo);
    echo.servant.all = check_all;
    echo.servant.set_label = check_label;
    fuzz_check(giop_orb_serve(orb[1], "echo", EXAMPLE_ECHO_TYPE, example_echo_skeleton,
                              &echo.servant) == STATUS_OK);
    fuzz_check(giop_object_open(&object, orb[0], &at, 1000) == STATUS_OK);
}

// A message of the input; its head may be made right.
static size_t message(struct fuzz_input *input, uint8_t bytes[ORB_MAX_B])
{
    const uint8_t how = fuzz_u8(input);
    const size_t size_B = fuzz_u16(input) % ORB_MAX_B;
    fuzz_take(input, bytes, size_B);
    if ((how & 1) != 0 && size_B >= GIOP_HEAD_B) {
        static const uint8_t magic[5] = {'G', 'I', 'O', 'P', 1};
        memcpy(bytes, magic, sizeof magic);
        bytes[5] = how & 2;
        bytes[7] = how >> 2 & 7;
        struct cdr size = cdr_writer(bytes + 8, 4, bytes[6] & 1);
        cdr_put(&size, size_B - GIOP_HEAD_B, 4);
    }
    return size_B;
}

static void honest_call(void)
{
    int32_t noted;
    orb[0]->connection[0].awaited = orb[1]->connection[0].awaited = NOTHING;
    fuzz_check(example_echo_get_noted_send(&object) == GIOP_DONE);
    (void)giop_orb_work(orb[1], MEMORY_QUEUE, now_ns);
    // What was begun by fragments may be refused once.
    const enum giop_outcome outcome = example_echo_get_noted_await(&object, now_ns + 1, &noted);
    fuzz_check(outcome == GIOP_DONE || outcome == GIOP_TIMEOUT || outcome == GIOP_LOST);
}

static void fuzz_calls(struct fuzz_input *input)
{
    struct example_everything result, sent = echo_everything();
    for (unsigned n = 0; n < 8 && fuzz_more(input); n++) {
        uint8_t bytes[ORB_MAX_B];
        const unsigned from = fuzz_u8(input) & 1;
        const size_t size_B = message(input, bytes);
        if (from == 1 && example_echo_all_send(&object, &sent) == GIOP_DONE)
            end[1].count = 0; // the server never sees it
        (void)memory_send(&end[from].base, 0, bytes, size_B, 0);
        (void)giop_orb_work(orb[1], MEMORY_QUEUE, now_ns);
        if (from == 1 && example_echo_all_await(&object, now_ns, &result) == GIOP_DONE)
            fuzz_check(result.several.count <= 4 && strlen(result.text) <= 15);
        (void)giop_orb_work(orb[0], MEMORY_QUEUE, now_ns);
    }
    honest_call();
    honest_call();
}

static void fuzz_reference(struct fuzz_input *input)
{
    char text[4096] = "IOR:", again[IOR_TEXT_MAX];
    struct ior ior, read;
    const size_t size = fuzz_u16(input) % 2000;
    for (size_t i = 0; i < size; i++)
        snprintf(text + 4 + 2 * i, 3, "%02x", fuzz_u8(input));
    if (ior_read(text, &ior) != STATUS_OK)
        return;
    fuzz_check(ior.profile_count <= IOR_PROFILES_MAX);
    if (ior_text(&ior, again) != STATUS_OK)
        return;
    fuzz_check(ior_read(again, &read) == STATUS_OK && read.profile_count == ior.profile_count);
}

static void fuzz_segments(struct fuzz_input *input)
{
    static uint8_t bytes[4000];
    struct segment_assembly in = {.bytes = bytes, .room_B = sizeof bytes};
    for (unsigned n = 0; n < 32 && fuzz_more(input); n++) {
        uint8_t frame[1500] = {0};
        struct segment segment;
        const size_t size_B = fuzz_u16(input) % sizeof frame;
        fuzz_take(input, frame, size_B < 32 ? size_B : 32);
        if (segment_read(frame, size_B, 8, &segment) != STATUS_OK)
            continue;
        fuzz_check(segment.index < segment.count && segment.count <= 8);
        if (segment_assemble(&in, &segment) == STATUS_OK)
            fuzz_check(in.size_B <= sizeof bytes && in.next == 0);
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct fuzz_input input = {data, size, 0};
    switch (fuzz_u8(&input) % 4) {
    case 0:
        fuzz_reference(&input);
        break;
    case 1:
        fuzz_segments(&input);
        break;
    default:
        set_up();
        fuzz_calls(&input);
        giop_orb_free(orb[0]);
        giop_orb_free(orb[1]);
    }
    return 0;
}
