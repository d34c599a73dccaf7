// The object of example.idl, as tests and the peers' server have it.
#pragma once

#include <stdio.h>

#include "example_idl.h"

struct echo {
    int32_t noted;
    char label[32];
    struct example_echo_servant servant;
};

static inline void echo_all(void *self, const struct giop_call *call,
                            const struct example_everything *sent,
                            struct example_everything *result)
{
    (void)self, (void)call;
    *result = *sent;
}

static inline void echo_pass(void *self, const struct giop_call *call,
                             const struct example_bytes *sent, struct example_bytes *result)
{
    (void)self, (void)call;
    *result = *sent;
}

static inline void echo_divide(void *self, const struct giop_call *call, int32_t number, int32_t by,
                               int32_t *result, int32_t *rest, struct example_echo_raised *raised)
{
    (void)self, (void)call;
    if (by == 0) {
        raised->which = EXAMPLE_ECHO_RAISED_REFUSED;
        raised->refused = (struct example_refused){.why = "by zero", .code = number};
    } else if (by == -1) {
        raised->which = EXAMPLE_ECHO_RAISED_OTHER;
    } else {
        *result = number / by;
        *rest = number % by;
    }
}

static inline void echo_note(void *self, const struct giop_call *call, int32_t number)
{
    (void)call;
    ((struct echo *)self)->noted = number;
}

static inline void echo_get_noted(void *self, const struct giop_call *call, int32_t *result)
{
    (void)call;
    *result = ((struct echo *)self)->noted;
}

static inline void echo_get_label(void *self, const struct giop_call *call, char result[32])
{
    (void)call;
    snprintf(result, 32, "%s", ((struct echo *)self)->label);
}

static inline void echo_set_label(void *self, const struct giop_call *call, const char *value)
{
    (void)call;
    snprintf(((struct echo *)self)->label, 32, "%s", value);
}

static inline void echo_init(struct echo *echo)
{
    *echo = (struct echo){.servant = {echo, echo_all, echo_pass, echo_divide, echo_note,
                                      echo_get_noted, echo_get_label, echo_set_label}};
}

// One of each kind, none of them what memory may hold by chance.
static inline struct example_everything echo_everything(void)
{
    return (struct example_everything){.yes = true,
                                       .small = 200,
                                       .letter = 'u',
                                       .s = -12345,
                                       .us = 54321,
                                       .l = -1234567890,
                                       .ul = 4000000000u,
                                       .ll = INT64_C(-1234567890123456789),
                                       .ull = UINT64_C(12345678901234567890),
                                       .f = 0.15625f,
                                       .d = -2.5e-300,
                                       .text = "ukemi",
                                       .hue = EXAMPLE_COLOUR_BLUE,
                                       .three = {1, -2, 3},
                                       .several = {2, {1.5, -3}},
                                       .said = {2, {"ab", ""}}};
}

static inline bool echo_same(const struct example_everything *a, const struct example_everything *b)
{
    uint8_t bytes[2][512];
    struct cdr out[2];
    for (unsigned i = 0; i < 2; i++) {
        out[i] = cdr_writer(bytes[i], sizeof bytes[i], true);
        example_everything_put(&out[i], i == 0 ? a : b);
    }
    return !out[0].bad && out[0].at == out[1].at && memcmp(bytes[0], bytes[1], out[0].at) == 0;
}
