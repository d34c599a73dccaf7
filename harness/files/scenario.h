// What is to be run: target, scenario and campaign files as C structures (YAML).
//
// Loaders check everything (unknown keys, ranges, names against the target and the fault catalogue)
// and report each error as "file:line: key: value: what is wrong; what to do" on standard error,
// returning INVALID. The caller frees.
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/status.h"
#include "base/time.h"
#include "base/variation.h"
#include "channel/channel.h"
#include "harness/cell/limits.h"
#include "harness/files/target/bus_kinds.h"
#include "harness/formula/formula.h"
#include "ethernet/network.h"

#define NAME_MAX_LENGTH 48
#define PATH_MAX_LENGTH 512
#define MESSAGE_NAME_LENGTH (2 * NAME_MAX_LENGTH) // "pendulum/pole.msg"
#define PROCESSES_MAX 65                          // one is the operator's
#define CHANNEL_ALSO_MAX 4
#define CHANNELS_MAX 129 // one is for what shimmed programs do
#define BUSES_MAX 4
#define BUS_SERVOS_MAX 30
#define NETWORKS_MAX 4
#define CABLES_MAX 8
#define PIPELINE_MAX 3
#define TARGET_PACKS_MAX 8
#define FAULTS_MAX 8
#define PARAMETERS_MAX 8
#define BUS_BITRATE_MIN_BIT_S 10e3
#define TAPS_MAX 8
#define QUANTITIES_MAX 64
#define VARIATIONS_MAX 32
#define VARIATION_SOURCE_MAX 400
#define NOT_FINITE_MAX 64
#define GROUPS_MAX 16
#define GROUP_ELEMENTS_MAX 64
#define PROMISES_MAX 32
#define RUN_WORDS_MAX 33 // a program and its arguments
#define VARIABLES_MAX 32 // of a process's environment
#define VARIABLE_TEXT_MAX 256
#define MAY_EXIT_MAX 16
#define PROCESS_THREADS_MAX 8
#define THREAD_NAME_MAX 16 // as the kernel's
#define REGEX_MAX 128
#define FORMULA_TEXT_MAX 256
#define TARGET_OBSERVATIONS_MAX 32
#define SCENARIO_OBSERVATIONS_MAX 16
#define CASES_MAX 20
#define OSCILLATORS_MAX 4
#define REPLACEMENTS_MAX 16
#define HARMLESS_MAX 64
#define OSCILLATOR_PROCESSES_MAX 32

// What a field is that comes from a file says the help of its row (file_table.h): `ukemi help
// files`. Words of the lab's own, which no target may use for a process:
#define OPERATOR_NAME "operator" // the scenario's program, as a process and as a component
#define MACHINE_NAME "machine"   // `component` of a fault that strikes all that runs

// ---- target.yaml --------------------------------------------------------------------------------

// How a process takes part in the trial's time.
enum process_clock {
    PROCESS_CLOCK_NATIVE, // it joins the clock by itself (clock/clock.h)
    PROCESS_CLOCK_SHIM,   // a preloaded library does that for it: any dynamically linked program
    PROCESS_CLOCK_NONE,   // not at all: real time only
};

// When the next process may be started. One of them; none: when this one has joined the clock, or
// if it never does, at once.
struct ready_config {
    char
        output[REGEX_MAX]; // a line that it prints holds this extended regular expression; "": none
    unsigned port;         // somebody in the cell listens on this TCP or UDP port; 0: none
    double after_s;        // so long after it was started; 0: none
};

struct variable {
    char name[NAME_MAX_LENGTH], value[VARIABLE_TEXT_MAX];
};

struct thread_config { // of a process, beside its first
    char name[THREAD_NAME_MAX];
    unsigned priority; // 0: its process's
};

struct process_config {
    char name[NAME_MAX_LENGTH];
    char component[NAME_MAX_LENGTH]; // "": none
    char host[NAME_MAX_LENGTH];      // whose channels are its; empty: the robot's own
    unsigned run_count;
    char run[RUN_WORDS_MAX]
            [PATH_MAX_LENGTH]; // the program, as the cell has it: in the build folder
                               // "targets/pendulum/controller", or a whole path; arguments
    int priority;
    bool follower;
    bool checks;     // run with --check, it says what is wrong with its files
    bool interposes; // it is no process of the target, but the lab's, between two of them
    enum process_clock clock;
    struct ready_config ready;
    double ready_within_s;
    unsigned may_exit_count;
    unsigned may_exit[MAY_EXIT_MAX]; // statuses with which it may end
    unsigned thread_count;
    struct thread_config thread[PROCESS_THREADS_MAX];
    unsigned variable_count;
    struct variable variable[VARIABLES_MAX]; // of its environment
    double restart_after_s;
    unsigned line; // of `run` in the target's file
};

