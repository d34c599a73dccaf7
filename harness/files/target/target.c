#include <dirent.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/trouble.h"
#include "channel/channel.h"
#include "harness/files/target/target.h"
#include "harness/files/yaml/file_table.h"
#include "harness/files/target/chain_file.h"
#include "harness/files/target/message_file.h"
#include "harness/files/target/not_finite.h"
#include "harness/files/target/observation_file.h"
#include "harness/files/target/signal_names.h"
#include "harness/files/places.h"
#include "harness/files/program.h"
#include "harness/files/target/promise_file.h"
#include "harness/history/schema.h"
#include "harness/packs/list.h"
#include "harness/files/target/target_network.h"
#include "harness/files/target/target_of.h"
#include "harness/files/target/target_process.h"
#include "harness/files/target/target_tap.h"
#include "harness/files/target/variation_file.h"
#include "model/description.h"
#include "message/io.h"

#define TARGET_FORMAT 2
#define FRAME_SIZE_MAX_B (16 << 20)
#define BUS_BITRATE_MAX_BIT_S 1e6

static const struct file_row channel_rows[] = {
    {"name", VALUE_NAME, true, FIELD(struct channel_config, name), .unique = true,
     .help = "see [channels](channels.md)"},
    {"message", VALUE_TEXT, false, FIELD(struct channel_config, message),
     .line = offsetof(struct channel_config, line),
     .help = "its message type: a file `NAME.msg` beside target.yaml; a channel without one is not "
             "recorded"},
    {"schema", VALUE_GONE, .help = "message: TYPE"},
    {"frame_size_max_B", VALUE_WHOLE, true, FIELD(struct channel_config, frame_size_max_B),
     .min = 1, .max = FRAME_SIZE_MAX_B, .help = "at least the size of a message"},
    {"slots", VALUE_WHOLE, true, FIELD(struct channel_config, slots), .min = 3,
     .max = CHANNEL_SLOTS_MAX, .help = "frames that it holds"},
    {"writer", VALUE_TEXT, false, FIELD(struct channel_config, writer),
     .help = "the process that must keep `floor_hz`, or `operator` where there is none. A silent "
             "writer is FAIL, a silent simulated robot ERROR"},
    {"also", VALUE_TEXT, false, LIST(struct channel_config, also, also_count),
     .most = CHANNEL_ALSO_MAX,
     .help = "further processes that write to it, or `operator`: a fault of the channel strikes "
             "what all of them put"},
    {"floor_hz", VALUE_NUMBER, false, FIELD(struct channel_config, floor_hz), .min = FLOOR_MIN_HZ,
     .max = FLOOR_MAX_HZ, .absent = "0",
     .help = "least number of frames per second, from when `writer` is ready until the robot "
             "falls; the oracle `activity` checks every second. It is excused while a proven fault "
             "holds up the writer, or the writer of the channel that it `needs`, or disturbs a bus "
             "or the machine. 0: no requirement"},
    {"needs", VALUE_TEXT, false, FIELD(struct channel_config, needs),
     .help = "channel without which `writer` has nothing to send"},
    {"lab_only", VALUE_TRUTH, false, FIELD(struct channel_config, lab_only), .absent = "false",
     .help = "`true`: ground truth, or what faults ask the simulated robot for: no process of the "
             "target reads or writes it, and `ukemi doubt` leaves it alone"},
    {.key = NULL}};

#define SERVO_NUMBER_MAX 253

#define BUS_KIND_WORD(name, word, called) word,
static const char *const bus_words[] = {BUS_KINDS(BUS_KIND_WORD)}; // NULL ends it
#undef BUS_KIND_WORD

