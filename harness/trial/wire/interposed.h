// The channels of a trial that its faults strike: each has two sides, and an interposer between
// them (faults/interposer.c).
//
// The readers' side keeps the channel's place. The writer finds its own side under the same name,
// because its cell's folder is one of links to the cell's, in which this channel alone is another.
// A trial without such faults has nothing of this.
#pragma once

#include "channel/channel.h"
#include "channel/tamper.h"
#include "clock/coordinator.h"
#include "harness/files/fault/fault_request.h"
#include "harness/files/target/process_config.h"
#include "harness/files/target/wire_config.h"

struct scenario;
struct target;

#define INTERPOSER_PROGRAM "faults/interposer" // below the build folder
#define INTERPOSER_PRIORITY 99                 // before all readers

struct interposed_channel {
    const struct channel_config *config; // the target's
    char folder[PATH_MAX_LENGTH];        // what its `writer` takes for its cell
    struct channel *channel;             // the writers' side; the lab never writes to it
    struct tamper_page *page;
};

#define INTERPOSED_WRITERS_MAX (FAULTS_MAX * (1 + CHANNEL_ALSO_MAX))

struct interposed_writer { // a process that puts into one of the channels' own sides
    const char *process;
    char folder[PATH_MAX_LENGTH]; // what it takes for its cell
};

struct interposed {
    unsigned count, writer_count;
    struct interposed_channel channel[FAULTS_MAX];
    struct interposed_writer writer[INTERPOSED_WRITERS_MAX];
};

// Finds them. `target` outlives the result.
void interposed_find(const struct scenario *scenario, const struct target *target,
                     struct interposed *interposed);

// Makes their sides and pages in the cell, whose channels are there already, and registers their
// words with the coordinator. SYSTEM or the like, with the channel's name in `reason`.
enum status interposed_create(struct interposed *interposed, const struct target *target,
                              struct clk_coordinator *coordinator, char *reason,
                              size_t size) MUST_CHECK;
void interposed_close(struct interposed *interposed);

// The readers' side in the history: "force@readers". Under the channel's own name stands what its
// writer put: that is what the target and its world said, and what is judged.
void interposed_topic(const struct channel_config *config, char *topic, size_t size);

// The folder in which what the writer puts lies; `cell` if the channel has no interposer.
const char *interposed_folder(const struct interposed *interposed,
                              const struct channel_config *config, const char *cell);

// The interposer of a channel as a process of the trial.
struct process_config interposed_process(const struct interposed_channel *channel);

// What a process takes for its cell's folder.
const char *interposed_cell(const struct interposed *interposed, const char *process);