struct channel_config {
    char name[CHANNEL_NAME_MAX];
    char message[MESSAGE_NAME_LENGTH]; // its type; "": not recorded
    unsigned frame_size_max_B, slots;
    char writer[NAME_MAX_LENGTH]; // "" if floor_hz is 0
    unsigned also_count;
    char also[CHANNEL_ALSO_MAX][NAME_MAX_LENGTH]; // others that write to it
    double floor_hz;
    char needs[NAME_MAX_LENGTH]; // "": none
    bool lab_only;               // nobody but the lab reads it
    unsigned line;               // in the target's file
};

struct bus_config {
    char name[NAME_MAX_LENGTH];
    char host[NAME_MAX_LENGTH]; // whose frames are the controller's; "": all that a node sends
    bool host_outside;          // it is no native program: `clock` shim or none
    enum bus_kind_number kind;
    unsigned bitrate_bit_s;
    char writer[NAME_MAX_LENGTH]; // "" if floor_hz is 0
    double floor_hz;
    unsigned servo_count; // numbers of those that answer on a servo line
    unsigned servo[BUS_SERVOS_MAX];
};

struct network_ring_config {
    char name[NAME_MAX_LENGTH];
    unsigned node_count;
    char node[ETH_HOSTS_MAX][NAME_MAX_LENGTH]; // in order; both ends are on the hub
};

struct network_config { // of Ethernet: hosts and rings on a switching hub
    char name[NAME_MAX_LENGTH];
    unsigned bitrate_bit_s, exchange_B;
    double hub_latency_us, relay_latency_us, relay_jitter_us, stamp_noise_us, cycle_us;
    enum eth_redundancy redundancy;
    unsigned host_count, ring_count;
    char host[ETH_HOSTS_MAX][NAME_MAX_LENGTH]; // on the hub
    struct network_ring_config ring[ETH_RINGS_MAX];
};

struct cable_config { // of the kernel's: a pair of interfaces, for programs that want some
    unsigned end_count;
    char end[2][NAME_MAX_LENGTH];
};

enum tap_kind { TAP_UNIX, TAP_UDP, TAP_STDOUT };

struct tap_config { // what a program says that does not use our channels
    char channel[CHANNEL_NAME_MAX];
    char from[NAME_MAX_LENGTH];        // "unix:tap", "udp:14550", "stdout:controller"
    enum tap_kind kind;                // of `from`, and
    char name[NAME_MAX_LENGTH];        // what stands behind its colon
    char message[MESSAGE_NAME_LENGTH]; // its type; of lines, made up of their fields
    char fields[PATH_MAX_LENGTH];      // of lines (line_pattern.h)
    char writer[NAME_MAX_LENGTH];      // "" if floor_hz is 0 and it is none of lines
    double floor_hz;
    unsigned line; // in the target's file
};

struct quantity_config { // a term over signals, under a name of its own (formula.h)
    char name[NAME_MAX_LENGTH];
    char text[FORMULA_TEXT_MAX];
    unsigned line; // in the target's file
};

struct group_config { // elements of an array, for "drive.wheel[front].speed_rad_s"
    char name[NAME_MAX_LENGTH];
    unsigned count;
    unsigned element[GROUP_ELEMENTS_MAX];
};

// What the windows of promises and observations count from.
enum promise_from { FROM_START, FROM_FAULT, FROM_FAULT_OVER, FROM_RESTART };