static const struct file_row bus_rows[] = {
    {"name", VALUE_NAME, true, FIELD(struct bus_config, name), .unique = true,
     .help = "of an embedded bus"},
    {"kind", VALUE_WORD, false, FIELD(struct bus_config, kind), .words = bus_words, .absent = "can",
     .help = "what kind of frames travel on it"},
    {"bitrate_bit_s", VALUE_WHOLE, true, FIELD(struct bus_config, bitrate_bit_s),
     .min = BUS_BITRATE_MIN_BIT_S, .max = BUS_BITRATE_MAX_BIT_S, .help = "bit rate of its frames"},
    {"writer", VALUE_TEXT, false, FIELD(struct bus_config, writer),
     .help = "the process without which no frames are sent"},
    {"floor_hz", VALUE_NUMBER, false, FIELD(struct bus_config, floor_hz), .min = FLOOR_MIN_HZ,
     .max = FLOOR_MAX_HZ, .absent = "0", .help = "as of a channel"},
    {"host", VALUE_TEXT, false, FIELD(struct bus_config, host),
     .help = "for a CAN bus: the process that controls the boards; frames of other processes count "
             "as a stranger's. It may use SocketCAN only; see [can](can.md)"},
    {"servos", VALUE_WHOLE, false, LIST(struct bus_config, servo, servo_count), .unique = true,
     .most = BUS_SERVOS_MAX, .min = 0, .max = SERVO_NUMBER_MAX,
     .help = "for a servo line: the numbers of those that answer. `ukemi doubt` has the readings "
             "of each stuck"},
    {.key = NULL}};

static const struct file_row limits_rows[] = {
    {"processes", VALUE_WHOLE, false, FIELD(struct limits, processes), .min = 16,
     .max = LIMITS_PROCESSES_MAX, .absent = TEXT_OF(LIMITS_PROCESSES),
     .help = "processes and threads"},
    {"open_files", VALUE_WHOLE, false, FIELD(struct limits, open_files), .min = 64,
     .max = LIMITS_OPEN_FILES_MAX, .absent = TEXT_OF(LIMITS_OPEN_FILES),
     .help = "descriptors of one process"},
    {"memory_MB", VALUE_WHOLE, false, FIELD(struct limits, memory_MB), .min = 32,
     .max = LIMITS_MB_MAX, .absent = TEXT_OF(LIMITS_MEMORY_MB),
     .help = "anonymous, shared and unlinked memory of all processes"},
    {"file_MB", VALUE_WHOLE, false, FIELD(struct limits, file_MB), .min = 1, .max = LIMITS_MB_MAX,
     .absent = TEXT_OF(LIMITS_FILE_MB),
     .help = "one file, and all files in one of the private file systems"},
    {"output_MB", VALUE_WHOLE, false, FIELD(struct limits, output_MB), .min = 1,
     .max = LIMITS_MB_MAX, .absent = TEXT_OF(LIMITS_OUTPUT_MB),
     .help = "standard output and error of one process; data sent to one tap"},
    {"turn_s", VALUE_NUMBER, false, FIELD(struct limits, turn_s), .min = 0.1,
     .max = LIMITS_TIME_MAX_S, .absent = TEXT_OF(LIMITS_TURN_S),
     .help = "running time of a turn (virtual mode), or CPU time without ever waiting (wall mode)"},
    {"wall_s", VALUE_NUMBER, false, FIELD(struct limits, wall_s), .min = 1,
     .max = LIMITS_TIME_MAX_S, .absent = "0",
     .help = "running time of the whole trial; 0: depends on its `duration_s` and mode"},
    {.key = NULL}};

#define PACK_NAME(name) #name,
static const char *const pack_names[] = {PACKS(PACK_NAME) NULL};
#undef PACK_NAME

static const struct file_row quantity_rows[] = {
    {"NAME", VALUE_NAME, true, FIELD(struct quantity_config, name), .unique = true,
     .help = "in formulas"},
    {"TERM", VALUE_TEXT, true, FIELD(struct quantity_config, text),
     .help = "a term over channels' fields and other quantities; see [formulas](formulas.md)"},
    {.key = NULL}};

static const struct file_row group_rows[] = {
    {"NAME", VALUE_NAME, true, FIELD(struct group_config, name), .unique = true,
     .help = "in brackets, as in `drive.wheel[front].speed_rad_s`"},
    {"ELEMENTS", VALUE_WHOLE, true, LIST(struct group_config, element, count), .unique = true,
     .least = 1, .most = GROUP_ELEMENTS_MAX, .help = "numbers of an array's elements, from 0"},
    {.key = NULL}};

