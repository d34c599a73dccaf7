#include "harness/trial/wire/interposed.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/invariant.h"
#include "base/text.h"
#include "harness/cell/cell_inside.h"
#include "harness/cell/cell_rights.h"
#include "harness/files/fault/fault_channel.h"
#include "harness/files/scenario.h"
#include "harness/history/history.h"
#include "harness/history/schema.h"
#include "harness/trial/wire/frame_layout.h"

static bool is_known(const struct interposed *interposed, const struct channel_config *config)
{
    for (unsigned i = 0; i < interposed->count; i++)
        if (interposed->channel[i].config == config)
            return true;
    return false;
}

static void folder_of(const char *process, char folder[PATH_MAX_LENGTH])
{
    snprintf(folder, PATH_MAX_LENGTH, "%s/of-%s", cell_folder(), process);
}

static void add_writer(struct interposed *interposed, const char *process)
{
    for (unsigned i = 0; i < interposed->writer_count; i++)
        if (strcmp(interposed->writer[i].process, process) == 0)
            return;
    invariant(interposed->writer_count < sizeof interposed->writer / sizeof interposed->writer[0]);
    struct interposed_writer *new = &interposed->writer[interposed->writer_count++];
    new->process = process;
    folder_of(process, new->folder);
}

void interposed_find(const struct scenario *scenario, const struct target *target,
                     struct interposed *interposed)
{
    *interposed = (struct interposed){0};
    for (unsigned i = 0; i < scenario->fault_count; i++) {
        const struct channel_config *config = fault_channel(&scenario->fault[i], target);
        if (config == NULL || is_known(interposed, config))
            continue;
        invariant(interposed->count < sizeof interposed->channel / sizeof interposed->channel[0]);
        struct interposed_channel *new = &interposed->channel[interposed->count++];
        new->config = config;
        folder_of(config->writer, new->folder);
        add_writer(interposed, config->writer);
        for (unsigned a = 0; a < config->also_count; a++)
            add_writer(interposed, config->also[a]);
    }
}

void interposed_topic(const struct channel_config *config, char *topic, size_t size)
{
    snprintf(topic, size, TOPIC_OF_READERS, config->name);
}

const char *interposed_folder(const struct interposed *interposed,
                              const struct channel_config *config, const char *cell)
{
    for (unsigned i = 0; i < interposed->count; i++)
        if (interposed->channel[i].config == config)
            return interposed->channel[i].folder;
    return cell;
}

// ---- a writer's cell ----------------------------------------------------------------------------

static bool make_link(const char *to, const char *folder, const char *name)
{
    char path[2 * PATH_MAX_LENGTH];
    snprintf(path, sizeof path, "%s/%s", folder, name);
    return symlink(to, path) == 0 || errno == EEXIST;
}

static bool make_folder(const char *folder)
{
    char channels[2 * PATH_MAX_LENGTH];
    snprintf(channels, sizeof channels, "%s/channels", folder);
    return (mkdir(folder, 0700) == 0 || errno == EEXIST) &&
           (mkdir(channels, 0700) == 0 || errno == EEXIST) &&
           make_link("../clock", folder, "clock") && make_link("../buses", folder, "buses") &&
           make_link("../networks", folder, "networks");
}

static bool writes(const struct channel_config *config, const char *process)
{
    for (unsigned i = 0; i < config->also_count; i++)
        if (strcmp(config->also[i], process) == 0)
            return true;
    return strcmp(config->writer, process) == 0;
}

// Where a process finds a channel, seen from the channels of its own folder: "" if it is there, as
// the writers' side is that it is the `writer` of; the others that write to it share that one.
static void where(const struct interposed *interposed, const struct interposed_writer *writer,
                  const char *channel, char *to, size_t size)
{
    snprintf(to, size, "../../channels/%s", channel);
    for (unsigned i = 0; i < interposed->count; i++) {
        const struct channel_config *config = interposed->channel[i].config;
        if (strcmp(config->name, channel) != 0 || !writes(config, writer->process))
            continue;
        if (strcmp(config->writer, writer->process) == 0)
            *to = '\0';
        else
            snprintf(to, size, "../../of-%s/channels/%s", config->writer, channel);
    }
}

static bool make_cell(const struct interposed *interposed, const struct target *target,
                      const struct interposed_writer *writer)
{
    if (!make_folder(writer->folder))
        return false;
    for (unsigned i = 0; i < target->channel_count; i++) {
        const char *name = target->channel[i].name;
        char to[PATH_MAX_LENGTH], from[PATH_MAX_LENGTH];
        where(interposed, writer, name, to, sizeof to);
        snprintf(from, sizeof from, "channels/%s", name);
        if (*to != '\0' && !make_link(to, writer->folder, from))
            return false;
    }
    return true;
}