// What must hold: a formula in a window of the trial, checked when the file is read; or what a
// program says of the whole history.
struct promise {
    char name[NAME_MAX_LENGTH];
    enum formula_operator operator;    // over the window; FORMULA_HOLDS: at its first instant
    char formula[3][FORMULA_TEXT_MAX]; // by operator: one of them is written
    enum promise_from from;
    double after_s; // the window begins so long after `from`
    double for_s;   // and is so long; 0: to the end of the trial
    double looks_s; // so far behind an instant its formula looks, where it says how far
    char
        program[PATH_MAX_LENGTH]; // as the cell has it, "": none; or a whole path of the machine's,
    bool beside;                  // if it lies beside the scenario
    unsigned argument_count;
    char argument[PARAMETERS_MAX][NAME_MAX_LENGTH];
    double timeout_s; // running time that the program has
    unsigned line;    // in the file of the scenario, or
    bool of_target;   // of its target
};

enum observation_kind { OBSERVE_TEXT, OBSERVE_TIME, OBSERVE_VALUE };
enum observation_of { OF_LAST, OF_MIN, OF_MAX, OF_MEAN };

struct observation_case {
    char say[NAME_MAX_LENGTH];
    char when[FORMULA_TEXT_MAX]; // "": in any case
};

struct observation_config { // what is told of a trial (judge/observe.h); one of the three
    char name[NAME_MAX_LENGTH];
    enum observation_kind kind;
    unsigned case_count;
    struct observation_case first_of[CASES_MAX]; // TEXT
    char time_until[FORMULA_TEXT_MAX];           // TIME
    char value[FORMULA_TEXT_MAX];                // VALUE: a term
    enum observation_of of;
    char unit[16];
    enum promise_from from;
    double after_s, for_s; // as of a promise
    unsigned line;         // in the target's file
};

#define BODY_OTHERS_MAX 3
struct body_config {             // what pictures of a trial draw, of a target without `robot`
    char model[PATH_MAX_LENGTH]; // relative to the target's folder; "": nothing
    char place[FORMULA_NAME_MAX], turned[FORMULA_NAME_MAX], angles[FORMULA_NAME_MAX]; // arrays
    unsigned other_count;
    char other[BODY_OTHERS_MAX][NAME_MAX_LENGTH]; // channels with the same arrays of further robots
    unsigned line;                                // in the target's file
};

struct variation_config { // what differs from trial to trial (target/variation_file.h)
    char quantity[VARIATION_NAME_MAX];
    double spread, low, high; // low and high say it all, once it is checked
    unsigned each;
    char source[VARIATION_SOURCE_MAX];
};

struct not_finite_config { // a real number that may be none (target/not_finite.h)
    char member[FORMULA_NAME_MAX];
    char reason[FORMULA_TEXT_MAX];
};

struct target {
    char name[NAME_MAX_LENGTH];
    char file[PATH_MAX_LENGTH];        // target.yaml
    char folder[PATH_MAX_LENGTH];      // where it lies
    char robot[PATH_MAX_LENGTH];       // MuJoCo model, relative to folder
    char description[PATH_MAX_LENGTH]; // robot description, relative to folder
    struct body_config body;
    unsigned robot_line, description_line, channels_line, buses_line; // in file; 1: absent
    unsigned process_count, channel_count, bus_count;
    struct process_config process[PROCESSES_MAX]; // in start order
    struct channel_config channel[CHANNELS_MAX];
    struct bus_config bus[BUSES_MAX];
    unsigned network_count;
    struct network_config network[NETWORKS_MAX];
    unsigned cable_count;
    struct cable_config cable[CABLES_MAX];
    unsigned pipeline_count;
    char pipeline[PIPELINE_MAX][NAME_MAX_LENGTH];
    char world[NAME_MAX_LENGTH]; // process that is the simulated world, "": there is none
    unsigned pack_count;
    char pack[TARGET_PACKS_MAX][NAME_MAX_LENGTH]; // what the judge knows of it (harness/packs/)
    unsigned visible_count;
    char visible[VISIBLE_MAX][PATH_MAX_LENGTH]; // more paths of the machine's for its programs
    struct limits limits;                       // complete but for wall_s
    unsigned tap_count, quantity_count, group_count;
    struct tap_config tap[TAPS_MAX];
    struct quantity_config quantity[QUANTITIES_MAX];
    struct group_config group[GROUPS_MAX];
    unsigned observation_count;
    struct observation_config observation[TARGET_OBSERVATIONS_MAX];
    unsigned promise_count;
    struct promise promise[PROMISES_MAX]; // of all its trials
    unsigned variation_count, variation_line;
    struct variation_config variation[VARIATIONS_MAX];
    unsigned not_finite_count;
    struct not_finite_config not_finite[NOT_FINITE_MAX];
};

