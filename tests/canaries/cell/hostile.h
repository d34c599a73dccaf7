// Habits of a hostile process: each tries to get something out of its cell, or to harm the lab.
#pragma once

#include <stdbool.h>
#include <stddef.h>

// The cell's init, as every process of the cell sees it.
#define INIT 1

// What a bystander outside has in the folder that it shares with the habits; see wall_bystander.c.
#define BYSTANDER_KEY "ukemi-wall"      // in its session keyring
#define BYSTANDER_SECRET "top-secret"   // payload of that key, part of its environment
#define BYSTANDER_VARIABLE "UKEMI_WALL" // of its environment
extern const char *bystander;           // that folder

// 0 to 9999: of a folder, for names of the bystander's that are no paths.
static inline unsigned bystander_number(const char *folder)
{
    unsigned number = 5381;
    for (; *folder != '\0'; folder++)
        number = number * 33 + (unsigned char)*folder;
    return number % 10000;
}

// One thing that is tried, in a process of its own. True: it worked, which it must not. Words say
// more than errno where errno would not help.
struct habit {
    const char *group, *name;
    bool (*works)(void);
};
void habit_say(const char *format, ...) __attribute__((format(printf, 1, 2)));

// Of a system call's result: did it work?
static inline bool worked(long result)
{
    return result >= 0;
}

// Stricter: it worked, or was refused for another reason than that it is not allowed. For calls
// that a filter has to stop before the kernel looks at their arguments.
bool passed(long result);

// Opens and closes: can it be opened so?
bool opens(const char *path, int flags);

// Holds about so much memory where it may not be seen; returns how much it got.
struct holder {
    const char *name;
    size_t (*hold)(size_t wanted_B);
};

extern const struct holder holders[]; // ends with an entry without a name
extern const struct habit habits_of_calls[], habits_of_init[], habits_of_machine[],
    habits_of_self[]; // each ends with an entry without a name
