// Operator of the walking pattern generator: sends the lines of a command file, one after the
// other, each until the generator has it. Motion that was broken off is asked for anew, from the
// file's beginning, when the robot stands again.
//
//   operator FILE      in the target's folder
//
// ":obstacleparameters seen" is sent with the numbers of the obstacle that the lookout sees.
#include <limits.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/log.h"
#include "obstacle.h"
#include "robot/participant.h"
#include "targets/walkgen/script.h"
#include "walk_request.h"
#include "walk_status.h"

#define LOOK_MS 20
#define AGAIN_MS 100 // a message not taken up is sent again
#define AT_REST_M_S 0.01
#define PHASE_STANDING 2
#define SEEN ":obstacleparameters seen"
#define IMAGE_AGE_MAX_NS 500000000

struct operator
{
    struct clk *clk;
    struct channel *message, *status, *obstacle;
    struct walk_status_message said;
    uint64_t epoch; // for which the file is being sent
};

static void look(struct operator* operator, int wait_ms)
{
    clk_sleep_until(operator->clk, instant_add(clk_now(operator->clk), duration_ms(wait_ms)));
    const enum status got =
        channel_get(operator->status, &operator->said, sizeof operator->said, CHANNEL_LAST, NULL);
    (void)got; // the last one stays
}

static bool void_now(const struct operator* operator)
{
    return operator->said.epoch != operator->epoch;
}

// Sends until it is taken or refused. false: what was asked for is void.
static bool send(struct operator* operator, struct walk_request_message * message,
                 const struct script_item *item)
{
    char before[sizeof operator->said.reason];
    look(operator, 0);
    memcpy(before, operator->said.reason, sizeof before);
    message->id = operator->said.last_id + 1;
    while (operator->said.last_id<message->id) {
        message->time_ns = clk_now(operator->clk).ns;
        const enum status put =
            channel_put(operator->message, message, sizeof *message, clk_now(operator->clk));
        (void)put; // it is sent again
        for (int waited = 0; waited < AGAIN_MS && operator->said.last_id<message->id;
             waited += LOOK_MS)
            look(operator, LOOK_MS);
        if (void_now(operator))
            return false;
    }
    const bool refused = operator->said.refused_id == message->id;
    if (refused || memcmp(before, operator->said.reason, sizeof before) != 0)
        log_error("line %u%s: %.*s", item->line, refused ? " is refused" : "",
                  (int)sizeof operator->said.reason, operator->said.reason);
    return true;
}

// Waits until an obstacle is seen, not long ago, and writes the command that says where. false:
// what was asked for is void.
static bool write_seen(struct operator* operator, char * text, size_t size_B)
{
    struct obstacle_message seen;
    struct channel_frame frame;
    for (; !void_now(operator); look(operator, LOOK_MS)) {
        const enum status got =
            channel_get(operator->obstacle, &seen, sizeof seen, CHANNEL_LAST, &frame);
        const int64_t age_ns = clk_now(operator->clk).ns - seen.image_time_ns;
        if ((got != STATUS_OK && got != STATUS_MISSED) || frame.size_B != sizeof seen ||
            age_ns < 0 || age_ns > IMAGE_AGE_MAX_NS)
            continue;
        snprintf(text, size_B, ":obstacleparameters %.9g %.9g 0 %.9g %.9g %.9g %.9g", seen.x_m,
                 seen.y_m, seen.yaw_rad * 180 / M_PI, seen.height_m, seen.width_m, seen.depth_m);
        return true;
    }
    return false;
}

// All steps have been walked, though the generator still holds the robot.
static bool has_arrived(const struct walk_status_message *said)
{
    return said->step > 0 && said->steps_waiting == 0 && said->support == 0 &&
           hypot(said->com_velocity_m_s[0], said->com_velocity_m_s[1]) < AT_REST_M_S;
}

// false: what was asked for is void, and had not been done.
static bool wait_end(struct operator* operator)
{
    bool arrived = false;
    look(operator, LOOK_MS);
    while ((operator->said.phase != PHASE_STANDING || operator->said.steps_waiting> 0) &&
           !void_now(operator)) {
        arrived = has_arrived(&operator->said);
        look(operator, LOOK_MS);
    }
    return arrived || !void_now(operator);
}

static bool run_item(struct operator* operator, const struct script_item * item)
{
    struct walk_request_message message = {.kind = 1};
    switch (item->kind) {
    case SCRIPT_COMMAND:
        if (sscanf(item->text, ":step %lf %lf %lf", &message.x_m, &message.y_m, &message.yaw_rad) ==
            3)
            message.kind = 2;
        snprintf(message.text, sizeof message.text, "%s", item->text);
        if (strcmp(item->text, SEEN) == 0 &&
            !write_seen(operator, message.text, sizeof message.text))
            return false;
        return send(operator, & message, item);
    case SCRIPT_WAIT: {
        const instant end = instant_add(clk_now(operator->clk), duration_s(item->wait_s));
        while (instant_before(clk_now(operator->clk), end) && !void_now(operator))
            look(operator, LOOK_MS);
        break;
    }
    case SCRIPT_WAIT_END:
        return wait_end(operator);
    }
    return !void_now(operator);
}

static void run_script(struct operator* operator, const struct script * script)
{
    for (unsigned i = 0; i < script->count;) {
        while (operator->said.tick == 0)
            look(operator, LOOK_MS);
        if (i == 0)
            operator->epoch = operator->said.epoch;
        i = run_item(operator, & script->item[i]) ? i + 1 : 0;
    }
}

static enum status load(const char *name, struct script **script)
{
    const char *folder = getenv("UKEMI_TARGET");
    char path[PATH_MAX];
    if (folder == NULL) {
        log_error("UKEMI_TARGET is not set; set it to the target's folder");
        return STATUS_NOT_FOUND;
    }
    snprintf(path, sizeof path, "%s/%s", folder, name);
    enum status status = script_load(path, script);
    for (unsigned i = 0; status == STATUS_OK && i < (*script)->count; i++) {
        const struct script_item *item = &(*script)->item[i];
        if (item->kind != SCRIPT_COMMAND ||
            strlen(item->text) < sizeof((struct walk_request_message *)0)->text)
            continue;
        log_error("%s:%u: '%.40s...' is longer than a message; split it", path, item->line,
                  item->text);
        status = STATUS_INVALID;
    }
    return status;
}

int main(int argc, char **argv)
{
    static struct operator operator;
    struct script *script;
    log_program(argv[0]);
    if (argc != 2) {
        log_error("a command file is needed; write for example listings/listing1.cc");
        return 2;
    }
    if (load(argv[1], &script) != STATUS_OK ||
        participant_channel("walk-request", CHANNEL_WRITE, sizeof(struct walk_request_message),
                            &operator.message) != STATUS_OK ||
        participant_channel("obstacle", CHANNEL_READ, sizeof(struct obstacle_message),
                            &operator.obstacle) != STATUS_OK ||
        participant_channel("walk-status", CHANNEL_READ, sizeof operator.said, &operator.status) !=
            STATUS_OK ||
        participant_join(&operator.clk) != STATUS_OK)
        return 2;
    look(&operator, LOOK_MS);
    run_script(&operator, script);
    for (;;)
        look(&operator, 1000);
}
