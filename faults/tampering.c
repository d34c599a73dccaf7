#include "faults/tampering.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

#include "base/random.h"
#include "faults/numbers.h"

#define PPM 1e6
#define NEVER_NS INT64_MAX

struct acting { // what is in one slot of the page
    bool active;
    struct tampering what;
    struct random_stream random;
    uint32_t burst_left;
    uint64_t hits;
    int64_t forge_at_ns;
    uint64_t passed; // frames that it has looked at
    bool frozen;
    size_t frozen_B;
};

struct passing { // a frame on its way
    size_t size_B;
    unsigned copies;
    bool dropped;
    int64_t due_ns;  // not before; 0: now
    unsigned behind; // so many frames that follow it
};

struct waiting {
    bool there;
    uint64_t order; // in which they came
    struct passing frame;
};

struct tampering_work {
    struct tamper_page *page;
    tampering_sink *sink;
    void *context;
    size_t frame_max_B;
    uint64_t taken;
    struct acting acting[TAMPERINGS_MAX];
    size_t newest_B; // 0: none has come yet
    struct waiting waiting[FRAMES_WAITING_MAX];
    // frame_max_B each: of those that wait, those that are frozen, the newest, the one at work
    unsigned char *memory;
};

#define FRAMES_KEPT (FRAMES_WAITING_MAX + TAMPERINGS_MAX + 2)

static unsigned char *waiting_frame(const struct tampering_work *work, unsigned i)
{
    return work->memory + i * work->frame_max_B;
}
static unsigned char *frozen_frame(const struct tampering_work *work, unsigned slot)
{
    return waiting_frame(work, FRAMES_WAITING_MAX + slot);
}
static unsigned char *newest_frame(const struct tampering_work *work)
{
    return waiting_frame(work, FRAMES_WAITING_MAX + TAMPERINGS_MAX);
}
static unsigned char *own_frame(const struct tampering_work *work)
{
    return waiting_frame(work, FRAMES_KEPT - 1);
}

