// Numbers as robot files write them: "0.05", "B1_height / 2 + eps". Constants have names; + - * /,
// signs and parentheses. Pure; the depth of parentheses is bounded.
#pragma once

#include <stdbool.h>
#include <stddef.h>

#define ARITHMETIC_NAME_MAX 32
#define ARITHMETIC_CONSTANTS_MAX 128

struct arithmetic {
    size_t count;
    struct {
        char name[ARITHMETIC_NAME_MAX];
        double value;
    } constant[ARITHMETIC_CONSTANTS_MAX];
};

// Adds a constant. False: *why says what is wrong with it, and the remedy.
bool arithmetic_define(struct arithmetic *arithmetic, const char *name, double value,
                       const char **why);

// The value of `text`, which is finite. False: *why says what is wrong, and the remedy.
bool arithmetic_value(const struct arithmetic *arithmetic, const char *text, double *value,
                      const char **why);