static const struct file_row body_rows[] = {
    {"model", VALUE_TEXT, true, FIELD(struct body_config, model),
     .line = offsetof(struct body_config, line),
     .help = "MuJoCo model, or robots made of solids ([bioloid](../bioloid.md)); relative to the "
             "folder"},
    {"place", VALUE_TEXT, true, FIELD(struct body_config, place),
     .help = "CHANNEL.FIELD, 3 numbers: the place of its first part that moves freely, in m"},
    {"turned", VALUE_TEXT, true, FIELD(struct body_config, turned),
     .help = "field of the same channel, 4 numbers: its quaternion, w first"},
    {"angles", VALUE_TEXT, true, FIELD(struct body_config, angles),
     .help = "field of the same channel: positions of the axes, in rad or m, by servo number; for "
             "a MuJoCo model in its order"},
    {"others", VALUE_TEXT, false, LIST(struct body_config, other, other_count), .unique = true,
     .most = BODY_OTHERS_MAX,
     .help = "channels with the same fields for the further parts that move freely, in the model's "
             "order; a channel without messages belongs to a robot that the trial does not have"},
    {.key = NULL}};

const struct file_row target_rows[] = {
    {"format", VALUE_FORMAT, true, .max = TARGET_FORMAT,
     .help = "a process has `run: [PROGRAM, ARGUMENT, ...]` where format 1 had `program` and "
             "`arguments`, a channel `message` where it had `schema`"},
    {"name", VALUE_NAME, true, FIELD(struct target, name), .help = "of the folder"},
    {"robot", VALUE_TEXT, false, FIELD(struct target, robot),
     .line = offsetof(struct target, robot_line),
     .help = "MuJoCo model, relative to the folder; absent: the target has no robot"},
    {"description", VALUE_TEXT, false, FIELD(struct target, description),
     .line = offsetof(struct target, description_line),
     .help = "robot description: boards, axes, limits; relative to the folder"},
    {"body", VALUE_MAP, false, FIELD(struct target, body), .rows = body_rows,
     .help = "what `ukemi view` and films draw for a target without `robot`"},
    {"processes", VALUE_MAP, true, LIST(struct target, process, process_count), .least = 1,
     .most = PROCESSES_MAX - 1, .rows = target_process_rows,
     .help = "in start order; each starts when the one before has joined the clock"},
    {"channels", VALUE_MAP, false, LIST(struct target, channel, channel_count), .least = 1,
     .most = CHANNELS_MAX - 1, .rows = channel_rows, .line = offsetof(struct target, channels_line),
     .help =
         "channels for messages between processes; optional if a process is not `clock: native`"},
    {"buses", VALUE_MAP, false, LIST(struct target, bus, bus_count), .most = BUSES_MAX,
     .rows = bus_rows, .line = offsetof(struct target, buses_line), .help = "embedded buses"},
    {"networks", VALUE_MAP, false, LIST(struct target, network, network_count),
     .most = NETWORKS_MAX, .rows = network_rows,
     .help = "real-time Ethernet; see [ethernet](ethernet.md)"},
    {"cables", VALUE_MAP, false, LIST(struct target, cable, cable_count), .most = CABLES_MAX,
     .rows = cable_rows,
     .help = "of the kernel (veth), between two interfaces of the cell, for programs that open "
             "interfaces themselves (AF_PACKET). Real time only: a virtual trial is SKIP"},
    {"chains", VALUE_MAP, false, LIST(struct target, chain, chain_count), .most = CHAINS_MAX,
     .rows = chain_rows,
     .help = "which message leads to which, for `ukemi bench latency` and promises on latency; see "
             "[chains](chains.md)"},
    {"pipeline", VALUE_GONE,
     .help = "chains: [{name: loop, links: [{channel: STATE, is: cycle}, {channel: COMMAND, "
             "answers: state_cycle}, ...]}]; doc/reference/chains.md explains it"},
    {"world", VALUE_TEXT, false, FIELD(struct target, world),
     .help = "the process that is the simulated robot: granted first whenever time has advanced. "
             "Its failure is the lab's; without it no trial runs"},
    {"packs", VALUE_TEXT, false, LIST(struct target, pack, pack_count), .most = TARGET_PACKS_MAX,
     .unique = true, .words = pack_names,
     .help = "what the judge knows about this kind of target, as `ukemi list oracles` shows"},
    {"taps", VALUE_MAP, false, LIST(struct target, tap, tap_count), .most = TAPS_MAX,
     .rows = target_tap_rows,
     .help = "messages of programs that do not use channels; see [taps](taps.md)"},
    {"quantities", VALUE_MAP, false, LIST(struct target, quantity, quantity_count),
     .most = QUANTITIES_MAX, .keyed = true, .rows = quantity_rows,
     .help = "terms with a name of their own, for promises, observations and triggers"},
    {"observations", VALUE_MAP, false, LIST(struct target, observation, observation_count),
     .most = TARGET_OBSERVATIONS_MAX, .rows = observation_rows,
     .help = "what is recorded of every trial, in addition to its verdict; see "
             "[observations](observations.md)"},
    {"promises", VALUE_MAP, false, LIST(struct target, promise, promise_count),
     .most = PROMISES_MAX, .rows = promise_rows,
     .help = "what must hold in every trial, as in a scenario; a scenario's promise of the same "
             "name replaces it"},
    {"variation", VALUE_MAP, false, LIST(struct target, variation, variation_count),
     .most = VARIATIONS_MAX, .rows = variation_rows,
     .line = offsetof(struct target, variation_line),
     .help = "what differs from one trial's world to the next, drawn by the seed; see "
             "[variation](variation.md)"},
    {"not_finite", VALUE_MAP, false, LIST(struct target, not_finite, not_finite_count),
     .most = NOT_FINITE_MAX, .rows = not_finite_rows,
     .help = "real numbers that processes may send though they are not finite; any other is FAIL "
             "by `messages-finite`"},
    {"groups", VALUE_MAP, false, LIST(struct target, group, group_count), .most = GROUPS_MAX,
     .keyed = true, .rows = group_rows, .help = "names for elements of arrays"},
    {"visible", VALUE_TEXT, false, LIST(struct target, visible, visible_count), .unique = true,
     .most = VISIBLE_MAX,
     .help = "paths below `/opt`, `/etc` or `/srv` that programs see in addition to `/usr` and "
             "their own folders"},
    {"limits", VALUE_MAP, false, FIELD(struct target, limits), .rows = limits_rows,
     .help = "what the processes of a trial may use; see [cell](cell.md)"},
    {.key = NULL}};