enum status tampering_begin(struct tamper_page *page, size_t frame_size_max_B, tampering_sink *sink,
                            void *context, struct tampering_work **work)
{
    struct tampering_work *new = calloc(1, sizeof *new);
    if (new == NULL)
        return STATUS_NO_MEMORY;
    new->page = page;
    new->sink = sink;
    new->context = context;
    new->frame_max_B = frame_size_max_B;
    // Pages that no frame comes to cost nothing.
    void *memory = mmap(NULL, FRAMES_KEPT * frame_size_max_B, PROT_READ | PROT_WRITE,
                        MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (memory == MAP_FAILED) {
        free(new);
        return STATUS_NO_MEMORY;
    }
    new->memory = memory;
    *work = new;
    return STATUS_OK;
}

// ---- frames that wait ---------------------------------------------------------------------------

static void deliver(const struct tampering_work *work, const unsigned char *frame,
                    const struct passing *passing)
{
    for (unsigned i = 0; i <= passing->copies; i++)
        work->sink(work->context, frame, passing->size_B);
}

static void let_go(struct tampering_work *work, unsigned i)
{
    work->waiting[i].there = false;
    deliver(work, waiting_frame(work, i), &work->waiting[i].frame);
}

// The one of them that came first and of which `wanted` holds; FRAMES_WAITING_MAX: none.
static unsigned first_waiting(const struct tampering_work *work,
                              bool (*wanted)(const struct passing *frame, int64_t number),
                              int64_t number)
{
    unsigned first = FRAMES_WAITING_MAX;
    for (unsigned i = 0; i < FRAMES_WAITING_MAX; i++)
        if (work->waiting[i].there && wanted(&work->waiting[i].frame, number) &&
            (first == FRAMES_WAITING_MAX || work->waiting[i].order < work->waiting[first].order))
            first = i;
    return first;
}

static void let_all_go(struct tampering_work *work,
                       bool (*wanted)(const struct passing *frame, int64_t number), int64_t number)
{
    unsigned i; // each turn has one less
    while ((i = first_waiting(work, wanted, number)) != FRAMES_WAITING_MAX)
        let_go(work, i);
}

static bool is_any(const struct passing *frame, int64_t number)
{
    (void)frame;
    (void)number;
    return true;
}
static bool is_due(const struct passing *frame, int64_t now_ns)
{
    return frame->behind == 0 && frame->due_ns <= now_ns;
}

static void keep_back(struct tampering_work *work, const struct passing *frame)
{
    unsigned i = 0;
    while (i < FRAMES_WAITING_MAX && work->waiting[i].there)
        i++;
    if (i == FRAMES_WAITING_MAX) {
        i = first_waiting(work, is_any, 0);
        let_go(work, i);
    }
    work->waiting[i] = (struct waiting){.there = true, .order = work->taken, .frame = *frame};
    memcpy(waiting_frame(work, i), own_frame(work), frame->size_B);
}

// A frame goes by: those that wait for it go on.
static void count_down(struct tampering_work *work, int64_t now_ns)
{
    for (unsigned i = 0; i < FRAMES_WAITING_MAX; i++)
        if (work->waiting[i].there && work->waiting[i].frame.behind > 0)
            work->waiting[i].frame.behind--;
    let_all_go(work, is_due, now_ns);
}

// ---- one frame, one tampering -------------------------------------------------------------------

static void flip_bits(unsigned char *frame, size_t size_B, struct acting *acting)
{
    const uint64_t bits = 8 * (uint64_t)size_B;
    const uint64_t first = random_bits(&acting->random) % bits;
    for (uint64_t i = 0; i < acting->what.amount && i < bits; i++) {
        const uint64_t at = (first + i) % bits;
        frame[at / 8] ^= (unsigned char)(1U << (at % 8));
    }
}

static bool has_bytes(size_t size_B, uint32_t offset_B, uint32_t width_B)
{
    return offset_B <= size_B && width_B <= size_B - offset_B;
}

// To `value`, or by so much more than the frame says.
static bool set_field(unsigned char *frame, size_t size_B, const struct tampering *what,
                      double value)
{
    float narrow = 0;
    double wide = 0;
    if (!has_bytes(size_B, what->field_offset_B, what->field_width_B))
        return false;
    unsigned char *const field = frame + what->field_offset_B;
    const bool adds = what->kind == TAMPER_ADD || what->kind == TAMPER_NOISE;
    if (what->field_width_B == sizeof narrow) {
        if (adds)
            memcpy(&narrow, field, sizeof narrow);
        narrow = (float)(narrow + value);
        memcpy(field, &narrow, sizeof narrow);
    } else {
        if (adds)
            memcpy(&wide, field, sizeof wide);
        wide += value;
        memcpy(field, &wide, sizeof wide);
    }
    return true;
}

// False: the numbers are equal.
static bool swap_fields(unsigned char *frame, size_t size_B, const struct tampering *what)
{
    unsigned char kept[sizeof(double)];
    const size_t width_B = what->field_width_B;
    unsigned char *const field = frame + what->field_offset_B;
    unsigned char *const other = frame + what->other_offset_B;
    if (!has_bytes(size_B, what->field_offset_B, what->field_width_B) ||
        !has_bytes(size_B, what->other_offset_B, what->field_width_B) ||
        memcmp(field, other, width_B) == 0)
        return false;
    memcpy(kept, field, width_B);
    memcpy(field, other, width_B);
    memcpy(other, kept, width_B);
    return true;
}

static bool freeze(struct tampering_work *work, unsigned slot, struct passing *frame)
{
    struct acting *acting = &work->acting[slot];
    if (!acting->frozen) {
        acting->frozen = true;
        acting->frozen_B = frame->size_B;
        memcpy(frozen_frame(work, slot), own_frame(work), frame->size_B);
    }
    frame->size_B = acting->frozen_B;
    memcpy(own_frame(work), frozen_frame(work, slot), frame->size_B);
    return true;
}

// As frozen, but for its stamps. False: it is the same as it was.
static bool make_stale(struct tampering_work *work, unsigned slot, struct passing *frame)
{
    struct acting *acting = &work->acting[slot];
    unsigned char *own = own_frame(work), *old = frozen_frame(work, slot);
    if (acting->frozen)
        numbers_refresh(tamper_layout(work->page), old, own,
                        frame->size_B < acting->frozen_B ? frame->size_B : acting->frozen_B);
    const bool same = !acting->frozen ||
                      (frame->size_B == acting->frozen_B && memcmp(own, old, frame->size_B) == 0);
    return freeze(work, slot, frame) && !same;
}

// False: it makes no difference to this frame.
static bool tamper(struct tampering_work *work, unsigned slot, struct passing *frame,
                   int64_t now_ns)
{
    struct acting *acting = &work->acting[slot];
    const struct tampering *what = &acting->what;
    switch (what->kind) {
    case TAMPER_DROP:
        frame->dropped = true;
        return true;
    case TAMPER_DELAY:
        frame->due_ns = time_sum_ns(now_ns, what->delay_ns);
        return true;
    case TAMPER_DUPLICATE:
        frame->copies += what->amount;
        return true;
    case TAMPER_REORDER:
        frame->behind = what->amount;
        return true;
    case TAMPER_FREEZE:
        return freeze(work, slot, frame);
    case TAMPER_CORRUPT:
        if (frame->size_B > 0)
            flip_bits(own_frame(work), frame->size_B, acting);
        return frame->size_B > 0;
    case TAMPER_TRUNCATE:
        if (frame->size_B <= what->amount)
            return false;
        frame->size_B = what->amount;
        return true;
    case TAMPER_THIN:
        frame->dropped = frame->dropped || acting->passed++ % what->amount != 0;
        return frame->dropped;
    case TAMPER_SET:
    case TAMPER_ADD:
        return set_field(own_frame(work), frame->size_B, what, what->value);
    case TAMPER_NOISE:
        return what->value > 0 && set_field(own_frame(work), frame->size_B, what,
                                            what->value * random_normal(&acting->random));
    case TAMPER_SWAP:
        return swap_fields(own_frame(work), frame->size_B, what);
    case TAMPER_STALE:
        return make_stale(work, slot, frame);
    case TAMPER_SET_ALL:
        return numbers_set(tamper_layout(work->page), own_frame(work), frame->size_B, what->value);
    case TAMPER_ZERO:
        return numbers_zero(tamper_layout(work->page), own_frame(work), frame->size_B);
    default:
        return false;
    }
}

static bool strikes(struct acting *acting)
{
    const struct tampering *what = &acting->what;
    if (!acting->active || (what->most > 0 && acting->hits >= what->most))
        return false;
    if (acting->burst_left > 0) {
        acting->burst_left--;
        return true;
    }
    if (random_uniform(&acting->random, 0, PPM) >= what->share_ppm)
        return false;
    acting->burst_left = what->burst - 1;
    return true;
}

static void note_hit(struct tampering_work *work, unsigned slot)
{
    work->acting[slot].hits++;
    tamper_note_hit(work->page, slot);
}

void tampering_take(struct tampering_work *work, const void *frame, size_t size_B, instant now)
{
    struct passing passing = {.size_B = size_B};
    work->taken++;
    work->newest_B = size_B;
    if (size_B > 0) {
        memcpy(newest_frame(work), frame, size_B);
        memcpy(own_frame(work), frame, size_B);
    }
    for (unsigned i = 0; i < TAMPERINGS_MAX; i++)
        if (strikes(&work->acting[i]) && tamper(work, i, &passing, now.ns))
            note_hit(work, i);
    const bool waits = passing.behind > 0 || passing.due_ns > now.ns;
    if (!passing.dropped && !waits)
        deliver(work, own_frame(work), &passing);
    if (passing.dropped) { // it overtakes none
        let_all_go(work, is_due, now.ns);
        return;
    }
    count_down(work, now.ns);
    if (waits)
        keep_back(work, &passing);
}

// ---- what is put in and taken out ---------------------------------------------------------------

static void take_up(struct acting *acting, const struct tampering *what, instant now)
{
    *acting = (struct acting){
        .active = true,
        .what = *what,
        .forge_at_ns = what->kind == TAMPER_FORGE ? time_sum_ns(now.ns, what->delay_ns) : NEVER_NS};
    random_start(&acting->random, what->seed, "tampering");
}

void tampering_obey(struct tampering_work *work, instant now)
{
    for (unsigned i = 0; i < TAMPERINGS_MAX; i++) {
        struct acting *acting = &work->acting[i];
        struct tampering what;
        const bool wanted = tamper_get(work->page, i, &what);
        if (acting->active && (!wanted || what.tag != acting->what.tag))
            acting->active = false;
        if (wanted && !acting->active)
            take_up(acting, &what, now);
    }
}

static void forge(struct tampering_work *work, unsigned slot)
{
    const struct passing copy = {.size_B = work->newest_B};
    if (work->newest_B == 0)
        return; // nothing that could be imitated
    memcpy(own_frame(work), newest_frame(work), work->newest_B);
    const struct tampering *what = &work->acting[slot].what;
    if (!set_field(own_frame(work), work->newest_B, what, what->value))
        return;
    deliver(work, own_frame(work), &copy);
    note_hit(work, slot);
}

static bool forges(const struct acting *acting)
{
    return acting->active && acting->what.kind == TAMPER_FORGE &&
           (acting->what.most == 0 || acting->hits < acting->what.most);
}

void tampering_pass(struct tampering_work *work, instant now)
{
    let_all_go(work, is_due, now.ns);
    for (unsigned i = 0; i < TAMPERINGS_MAX; i++) {
        struct acting *acting = &work->acting[i];
        if (!forges(acting) || acting->forge_at_ns > now.ns)
            continue;
        forge(work, i);
        // Those that a late turn has missed do not come in a burst.
        acting->forge_at_ns = time_sum_ns(now.ns, acting->what.delay_ns);
    }
}

instant tampering_due(const struct tampering_work *work)
{
    int64_t due_ns = NEVER_NS;
    for (unsigned i = 0; i < FRAMES_WAITING_MAX; i++) {
        const struct waiting *waiting = &work->waiting[i];
        if (waiting->there && waiting->frame.behind == 0 && waiting->frame.due_ns < due_ns)
            due_ns = waiting->frame.due_ns;
    }
    for (unsigned i = 0; i < TAMPERINGS_MAX; i++)
        if (forges(&work->acting[i]) && work->acting[i].forge_at_ns < due_ns)
            due_ns = work->acting[i].forge_at_ns;
    return instant_ns(due_ns);
}