// ---- both sides ---------------------------------------------------------------------------------

static enum status watch(struct interposed_channel *of, struct clk_coordinator *coordinator)
{
    uint32_t channel_id, page_id;
    enum status status = clk_coordinator_watch(coordinator, channel_head(of->channel), &channel_id);
    if (status == STATUS_OK)
        status = clk_coordinator_watch(coordinator, tamper_changes(of->page), &page_id);
    if (status != STATUS_OK)
        return status;
    channel_set_watch(of->channel, channel_id);
    tamper_set_watch(of->page, page_id);
    return STATUS_OK;
}

static bool is_of_the_lab(const struct target *target, const char *writer)
{
    for (unsigned i = 0; i < target->process_count; i++)
        if (target->process[i].follower && strcmp(target->process[i].name, writer) == 0)
            return true;
    return false;
}

// No program of the target may write to the page, nor to what the simulated world says.
static bool keep_files(const struct interposed_channel *of, const struct target *target)
{
    char path[2 * PATH_MAX_LENGTH];
    snprintf(path, sizeof path, "%s/channels/%s", of->folder, of->config->name);
    if (is_of_the_lab(target, of->config->writer) && !cell_rights_keep_file(path))
        return false;
    snprintf(path, sizeof path, "%s/tamper-%s", cell_folder(), of->config->name);
    return cell_rights_keep_file(path);
}

static enum status create(struct interposed_channel *of, const struct target *target,
                          struct clk_coordinator *coordinator)
{
    const char *name = of->config->name;
    enum status status =
        channel_create(of->folder, name, of->config->frame_size_max_B, of->config->slots);
    if (status == STATUS_OK)
        status = channel_open_in(of->folder, name, CHANNEL_WRITE, &of->channel);
    if (status == STATUS_OK)
        status = tamper_create(cell_folder(), name);
    if (status == STATUS_OK)
        status = tamper_open(cell_folder(), name, &of->page);
    if (status == STATUS_OK)
        status = watch(of, coordinator);
    const struct schema *schema = schema_find(of->config->message);
    if (status == STATUS_OK && schema != NULL)
        frame_layout(schema->fields, tamper_layout(of->page));
    return status == STATUS_OK && !keep_files(of, target) ? STATUS_SYSTEM : status;
}

enum status interposed_create(struct interposed *interposed, const struct target *target,
                              struct clk_coordinator *coordinator, char *reason, size_t size)
{
    for (unsigned i = 0; i < interposed->writer_count; i++)
        if (!make_cell(interposed, target, &interposed->writer[i])) {
            snprintf(reason, size, "the channels of %s: %s", interposed->writer[i].process,
                     status_text(STATUS_SYSTEM));
            return STATUS_SYSTEM;
        }
    for (unsigned i = 0; i < interposed->count; i++) {
        struct interposed_channel *of = &interposed->channel[i];
        const enum status status = create(of, target, coordinator);
        if (status == STATUS_OK)
            continue;
        snprintf(reason, size, "the two sides of channel %s: %s", of->config->name,
                 status_text(status));
        return status;
    }
    return STATUS_OK;
}

void interposed_close(struct interposed *interposed)
{
    for (unsigned i = 0; i < interposed->count; i++) {
        channel_close(interposed->channel[i].channel);
        tamper_close(interposed->channel[i].page);
    }
    interposed->count = interposed->writer_count = 0;
}

// ---- for the supervisor -------------------------------------------------------------------------

struct process_config interposed_process(const struct interposed_channel *channel)
{
    struct process_config process = {.priority = INTERPOSER_PRIORITY, .interposes = true};
    snprintf(process.name, sizeof process.name, "interposer-%.32s", channel->config->name);
    text_copy(process.run[0], sizeof process.run[0], INTERPOSER_PROGRAM);
    text_copy(process.run[1], sizeof process.run[1], channel->folder);
    text_copy(process.run[2], sizeof process.run[2], channel->config->name);
    process.run_count = 3;
    return process;
}

const char *interposed_cell(const struct interposed *interposed, const char *process)
{
    for (unsigned i = 0; i < interposed->writer_count; i++)
        if (strcmp(interposed->writer[i].process, process) == 0)
            return interposed->writer[i].folder;
    return cell_folder();
}
