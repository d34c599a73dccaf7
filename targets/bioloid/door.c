// door: lets programs of a network move the robot and follow its state, by lines of text over TCP
// and UDP; see doc/bioloid.md.
#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/log.h"
#include "door.h"
#include "joint_request.h"
#include "motion_request.h"
#include "servo_state.h"
#include "targets/bioloid/door_peers.h"
#include "targets/bioloid/script_run.h"

#define PERIOD_NS SCRIPT_PERIOD_NS
#define TELL_NS 100000000
#define DEGREE (3.14159265358979323846 / 180)

struct door {
    struct door_peers peers;
    struct script_run run;
    struct servo_state_message state;
    uint64_t lines, errors, played;
    instant now;
    struct channel *state_in, *motion, *out;
    struct clk *clk;
};

static void say_state(struct door *door, struct door_peer *peer)
{
    char line[DOOR_REPLY_MAX];
    const struct servo_state_message *state = &door->state;
    size_t used =
        (size_t)snprintf(line, sizeof line, "state %.3f", instant_to_s(instant_ns(state->time_ns)));
    for (unsigned i = 1; i < MOVEMENT_SERVOS; i++)
        if ((state->servos & 1u << i) != 0 && used < sizeof line - 40)
            used += (size_t)snprintf(line + used, sizeof line - used, " %u=%.1f", i,
                                     state->position_rad[i] / DEGREE);
    snprintf(line + used, sizeof line - used, "\n");
    door_say(&door->peers, peer, line);
}

static const char *move_joints(struct door *door, const struct door_request *asked)
{
    struct joint_request_message request = {
        .sequence = ++door->run.sequence, .start_ns = door->now.ns, .servos = asked->servos};
    request.end_ns = instant_add(door->now, duration_s(asked->duration_s)).ns;
    memcpy(request.angle_rad, asked->angle_rad, sizeof request.angle_rad);
    if ((asked->servos & ~door->state.servos) != 0)
        return "a servo that does not answer; name one that get shows";
    return channel_put(door->run.request, &request, sizeof request, door->now) == STATUS_OK
               ? NULL
               : "the robot does not take it; try again";
}

static const char *play(struct door *door, const struct door_request *asked)
{
    struct motion_request_message request = {.sequence = ++door->played, .repeat = asked->repeat};
    request.action = asked->kind == DOOR_PLAY ? 1 : asked->kind == DOOR_LEAVE ? 2 : 0;
    memcpy(request.name, asked->name, sizeof request.name);
    return channel_put(door->motion, &request, sizeof request, door->now) == STATUS_OK
               ? NULL
               : "the player does not take it; try again";
}

static void end_script(struct door *door)
{
    script_close(door->run.script);
    door->run.script = NULL;
}

static const char *change_script(struct door *door, const struct door_request *asked)
{
    end_script(door);
    if (asked->name[0] == '\0')
        return NULL;
    if (script_run_open(asked->name, &door->run.script) != STATUS_OK) {
        door->run.script = NULL;
        return "no such script, or a wrong one; the door's output says what is wrong";
    }
    if (script_run_call(&door->run, SCRIPT_INITIALIZE, door->now))
        return NULL;
    end_script(door);
    return "the script's Initialize failed; the door's output says why";
}

static const char *answer(struct door *door, struct door_peer *peer,
                          const struct door_request *asked)
{
    switch (asked->kind) {
    case DOOR_HELLO:
        return NULL;
    case DOOR_GET:
        say_state(door, peer);
        return NULL;
    case DOOR_STREAM:
        return door_stream(&door->peers, peer, asked->rate_hz, door->now.ns) == STATUS_OK
                   ? NULL
                   : "no place for one more stream; come again later";
    case DOOR_JOINTS:
        return move_joints(door, asked);
    case DOOR_PLAY:
    case DOOR_LEAVE:
        return play(door, asked);
    case DOOR_STOP:
        end_script(door);
        return play(door, asked);
    case DOOR_SCRIPT:
        return change_script(door, asked);
    }
    return NULL;
}

