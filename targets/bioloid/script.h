// A user's control program in Lua 5.4, in a room of its own: numbers in, references out.
//
// Initialize (if there is one) is called once, Control each period. They see the functions of
// doc/bioloid.md, `ipairs`, `select`, `type`, `tonumber`, `tostring`, `assert`, `error`, and of
// `math`, `string` and `table` what does work in proportion to the instructions that it is called
// with. There are no files, no clock and no other programs; numbers drawn depend on the seed alone,
// and so does all else: what would show addresses or the order of hashes is left out.
//
// A call that takes more than its instructions or memory, or that fails, ends the script for good.
#pragma once

#include <stddef.h>
#include <stdint.h>

#include "base/status.h"
#include "model/movement.h"

#define SCRIPT_REASON_MAX 300

// What the script knows and asks for, by number of servo; 0 is unused.
struct script_axes {
    double time_s;
    uint32_t known; // bit n: servo n has answered
    double position_rad[MOVEMENT_SERVOS], velocity_rad_s[MOVEMENT_SERVOS];
    double load[MOVEMENT_SERVOS];     // share of the greatest torque
    double energy_J[MOVEMENT_SERVOS]; // that the servo has taken, as far as voltage and load tell
    uint32_t asked;                   // bit n: it was given a reference in this call
    double reference_rad[MOVEMENT_SERVOS];
    double speed_rad_s[MOVEMENT_SERVOS]; // of the way there
};

struct script_budget {
    unsigned instructions; // of a call
    size_t memory_B;
};

extern const struct script_budget script_budget_default;

struct script; // opaque; owned by the caller from script_open to script_close

// Reads the file and runs its main part, which must define Control. INVALID: what is wrong is said
// on standard error with file and line. SYSTEM, NO_MEMORY.
enum status script_open(const char *path, uint64_t seed, const struct script_budget *budget,
                        struct script **script) MUST_CHECK;
void script_close(struct script *script);

enum script_call { SCRIPT_INITIALIZE, SCRIPT_CONTROL };

// Calls it with what `axes` knows; `asked` and the references are the script's. INVALID: it failed,
// for script_reason, and must not be called again.
enum status script_call(struct script *script, enum script_call call,
                        struct script_axes *axes) MUST_CHECK;
// "wave.lua:12: ...". Valid until script_close.
const char *script_reason(const struct script *script);
