// Private to the kill driver: what its processes share, and the other processes it keeps beside the
// victim.
#pragma once

#include <stdatomic.h>
#include <sys/types.h>

#include "channel_driver.h"

#define NUMBERS_MAX 256             // of frames in one round
#define PREPARED (2 * DRIVER_SLOTS) // frames put before the victim comes

enum phase { IDLE, PUTTING, GETTING, WAITING };

// Shared by driver, victim and bystander.
struct exchange {
    _Atomic int phase;             // of the bystander
    _Atomic uint64_t sleeper_read; // number of the last frame that the sleeper read

    unsigned held_min, held_after; // what it must find before, and after it has put
    struct driver_findings found;
    uint64_t tag_of[NUMBERS_MAX]; // by frame number; 0: not known yet
    uint64_t next_tag;
    uint64_t victim_tag, victim_number; // of the victim's put; number 0: not seen yet
    uint64_t last;                      // number of the newest frame seen
    // What the victim's get delivered.
    enum status status;
    struct channel_frame info;
    uint64_t read_before; // number of the last frame it had read
    uint64_t got_tag;
    bool got_whole;
};

extern struct exchange *shared;
extern struct driver_plan plan;

// Puts the frame of the tag.
enum status put_frame(void *end, uint64_t tag);

// Notes that `number` was found to hold the frame of `tag`.
void note(uint64_t number, uint64_t tag);

void start_bystander(void);
void end_bystander(void);

// Lets the bystander go on: it must find held_min frames, and held_after when it has put. False if
// it hangs: it sleeps, and gets nowhere.
bool others_go_on(unsigned held_min, unsigned held_after);

// Starts a reader that has read the newest frame and sleeps until there is another, and so on.
pid_t start_sleeper(void);