static void check_world(struct yaml_source *source, struct target *target)
{
    bool known = target->world[0] == '\0';
    for (unsigned i = 0; i < target->process_count; i++) {
        struct process_config *process = &target->process[i];
        process->follower = target->world[0] != '\0' && strcmp(process->name, target->world) == 0;
        known |= process->follower;
    }
    if (!known)
        yaml_complain(source, "world", "%s: no such process; use a name under processes",
                      target->world);
}

// A floor and who must keep it belong together.
static void check_floor(struct yaml_source *source, const struct target *target, const char *key,
                        const char *writer, double floor_hz)
{
    // A scenario's program owes nothing: its channels have no floor.
    bool known = writer[0] == '\0' || (strcmp(writer, OPERATOR_NAME) == 0 && floor_hz == 0);
    for (unsigned i = 0; i < target->process_count; i++)
        known |= strcmp(writer, target->process[i].name) == 0;
    if (!known)
        yaml_complain(source, yaml_key("%s.writer", key).text,
                      "%s: no such process; use a name under processes", writer);
    if (writer[0] == '\0' && floor_hz != 0)
        yaml_complain(source, key, "floor_hz without a writer; name the process that keeps it");
}

static void check_also(struct yaml_source *source, const struct target *target, const char *key,
                       const struct channel_config *channel)
{
    for (unsigned i = 0; i < channel->also_count; i++) {
        bool known = strcmp(channel->also[i], OPERATOR_NAME) == 0, again = false;
        for (unsigned p = 0; p < target->process_count; p++)
            known |= strcmp(channel->also[i], target->process[p].name) == 0;
        for (unsigned before = 0; before < i; before++)
            again |= strcmp(channel->also[i], channel->also[before]) == 0;
        const struct yaml_key also = yaml_key("%s.also[%u]", key, i);
        if (!known)
            yaml_complain(source, also.text, "%s: no such process; use a name under processes",
                          channel->also[i]);
        else if (again || strcmp(channel->also[i], channel->writer) == 0)
            yaml_complain(source, also.text, "%s: named twice; each writer needs its own entry",
                          channel->also[i]);
        else if (channel->writer[0] == '\0')
            yaml_complain(source, also.text, "%s: one of those who write is the `writer`; name it",
                          channel->also[i]);
    }
}