// ---- scenario -----------------------------------------------------------------------------------

// When a fault strikes: at a time; or at a gait phase after a time; or when a formula holds after a
// time. Ranges are drawn by the trial's seed.
enum trigger_kind { TRIGGER_TIME, TRIGGER_PHASE, TRIGGER_CONDITION };

struct trigger {
    enum trigger_kind kind;
    double time_min_s, time_max_s; // drawn uniformly; for PHASE and CONDITION: not before
    double phase_min, phase_max;   // PHASE: of the gait cycle, 0..1, drawn uniformly
    char when[FORMULA_TEXT_MAX];   // CONDITION: a formula of one instant, "tilt_rad > 0.1"
    double limit;                  // in the file: `above` or `below`; `when` says it, too
};

// What a kind of fault is to the judge, as the catalogue says. No code knows a fault by its name.
enum fault_halts { // the struck process
    HALTS_NOTHING,
    HALTS_ENDED,   // it ends
    HALTS_STOPPED, // it stops, and can go on
};

enum fault_loads { // what it takes from all that runs; that makes a target late, in real time
    LOADS_NOTHING,
    LOADS_CPU,
    LOADS_MEMORY,
    LOADS_CACHE,
    LOADS_NETWORK,
    LOADS_DISK,
    LOADS_PRIORITY,
};

enum fault_struck { // what the scenario's `component` names
    STRUCK_PROCESS,
    STRUCK_BUS,
    STRUCK_NETWORK,
    STRUCK_CHANNEL, // one that has a writer
    STRUCK_MACHINE, // all that runs on it: MACHINE_NAME
};

struct fault_request {
    char kind[NAME_MAX_LENGTH];      // entry of the catalogue: kill, stall, restart
    char component[NAME_MAX_LENGTH]; // row of the failure table, or process name
    // Of this kind, as the catalogue says:
    enum fault_struck struck;
    enum fault_halts halts;
    enum fault_loads loads;
    bool falsifies; // readings that pass every check of the bus are untrue while it acts
    bool restarts;  // its undoing starts the process again
    struct trigger at;
    double duration_s;        // stall: until undo; kill: 0
    double restart_after_s;   // kill: restart the process so long after; < 0 never
    unsigned parameter_count; // further parameters for the fault's program: "signal=KILL"
    char parameter[PARAMETERS_MAX][NAME_MAX_LENGTH];
    bool untold; // the judge sees the trial as if it had not struck (judge/untold.h); of no file
};

// What a scenario need not notice (harness/doubt/doubts.h).
struct harmless {
    char doubt[NAME_MAX_LENGTH]; // "late-10ms camera"; with * and ? as in names of files
    char reason[FORMULA_TEXT_MAX];
    unsigned line; // in the scenario's file
};

// What the operator asks the robot for.
enum asked {
    ASKED_AS_RECORDED, // what its recorded commands say, or else the goal of the environment
    ASKED_GOAL,        // the goal of the environment
    ASKED_WALK,        // walking commands, one after the other; its program ends when all are done
    ASKED_STANCE,      // nothing: the robot stands where it stood
};

// A variant under test: this program runs in place of the one the target file names.
struct replacement {
    char component[NAME_MAX_LENGTH]; // row of the failure table, or process name
    char program[PATH_MAX_LENGTH];   // relative to the build's folder
    char arguments[PATH_MAX_LENGTH]; // in place of the target file's; "": those
    unsigned line;                   // in the scenario's file
};

struct oscillator_config { // of the clocks of some processes
    unsigned process_count;
    char process[OSCILLATOR_PROCESSES_MAX][NAME_MAX_LENGTH];
    double offset_min_us, offset_max_us, drift_min_ppm, drift_max_ppm;
    double wander_ppm, wander_period_s;
};

#define PROMISE_PROGRAM_S 60 // an oracle program's time, unless its promise says

struct catalogue; // catalogue.h

