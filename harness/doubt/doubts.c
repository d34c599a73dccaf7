#include "harness/doubt/doubts.h"

#include <fnmatch.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/log.h"
#include "base/text.h"
#include "harness/files/fault/catalogue.h"
#include "harness/files/scenario.h"
#include "harness/files/target/process_config.h"
#include "harness/files/target/wire_config.h"
#include "harness/history/schema.h"
#include "harness/trial/wire/frame_layout.h"

#define SENT_BY "sent-by:" // sockets of a process: what it sends
#define SENT_TO "sent-to:" // and what others send to it

// A word for what is wrong, and the fault that makes it so.
struct way {
    const char *word, *kind, *parameter; // parameter NULL: the catalogue's
    bool of_reals, of_numbers;           // only of messages that have real numbers; or any numbers
};

static const struct way of_channels[] = {
    {"silent", "channel-drop", NULL, false, false},
    {"frozen", "channel-stale", NULL, false, true},
    {"nan", "channel-all-nan", NULL, true, false},
    {"zero", "channel-zero", NULL, false, true},
    {"half", "channel-thinning", "amount=2", false, false},
    {"late-10ms", "channel-delay", "delay_s=0.01", false, false},
    {"late-50ms", "channel-delay", "delay_s=0.05", false, false},
    {"doubled", "channel-duplication", NULL, false, false},
    {NULL, NULL, NULL, false, false}};

static const struct way of_sockets[] = {{"silent", "socket-drop", NULL, false, false},
                                        {"half", "socket-drop", "share=0.5", false, false},
                                        {"late-10ms", "socket-delay", "delay_s=0.01", false, false},
                                        {"late-50ms", "socket-delay", "delay_s=0.05", false, false},
                                        {"doubled", "socket-duplication", NULL, false, false},
                                        {NULL, NULL, NULL, false, false}};

static const struct way of_processes[] = {{"asleep", "stall", NULL, false, false},
                                          {NULL, NULL, NULL, false, false}};

// By enum bus_kind_number; networks are of the last kind.
static const struct way of_buses[BUS_KIND_COUNT][6] = {
    [BUS_KIND_can] = {{"silent", "bus-loss", NULL, false, false},
                      {"half", "bus-loss", "share=0.5", false, false},
                      {"late-10ms", "bus-delay", "delay_s=0.01", false, false},
                      {"doubled", "bus-duplication", NULL, false, false}},
    [BUS_KIND_dynamixel] = {{"silent", "line-loss", NULL, false, false},
                            {"half", "line-loss", "share=0.5", false, false},
                            {"late-10ms", "line-delay", "delay_s=0.01", false, false}},
    [BUS_KIND_ethernet] = {{"silent", "ethernet-loss", NULL, false, false},
                           {"half", "ethernet-loss", "share=0.5", false, false},
                           {"late-10ms", "ethernet-delay", "delay_s=0.01", false, false},
                           {"doubled", "ethernet-duplication", NULL, false, false}}};

// Of one who sends readings: a board, a servo, or a host of a network.
static const struct way of_senders[BUS_KIND_COUNT] = {
    [BUS_KIND_can] = {"stuck", "encoder-stuck", NULL, false, false},
    [BUS_KIND_dynamixel] = {"stuck", "readings-stuck", NULL, false, false},
    [BUS_KIND_ethernet] = {"stuck", "ethernet-stuck", NULL, false, false}};

struct making {
    const struct target *target;
    const struct scenario *scenario;
    double at_s;
    struct doubts *doubts;
};

// ---- one doubt ---------------------------------------------------------------------------------

static const struct harmless *find_harmless(const struct scenario *scenario,
                                            const struct doubt *doubt)
{
    for (unsigned i = 0; i < scenario->harmless_count; i++)
        if (doubt_is(doubt, scenario->harmless[i].doubt))
            return &scenario->harmless[i];
    return NULL;
}

__attribute__((format(printf, 2, 3))) static void add_parameter(struct fault_request *fault,
                                                                const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(fault->parameter[fault->parameter_count++], NAME_MAX_LENGTH, format, arguments);
    va_end(arguments);
}