static void check_needs(struct yaml_source *source, const struct target *target, const char *key,
                        const char *needs)
{
    for (unsigned i = 0; i < target->channel_count; i++)
        if (strcmp(needs, target->channel[i].name) == 0 && target->channel[i].writer[0] != '\0')
            return;
    if (needs[0] != '\0')
        yaml_complain(source, yaml_key("%s.needs", key).text,
                      "%s: no channel with a writer is called so; name one under channels", needs);
}

// Only a servo line has servos. The host of a bus is a process; whether it can open the bus itself
// is a matter of its clock.
static void check_host(struct yaml_source *source, struct target *target, unsigned number)
{
    struct bus_config *bus = &target->bus[number];
    const struct yaml_key key = yaml_key("buses[%u].host", number);
    bool known = bus->host[0] == '\0';
    for (unsigned i = 0; i < target->process_count; i++)
        if (strcmp(bus->host, target->process[i].name) == 0) {
            known = true;
            bus->host_outside = target->process[i].clock != PROCESS_CLOCK_NATIVE;
        }
    if (!known)
        yaml_complain(source, key.text, "%s: no such process; use a name under processes",
                      bus->host);
    else if (bus->host[0] != '\0' && bus->kind != BUS_KIND_can)
        yaml_complain(source, key.text, "%s: only a CAN bus has a host; leave it out", bus->host);
    if (bus->servo_count > 0 && bus->kind != BUS_KIND_dynamixel)
        yaml_complain(source, yaml_key("buses[%u].servos", number).text,
                      "%s is no servo line; leave them out, or write kind: dynamixel", bus->name);
}

// What is recorded must be known, and fit.
static void check_message(struct yaml_source *source, const char *key, const struct target *target,
                          struct channel_config *channel)
{
    const struct schema *schema = channel->message[0] == '\0'
                                      ? NULL
                                      : message_file_check(source, yaml_key("%s.message", key).text,
                                                           target, channel->message);
    if (channel->message[0] == '\0' && channel->floor_hz != 0)
        yaml_complain(source, key,
                      "%s: not recorded, so no floor can be seen to be kept; give it a message",
                      channel->name);
    if (schema != NULL)
        yaml_check_range(source, yaml_key("%s.frame_size_max_B", key).text,
                         channel->frame_size_max_B,
                         schema->size_max_B == SCHEMA_SIZE_MAX_B ? (double)schema->head_size_B
                                                                 : (double)schema->size_max_B,
                         FRAME_SIZE_MAX_B);
}

static void check_channels(struct yaml_source *source, struct target *target)
{
    for (unsigned i = 0; i < target->channel_count; i++) {
        struct channel_config *channel = &target->channel[i];
        const struct yaml_key key = yaml_key("channels[%u]", i);
        check_floor(source, target, key.text, channel->writer, channel->floor_hz);
        check_also(source, target, key.text, channel);
        check_needs(source, target, key.text, channel->needs);
        check_message(source, key.text, target, channel);
    }
    for (unsigned i = 0; i < target->bus_count; i++) {
        check_floor(source, target, yaml_key("buses[%u]", i).text, target->bus[i].writer,
                    target->bus[i].floor_hz);
        check_host(source, target, i);
    }
}

static void check_quantities(struct yaml_source *source, const struct target *target)
{
    struct signal_names *names = calloc(1, sizeof *names);
    for (unsigned i = 0; names != NULL && i < target->quantity_count; i++) {
        const struct quantity_config *quantity = &target->quantity[i];
        *names = (struct signal_names){.target = target};
        term_check(source, yaml_key("quantities.%s", quantity->name).text, quantity->name, names);
    }
    free(names);
}

// Where packages install what programs need. Elsewhere are people's files and sockets, which are
// not a target's to ask for.
static void check_visible(struct yaml_source *source, const struct target *target)
{
    static const char *const below[] = {"/opt/", "/etc/", "/srv/"};
    for (unsigned i = 0; i < target->visible_count; i++) {
        const char *path = target->visible[i];
        const struct yaml_key key = yaml_key("visible[%u]", i);
        bool allowed = false;
        for (size_t j = 0; j < sizeof below / sizeof below[0]; j++)
            allowed |= strncmp(path, below[j], strlen(below[j])) == 0;
        if (!allowed || strstr(path, "/.") != NULL || path[strlen(path) - 1] == '/')
            yaml_complain(source, key.text, "%s: not a path below /opt, /etc or /srv; name one",
                          path);
        else if (!places_are_stored() && access(path, R_OK) != 0)
            yaml_complain(source, key.text, "%s: %s; install it or leave it out", path,
                          strerror(errno));
    }
}

