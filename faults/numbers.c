#include "faults/numbers.h"

#include <string.h>

// What becomes of one number; `context` is the caller's. True: it is another one now.
typedef bool number_act(unsigned char *number, size_t offset_B, const struct tamper_number *what,
                        const void *context);

static bool act_on_all(const struct tamper_layout *layout, unsigned char *frame, size_t size_B,
                       number_act *act, const void *context)
{
    bool changed = false;
    const uint32_t count = layout->count < TAMPER_NUMBERS_MAX ? layout->count : TAMPER_NUMBERS_MAX;
    for (uint32_t i = 0; i < count; i++) {
        const struct tamper_number *what = &layout->number[i];
        const size_t step_B =
            i >= layout->repeated && layout->repeat_B > 0 ? layout->repeat_B : size_B + 1;
        for (size_t at = what->offset_B; at + what->width_B <= size_B; at += step_B)
            changed |= act(frame + at, at, what, context);
    }
    return changed;
}

// True: the bytes were others.
static bool put(unsigned char *number, const void *bytes, size_t width_B)
{
    const bool differs = memcmp(number, bytes, width_B) != 0;
    memcpy(number, bytes, width_B);
    return differs;
}

static bool set(unsigned char *number, size_t offset_B, const struct tamper_number *what,
                const void *context)
{
    const double wide = *(const double *)context;
    const float narrow = (float)wide;
    (void)offset_B;
    if (what->kind != TAMPER_REAL)
        return false;
    return put(number, what->width_B == sizeof narrow ? (const void *)&narrow : &wide,
               what->width_B);
}

static bool make_zero(unsigned char *number, size_t offset_B, const struct tamper_number *what,
                      const void *context)
{
    static const unsigned char zero[sizeof(double)];
    (void)offset_B;
    (void)context;
    return what->kind != TAMPER_STAMP && put(number, zero, what->width_B);
}

static bool refresh(unsigned char *number, size_t offset_B, const struct tamper_number *what,
                    const void *context)
{
    const unsigned char *fresh = context;
    return what->kind == TAMPER_STAMP && put(number, fresh + offset_B, what->width_B);
}

bool numbers_set(const struct tamper_layout *layout, unsigned char *frame, size_t size_B,
                 double value)
{
    return act_on_all(layout, frame, size_B, set, &value);
}

bool numbers_zero(const struct tamper_layout *layout, unsigned char *frame, size_t size_B)
{
    return act_on_all(layout, frame, size_B, make_zero, NULL);
}

void numbers_refresh(const struct tamper_layout *layout, unsigned char *frame,
                     const unsigned char *fresh, size_t size_B)
{
    (void)act_on_all(layout, frame, size_B, refresh, fresh);
}