static void hear(void *context, struct door_peer *peer, const char *line)
{
    struct door *door = context;
    struct door_request asked;
    const char *why;
    char reply[DOOR_LINE_MAX];
    if (door_parse(line, &asked, &why) == STATUS_OK)
        why = answer(door, peer, &asked);
    door->lines += why == NULL;
    door->errors += why != NULL;
    if (why == NULL)
        snprintf(reply, sizeof reply, "ok\n");
    else
        snprintf(reply, sizeof reply, "error %s\n", why);
    door_say(&door->peers, peer, reply);
}

static void take_state(struct door *door)
{
    struct servo_state_message state;
    const enum status got = channel_get(door->state_in, &state, sizeof state, CHANNEL_NEWEST, NULL);
    if (got != STATUS_OK && got != STATUS_MISSED)
        return;
    for (unsigned i = 0; i < MOVEMENT_SERVOS; i++) // those that answered before are known still
        if ((state.servos & 1u << i) == 0 && (door->state.servos & 1u << i) != 0) {
            state.position_rad[i] = door->state.position_rad[i];
            state.servos |= 1u << i;
        }
    script_run_see(&door->run, &state);
    door->state = state;
}

static void tell(const struct door *door)
{
    const struct door_message message = {.time_ns = door->now.ns,
                                         .peers = door_count(&door->peers),
                                         .script = door->run.script != NULL,
                                         .lines = door->lines,
                                         .errors = door->errors,
                                         .turned_away = door->peers.turned_away,
                                         .lost = door->peers.lost,
                                         .unread = door->peers.unread};
    if (channel_put(door->out, &message, sizeof message, door->now) != STATUS_OK)
        log_error("cannot publish");
}

static void step(struct door *door)
{
    door->now = clk_now(door->clk);
    take_state(door);
    door_take(&door->peers, hear, door);
    if (door->run.script != NULL && !script_run_call(&door->run, SCRIPT_CONTROL, door->now))
        end_script(door);
    for (unsigned i = 0; i < DOOR_PEERS_MAX; i++)
        if (door_is_due(&door->peers, &door->peers.peer[i], door->now.ns))
            say_state(door, &door->peers.peer[i]);
    if (door->now.ns % TELL_NS < PERIOD_NS)
        tell(door);
}

static bool read_port(const char *text, unsigned *port)
{
    char *end;
    errno = 0;
    const long read = strtol(text, &end, 10);
    *port = (unsigned)read;
    return errno == 0 && end != text && *end == '\0' && read > 0 && read < 65536;
}

int main(int argc, char **argv)
{
    static struct door door;
    unsigned port;
    log_program("door");
    if (argc != 2 || !read_port(argv[1], &port)) {
        fputs("usage: door PORT\nOf 127.0.0.1, for TCP and UDP: 1 to 65535.\n", stderr);
        return 2;
    }
    if (participant_channel("servo-state", CHANNEL_READ, sizeof door.state, &door.state_in) !=
            STATUS_OK ||
        participant_channel("joint-request", CHANNEL_WRITE, sizeof(struct joint_request_message),
                            &door.run.request) != STATUS_OK ||
        participant_channel("motion-request", CHANNEL_WRITE, sizeof(struct motion_request_message),
                            &door.motion) != STATUS_OK ||
        participant_channel("door", CHANNEL_WRITE, sizeof(struct door_message), &door.out) !=
            STATUS_OK)
        return 3;
    if (door_listen(&door.peers, port) != STATUS_OK) {
        perror("door: cannot listen");
        return 3;
    }
    if (participant_join(&door.clk) != STATUS_OK)
        return 3;
    struct clk_period period = clk_period_start(door.clk, instant_ns(0), duration_ns(PERIOD_NS));
    for (;;) {
        (void)clk_period_wait(door.clk, &period);
        step(&door);
    }
}