struct scenario {
    char name[NAME_MAX_LENGTH];
    char claim[PATH_MAX_LENGTH];
    char file[PATH_MAX_LENGTH];
    char target[NAME_MAX_LENGTH];
    double duration_s, watch_s;
    char operator_program[PATH_MAX_LENGTH], operator_arguments[PATH_MAX_LENGTH];
    unsigned operator_line; // in file
    bool operator_checks;   // run with --check, it says what is wrong with its arguments
    unsigned environment_count;
    char environment[PARAMETERS_MAX][NAME_MAX_LENGTH];
    unsigned environment_line;
    unsigned bus_bitrate_bit_s; // of all buses in this trial; 0: what the target says
    unsigned redundancy;        // of all networks: 1 + enum eth_redundancy; 0: what the target says
    unsigned replacement_count;
    struct replacement replacement[REPLACEMENTS_MAX];
    bool must_complete, must_stand;
    bool unvaried;    // its world is as the model says, whatever the seed
    enum asked asked; // what must_complete judges
    unsigned idle_count;
    char idle[PROCESSES_MAX][NAME_MAX_LENGTH]; // processes of which nothing need be seen
    bool column;                               // of campaigns, which give it its fault
    unsigned oscillator_count;
    struct oscillator_config oscillator[OSCILLATORS_MAX];
    unsigned fault_count;
    struct fault_request fault[FAULTS_MAX];
    unsigned replaced_count; // faults of its own, in whose place a campaign put its own
    char replaced[FAULTS_MAX][NAME_MAX_LENGTH]; // their kinds
    const struct catalogue *catalogue;          // what its faults are
    struct catalogue *own_catalogue;            // the same; NULL: its campaign's
    unsigned promise_count;
    struct promise promise[PROMISES_MAX];
    unsigned observation_count;
    struct observation_config observation[SCENARIO_OBSERVATIONS_MAX]; // beside the target's
    unsigned not_finite_count;
    struct not_finite_config not_finite[NOT_FINITE_MAX]; // beside the target's
    unsigned harmless_count;
    struct harmless harmless[HARMLESS_MAX];
};

// How many of its faults the judge is told of.
unsigned scenario_told(const struct scenario *scenario);

// ---- campaign -----------------------------------------------------------------------------------

#define CAMPAIGN_PAGE "campaign" // of reports without one of their own
#define SQUARES_MAX 512          // rows x columns of a campaign's matrix

struct campaign_square { // one square of the matrix: so many trials of one scenario with these
                         // faults
    struct scenario *scenario;
    char row[NAME_MAX_LENGTH];      // title of the row: a component, or a fault
    char column[NAME_MAX_LENGTH];   // "Static", "Quasi-Static", "Dynamic"
    char expected[NAME_MAX_LENGTH]; // in the paper: "No Effect"
    unsigned trials;
};

struct campaign {
    char name[NAME_MAX_LENGTH];
    char claim[PATH_MAX_LENGTH]; // what its trials show, in one sentence; "" if it says nothing
    char file[PATH_MAX_LENGTH];
    uint64_t seed;
    bool seeds_equal;           // every trial has this seed, and no one of its own
    double recheck_share;       // share of trials run twice for the determinism check
    char page[NAME_MAX_LENGTH]; // of its report: a folder of reports/
    struct catalogue *catalogue;
    unsigned square_count;
    struct campaign_square square[SQUARES_MAX];
};

// Whether a trial without a fault must come to what the operator asked for.
static inline bool scenario_asks(const struct scenario *scenario)
{
    return scenario->must_complete || scenario->asked != ASKED_AS_RECORDED;
}

// A target by name: fills `path` with targets/NAME/target.yaml of the places (places.h), or else
// with targets/FAMILY/NAME/target.yaml. INVALID, reported: two places have it, or others may write
// it; NOT_FOUND, TOO_LARGE.
enum status target_find(const char *name, char *path, size_t size) MUST_CHECK;

// `target` may be NULL: then the scenario's own one is found and loaded for the checks. What is
// struck and how is checked against the target and against the fault catalogue, which is read once,
// and kept with the scenario or campaign.
enum status target_load(const char *path, struct target **target) MUST_CHECK;
enum status scenario_load(const char *path, const struct target *target,
                          struct scenario **scenario) MUST_CHECK;
enum status campaign_load(const char *path, struct campaign **campaign) MUST_CHECK;

// The description of the target's robot; an empty one if it has none. INVALID,
// said; NO_MEMORY. The caller frees it.
struct description;
enum status target_describe(const struct target *target,
                            struct description **description) MUST_CHECK;

void target_free(struct target *target);
void scenario_free(struct scenario *scenario);
void campaign_free(struct campaign *campaign);