// What shimmed programs do to each other goes over a channel that the lab adds.
static void check_io(struct yaml_source *source, const struct target *target, bool shimmed,
                     bool native)
{
    for (unsigned i = 0; i < target->channel_count && shimmed; i++)
        if (strcmp(target->channel[i].name, IO_CHANNEL) == 0)
            yaml_complain(source, yaml_key("channels[%u].name", i).text,
                          IO_CHANNEL ": kept for what shimmed programs do; choose another name");
    if (native && target->channel_count == 0)
        yaml_complain(source, "",
                      "channels: missing; add it, or `clock: shim` to programs that need none");
}

static void add_io(struct yaml_source *source, struct target *target)
{
    bool shimmed = false, native = true;
    for (unsigned i = 0; i < target->process_count; i++) {
        shimmed |= target->process[i].clock == PROCESS_CLOCK_SHIM;
        native &= target->process[i].clock == PROCESS_CLOCK_NATIVE;
    }
    check_io(source, target, shimmed, native);
    if (shimmed && yaml_status(source) == STATUS_OK)
        target->channel[target->channel_count++] =
            (struct channel_config){.name = IO_CHANNEL,
                                    .lab_only = true,
                                    .message = "io_message",
                                    .frame_size_max_B = sizeof(struct io_message),
                                    .slots = IO_CHANNEL_SLOTS};
}

static void check_promises(struct yaml_source *source, struct target *target)
{
    for (unsigned i = 0; i < target->promise_count; i++) {
        struct promise *promise = &target->promise[i];
        promise->of_target = true;
        promise_check(source, yaml_key("promises[%u]", i).text, target, NULL, WINDOW_MAX_S,
                      promise);
    }
}

// One array of a channel, of `wanted` elements; 0: of any number.
static void check_body_array(struct yaml_source *source, const struct target *target,
                             const char *key, const char *text, unsigned wanted)
{
    struct signal_name array;
    unsigned count;
    const size_t channel = strcspn(text, ".");
    if (!signal_array(target, text, &array, &count) || (wanted != 0 && count != wanted))
        yaml_complain(source, key, "%s: not an array of %s of a channel; write CHANNEL.FIELD", text,
                      wanted == 3   ? "3 numbers"
                      : wanted == 4 ? "4 numbers"
                                    : "numbers");
    else if (strncmp(text, target->body.place, channel + 1) != 0)
        yaml_complain(source, key, "%s: not of the same channel as %s; name one that is", text,
                      target->body.place);
}

// A channel of another robot: it has the arrays of the first one's.
static void check_body_other(struct yaml_source *source, const struct target *target, unsigned i)
{
    const struct body_config *body = &target->body;
    const char *const of_first[] = {body->place, body->turned, body->angles};
    for (unsigned a = 0; a < sizeof of_first / sizeof of_first[0]; a++) {
        struct signal_name first, array;
        unsigned wanted, count;
        char name[FORMULA_NAME_MAX];
        signal_of_channel(body->other[i], of_first[a], name);
        if (signal_array(target, of_first[a], &first, &wanted) &&
            (!signal_array(target, name, &array, &count) || count != wanted)) {
            yaml_complain(source, yaml_key("body.others[%u]", i).text,
                          "%s: there is no such array of %u numbers; name a channel that has those "
                          "of %s",
                          name, wanted, of_first[a]);
            return;
        }
    }
}

static void check_body(struct yaml_source *source, const struct target *target)
{
    const struct body_config *body = &target->body;
    if (body->model[0] == '\0')
        return;
    if (target->robot[0] != '\0')
        yaml_complain(source, "body", "a target with `robot` draws that; leave out `body`");
    program_check_inside(source, "body.model", body->model);
    check_body_array(source, target, "body.place", body->place, 3);
    check_body_array(source, target, "body.turned", body->turned, 4);
    check_body_array(source, target, "body.angles", body->angles, 0);
    for (unsigned i = 0; i < body->other_count; i++)
        check_body_other(source, target, i);
}

