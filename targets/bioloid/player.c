// player: plays movements of files, step by step, when it is asked to; see doc/bioloid.md.
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/log.h"
#include "joint_request.h"
#include "motion_request.h"
#include "motion_status.h"
#include "robot/participant.h"
#include "targets/bioloid/play.h"

#define ROBOT "bioloid.xml" // whose joints way points name
#define FILES_MAX 16
#define AHEAD_NS 30000000   // a step is asked for so long before it begins
#define STATUS_NS 100000000 // and this is told at least so often

enum state { IDLE, PLAYING, DONE, REFUSED };

struct player {
    struct movements *file[FILES_MAX];
    unsigned files;
    struct play play;
    enum state state;
    uint64_t sequence, asked; // of the request that is played; of our own
    instant next;             // when the step behind the one asked for last begins
    struct channel *request, *out, *status;
    struct clk *clk;
};

static enum status load(struct player *player, char **names, unsigned count)
{
    static char path[PATH_MAX];
    const char *folder = getenv("UKEMI_TARGET");
    struct solid_robot *robot = NULL;
    enum status status = STATUS_OK;
    if (folder == NULL || strlen(folder) > PATH_MAX / 2) {
        log_error("UKEMI_TARGET is not set, or too long; set it to the target's folder");
        return STATUS_INVALID;
    }
    snprintf(path, sizeof path, "%s/" ROBOT, folder);
    status = solids_read(path, &robot);
    for (unsigned i = 0; i < count && status == STATUS_OK; i++) {
        snprintf(path, sizeof path, "%s/%.255s", folder, names[i]);
        status = movements_read(path, robot, &player->file[player->files]);
        player->files += status == STATUS_OK;
    }
    free(robot);
    return status;
}

static void tell(struct player *player, instant now)
{
    const struct motion_status_message status = {.time_ns = now.ns,
                                                 .sequence = player->sequence,
                                                 .state = player->state,
                                                 .steps = player->play.played};
    if (channel_put(player->status, &status, sizeof status, now) != STATUS_OK)
        log_error("cannot publish the status");
}

static void begin(struct player *player, const struct motion_request_message *request, instant now)
{
    const struct movement *movement = NULL;
    const struct movements *file = NULL;
    for (unsigned i = 0; i < player->files && movement == NULL; i++) {
        file = player->file[i];
        movement = movements_find(file, (const char *)request->name);
    }
    player->state = movement != NULL ? PLAYING : REFUSED;
    if (movement == NULL)
        return;
    play_start(&player->play, file, movement, request->repeat);
    player->next = instant_add(now, duration_ns(AHEAD_NS));
}

static void take_request(struct player *player, instant now)
{
    struct motion_request_message request;
    const enum status got =
        channel_get(player->request, &request, sizeof request, CHANNEL_NEXT, NULL);
    if (got != STATUS_OK && got != STATUS_MISSED)
        return;
    request.name[sizeof request.name - 1] = 0;
    player->sequence = request.sequence;
    if (request.action == 1)
        begin(player, &request, now);
    else if (request.action == 2)
        play_leave(&player->play);
    else
        player->state = IDLE;
    tell(player, now);
}

// Asks for the step that begins at player->next.
static void ask(struct player *player, instant now)
{
    struct movement_step step;
    struct joint_request_message request = {.sequence = ++player->asked};
    const struct movement *movement = player->play.movement;
    if (!play_next(&player->play, &step)) {
        player->state = DONE;
        return;
    }
    const instant end = instant_add(player->next, duration_s(step.duration_s));
    request.start_ns = player->next.ns;
    request.end_ns = end.ns;
    request.servos = step.servos;
    memcpy(request.slope, movement->slope, sizeof request.slope);
    memcpy(request.angle_rad, step.angle_rad, sizeof request.angle_rad);
    memcpy(request.velocity_rad_s, step.velocity_rad_s, sizeof request.velocity_rad_s);
    if (channel_put(player->out, &request, sizeof request, now) != STATUS_OK)
        log_error("cannot publish a request");
    player->next = instant_add(end, duration_s(step.pause_s));
}

static void run(struct player *player)
{
    for (instant told = instant_ns(0);;) {
        const instant now = clk_now(player->clk);
        const instant due = instant_add(player->next, duration_ns(-AHEAD_NS));
        if (player->state == PLAYING && !instant_before(now, due)) {
            ask(player, now);
            if (player->state == DONE)
                tell(player, now);
            continue;
        }
        if (!instant_before(now, told)) {
            tell(player, now);
            told = instant_add(now, duration_ns(STATUS_NS));
        }
        const struct clk_watch watch = channel_watch(player->request);
        const instant deadline = player->state == PLAYING ? instant_min(due, told) : told;
        if (clk_wait(player->clk, &watch, 1, deadline) == STATUS_OK)
            take_request(player, clk_now(player->clk));
    }
}

int main(int argc, char **argv)
{
    static struct player player;
    const bool checks = argc > 1 && strcmp(argv[1], "--check") == 0;
    const int first = checks ? 2 : 1;
    log_program("player");
    if (argc <= first || argc - first >= FILES_MAX) {
        fputs("usage: player [--check] MOVEMENTS ...\n"
              "Files .mtn, or way points in XML, in the folder $UKEMI_TARGET; at most 15.\n"
              "--check: only reads them.\n",
              stderr);
        return 2;
    }
    const enum status status = load(&player, argv + first, (unsigned)(argc - first));
    if (status != STATUS_OK)
        return status == STATUS_INVALID ? 2 : 3;
    if (checks)
        return 0;
    if (participant_channel("motion-request", CHANNEL_READ, sizeof(struct motion_request_message),
                            &player.request) != STATUS_OK ||
        participant_channel("joint-request", CHANNEL_WRITE, sizeof(struct joint_request_message),
                            &player.out) != STATUS_OK ||
        participant_channel("motion-status", CHANNEL_WRITE, sizeof(struct motion_status_message),
                            &player.status) != STATUS_OK ||
        participant_join(&player.clk) != STATUS_OK)
        return 3;
    run(&player);
}