// NULL: the catalogue has no such fault, or there is no room.
static struct doubt *add(struct making *m, const struct way *way, const char *where,
                         const char *component)
{
    const struct fault_kind *kind = catalogue_find(m->scenario->catalogue, way->kind);
    if (kind == NULL)
        return NULL;
    if (m->doubts->count == DOUBTS_MAX) {
        m->doubts->left_out++;
        return NULL;
    }
    struct doubt *doubt = &m->doubts->doubt[m->doubts->count++];
    *doubt = (struct doubt){
        .fault = {.at = {.kind = TRIGGER_TIME, .time_min_s = m->at_s, .time_max_s = m->at_s},
                  .duration_s = m->scenario->duration_s, // beyond its end
                  .restart_after_s = -1,
                  .untold = true}};
    snprintf(doubt->name, sizeof doubt->name, "%s %.35s", way->word, where);
    text_copy(doubt->fault.kind, sizeof doubt->fault.kind, way->kind);
    text_copy(doubt->fault.component, sizeof doubt->fault.component, component);
    fault_complete(kind, &doubt->fault);
    if (way->parameter != NULL)
        add_parameter(&doubt->fault, "%s", way->parameter);
    doubt->harmless = find_harmless(m->scenario, doubt);
    return doubt;
}

// ---- of what a target has -----------------------------------------------------------------------

static bool suits(const struct way *way, const struct tamper_layout *layout)
{
    const unsigned reals = frame_layout_count(layout, TAMPER_REAL);
    return (!way->of_reals || reals > 0) &&
           (!way->of_numbers || reals + frame_layout_count(layout, TAMPER_WHOLE) > 0);
}

static void doubt_channel(struct making *m, const struct channel_config *channel)
{
    const struct schema *schema = schema_find(channel->message);
    struct tamper_layout layout;
    if (channel->lab_only || channel->message[0] == '\0' || schema == NULL)
        return;
    if (channel->writer[0] == '\0') {
        text_add(m->doubts->unwritten, sizeof m->doubts->unwritten, " %s", channel->name);
        return;
    }
    frame_layout(schema->fields, &layout);
    for (const struct way *way = of_channels; way->word != NULL; way++)
        if (suits(way, &layout))
            add(m, way, channel->name, channel->name);
}

static void doubt_sockets(struct making *m, const struct process_config *process, bool out)
{
    char where[2 * NAME_MAX_LENGTH];
    snprintf(where, sizeof where, "%s%s", out ? SENT_BY : SENT_TO, process->name);
    for (const struct way *way = of_sockets; way->word != NULL; way++) {
        struct doubt *doubt = add(m, way, where, process->name);
        if (doubt != NULL)
            add_parameter(&doubt->fault, "direction=%s", out ? "out" : "in");
    }
}

static void doubt_process(struct making *m, const struct process_config *process)
{
    for (const struct way *way = of_processes; way->word != NULL; way++)
        add(m, way, process->name, process->name);
    if (process->clock != PROCESS_CLOCK_SHIM)
        return;
    doubt_sockets(m, process, true);
    doubt_sockets(m, process, false);
}

// A bus that is called as a channel is is doubted as that.
static void doubt_wire(struct making *m, enum bus_kind_number kind, const char *name)
{
    for (unsigned i = 0; i < m->target->channel_count; i++)
        if (strcmp(m->target->channel[i].name, name) == 0)
            return;
    for (const struct way *way = of_buses[kind]; way->word != NULL; way++)
        add(m, way, name, name);
}

static void doubt_board(struct making *m, const struct board_description *board)
{
    if (board->link != 0 || board->bus >= m->target->bus_count ||
        m->target->bus[board->bus].kind != BUS_KIND_can)
        return;
    struct doubt *doubt =
        add(m, &of_senders[BUS_KIND_can], board->name, m->target->bus[board->bus].name);
    if (doubt == NULL)
        return;
    add_parameter(&doubt->fault, "board=%s", board->name);
    add_parameter(&doubt->fault, "id=%u", board->encoder_can_id);
}

static void doubt_servos(struct making *m, const struct bus_config *line)
{
    char where[NAME_MAX_LENGTH];
    for (unsigned i = 0; i < line->servo_count; i++) {
        snprintf(where, sizeof where, "%.20s:%u", line->name, line->servo[i]);
        struct doubt *doubt = add(m, &of_senders[BUS_KIND_dynamixel], where, line->name);
        if (doubt != NULL)
            add_parameter(&doubt->fault, "node=%u", line->servo[i]);
    }
}