static enum status check(struct yaml_source *source, void *file, void *context)
{
    struct target *target = file;
    (void)context;
    yaml_copy_path(source, target->file);
    const char *slash = strrchr(target->file, '/');
    snprintf(target->folder, sizeof target->folder, "%.*s",
             slash == NULL ? 1 : (int)(slash - target->file), slash == NULL ? "." : target->file);
    if ((target->robot[0] == '\0') != (target->description[0] == '\0'))
        yaml_complain(source, "",
                      "a robot needs both its model and its description; give `robot` "
                      "and `description`, or neither");
    program_check_inside(source, "robot", target->robot);
    program_check_inside(source, "description", target->description);
    target_process_check(source, target);
    check_world(source, target);
    check_channels(source, target);
    add_io(source, target);
    target_tap_check(source, target);
    for (unsigned i = 0; i < target->tap_count; i++)
        check_floor(source, target, yaml_key("taps[%u]", i).text, target->tap[i].writer,
                    target->tap[i].floor_hz);
    check_body(source, target);
    chain_check(source, target);
    check_quantities(source, target);
    observation_check(source, target, target->observation, target->observation_count);
    check_promises(source, target);
    variation_check(source, target);
    not_finite_check(source, target, target->not_finite, target->not_finite_count);
    network_check(source, target);
    cables_check(source, target);
    check_visible(source, target);
    return STATUS_OK;
}

enum status target_load(const char *path, struct target **target)
{
    void *file;
    const enum status status = file_load(path, target_rows, sizeof **target, check, NULL, &file);
    *target = file;
    return status;
}

enum status target_describe(const struct target *target, struct description **description)
{
    char path[2 * PATH_MAX_LENGTH];
    snprintf(path, sizeof path, "%s/%s", target->folder, target->description);
    if (target->description[0] != '\0')
        return description_load(path, description);
    *description = description_none();
    return *description == NULL ? STATUS_NO_MEMORY : STATUS_OK;
}

void target_free(struct target *target)
{
    free(target);
}

// targets/FAMILY/NAME of the families that lie in one place. NOT_FOUND, or how the first one went.
static enum status find_in_families(const char *folder, const char *name, char *path, size_t size)
{
    DIR *families = opendir(folder);
    const struct dirent *family;
    enum status status = STATUS_NOT_FOUND;
    if (families == NULL)
        return trouble_note(errno) ? STATUS_SYSTEM : STATUS_NOT_FOUND;
    while (status == STATUS_NOT_FOUND && (family = readdir(families)) != NULL) {
        char relative[PATH_MAX_LENGTH];
        if (family->d_name[0] != '.' &&
            snprintf(relative, sizeof relative, "targets/%s/%s/target.yaml", family->d_name, name) <
                (int)sizeof relative)
            status = places_find(relative, path, size);
    }
    closedir(families);
    return status;
}

enum status target_find(const char *name, char *path, size_t size)
{
    char relative[2 * NAME_MAX_LENGTH];
    struct places all;
    if (name[0] == '.' || strchr(name, '/') != NULL) // would lead elsewhere
        return STATUS_NOT_FOUND;
    snprintf(relative, sizeof relative, "targets/%.47s/target.yaml", name);
    enum status status = places_find(relative, path, size);
    if (status != STATUS_NOT_FOUND || places_with("targets", &all) != STATUS_OK)
        return status;
    for (unsigned i = 0; i < all.count && status == STATUS_NOT_FOUND; i++)
        status = find_in_families(all.folder[i], name, path, size);
    return status;
}

enum status target_of(struct yaml_source *source, const char *name, struct target **target)
{
    char path[PATH_MAX_LENGTH];
    const enum status status = target_find(name, path, sizeof path);
    if (status == STATUS_OK)
        return target_load(path, target);
    if (status == STATUS_NOT_FOUND)
        yaml_complain(
            source, "target",
            "%s: there is no targets/%s/target.yaml, nor one in a folder below; see `ukemi list "
            "targets`, or add its "
            "folder to UKEMI_PATH",
            name, name);
    else
        yaml_complain(source, "target", "%s: cannot be used, see above", name);
    return STATUS_INVALID;
}