static void doubt_host(struct making *m, const struct network_config *network, const char *host)
{
    char where[2 * NAME_MAX_LENGTH];
    snprintf(where, sizeof where, "%.20s:%.20s", network->name, host);
    struct doubt *doubt = add(m, &of_senders[BUS_KIND_ethernet], where, network->name);
    if (doubt != NULL)
        add_parameter(&doubt->fault, "host=%s", host);
}

static void doubt_network(struct making *m, const struct network_config *network)
{
    doubt_wire(m, BUS_KIND_ethernet, network->name);
    for (unsigned i = 0; i < network->host_count; i++)
        doubt_host(m, network, network->host[i]);
    for (unsigned r = 0; r < network->ring_count; r++)
        for (unsigned i = 0; i < network->ring[r].node_count; i++)
            doubt_host(m, network, network->ring[r].node[i]);
}

struct doubts *doubts_make(const struct target *target, const struct scenario *scenario,
                           const struct description *description, double at_s)
{
    struct making making = {target, scenario, at_s, calloc(1, sizeof *making.doubts)};
    if (making.doubts == NULL)
        return NULL;
    for (unsigned i = 0; i < target->channel_count; i++)
        doubt_channel(&making, &target->channel[i]);
    for (unsigned i = 0; i < target->process_count; i++)
        if (!target->process[i].follower && !target->process[i].interposes)
            doubt_process(&making, &target->process[i]);
    for (unsigned i = 0; i < target->bus_count; i++) {
        doubt_wire(&making, target->bus[i].kind, target->bus[i].name);
        doubt_servos(&making, &target->bus[i]);
    }
    for (unsigned i = 0; i < target->network_count; i++)
        doubt_network(&making, &target->network[i]);
    for (unsigned i = 0; description != NULL && i < description->board_count; i++)
        doubt_board(&making, &description->board[i]);
    return making.doubts;
}

// ---- choosing and checking ---------------------------------------------------------------------

bool doubt_is(const struct doubt *doubt, const char *pattern)
{
    return fnmatch(pattern, doubt->name, FNM_NOESCAPE) == 0;
}

void doubts_choose(struct doubts *doubts, const char *pattern)
{
    unsigned kept = 0;
    for (unsigned i = 0; i < doubts->count; i++)
        if (doubt_is(&doubts->doubt[i], pattern))
            doubts->doubt[kept++] = doubts->doubt[i];
    doubts->count = kept;
}

static bool names_any(const struct doubts *doubts, const char *pattern)
{
    for (unsigned i = 0; i < doubts->count; i++)
        if (doubt_is(&doubts->doubt[i], pattern))
            return true;
    return false;
}

enum status doubts_check(const struct scenario *scenario, const struct doubts *doubts)
{
    enum status status = STATUS_OK;
    for (unsigned i = 0; i < scenario->harmless_count; i++) {
        const struct harmless *harmless = &scenario->harmless[i];
        if (names_any(doubts, harmless->doubt))
            continue;
        log_error("%s:%u: harmless[%u].doubt: %s: there is no such doubt of it; `ukemi doubt "
                  "--list %s` lists them",
                  scenario->file, harmless->line, i, harmless->doubt, scenario->name);
        status = STATUS_INVALID;
    }
    return status;
}

struct scenario *doubt_scenario(const struct scenario *scenario, const struct doubt *doubt)
{
    struct scenario *doubted = malloc(sizeof *doubted);
    if (doubted == NULL)
        return NULL;
    *doubted = *scenario;
    doubted->own_catalogue = NULL;
    if (doubted->fault_count < FAULTS_MAX)
        doubted->fault[doubted->fault_count++] = doubt->fault;
    if (doubt->harmless != NULL)
        snprintf(doubted->claim, sizeof doubted->claim, "%s need not be noticed: %s", doubt->name,
                 doubt->harmless->reason);
    else
        snprintf(doubted->claim, sizeof doubted->claim, "%s is noticed", doubt->name);
    return doubted;
}
