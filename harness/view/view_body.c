// The robot's body for a page: its shapes, and where its parts were.
#include <math.h>
#include <stdint.h>
#include <stdlib.h>

#include "base/log.h"
#include "harness/view/apart.h"
#include "harness/view/body_states.h"
#include "base/json.h"
#include "harness/view/view_private.h"

#define FRAME_PERIOD_S 0.02
#define FRAMES_MAX 1000
#define POSE_NUMBERS 7
#define CODE_MAX 32767

// A model may be anybody's, and is compiled.
static const struct apart_limits compile_limits = {.cpu_s = 20, .memory_B = UINT64_C(2) << 30};

// ---- what is written ----------------------------------------------------------------------------

static void put_numbers(FILE *out, const char *name, const double *value, unsigned count)
{
    fprintf(out, ",\"%s\":[", name);
    for (unsigned i = 0; i < count; i++) {
        fputs(i == 0 ? "" : ",", out);
        json_number(out, value[i]);
    }
    fputc(']', out);
}

static void put_shapes(FILE *out, const struct body *body)
{
    static const char *const kinds[] = {
        [SHAPE_PLANE] = "plane",         [SHAPE_SPHERE] = "sphere",     [SHAPE_CAPSULE] = "capsule",
        [SHAPE_ELLIPSOID] = "ellipsoid", [SHAPE_CYLINDER] = "cylinder", [SHAPE_BOX] = "box"};
    for (unsigned i = 0; i < body_shape_count(body); i++) {
        const struct body_shape shape = body_shape_at(body, i);
        const double colour[] = {(double)shape.colour[0], (double)shape.colour[1],
                                 (double)shape.colour[2], (double)shape.colour[3]};
        fprintf(out, "%s{\"part\":%u,\"kind\":\"%s\"", i == 0 ? "" : ",\n", shape.part,
                kinds[shape.kind]);
        put_numbers(out, "size", shape.size_m, 3);
        put_numbers(out, "at", shape.place.position_m, 3);
        put_numbers(out, "turned", shape.place.quaternion, 4);
        put_numbers(out, "colour", colour, 4);
        fputc('}', out);
    }
}

struct poses {
    unsigned frames, parts;
    double *time_s;
    struct pose *pose; // frames x parts
    double reach_m;    // no coordinate is larger
};

// Ground truth every FRAME_PERIOD_S, or less often in a long trial.
static bool compute(const struct viewing *view, struct body *body, const struct body_states *states,
                    struct poses *poses)
{
    const double end_s = (double)view->end_ns * 1e-9;
    const double period_s = fmax(FRAME_PERIOD_S, end_s / (FRAMES_MAX - 1));
    double next_s = 0;
    poses->parts = body_part_count(body);
    poses->time_s = calloc(FRAMES_MAX, sizeof *poses->time_s);
    poses->pose = calloc((size_t)FRAMES_MAX * poses->parts, sizeof *poses->pose);
    if (poses->time_s == NULL || poses->pose == NULL)
        return false;
    for (size_t i = 0; i < states->series.count && poses->frames < FRAMES_MAX; i++) {
        const double time_s = instant_to_s(states->series.event[i]->time);
        struct body_state state[BODY_ROBOTS_MAX];
        if (time_s < next_s - 1e-9)
            continue;
        next_s = time_s + period_s;
        poses->time_s[poses->frames] = time_s;
        body_states_at(states, i, state);
        body_poses(body, state, states->robots,
                   &poses->pose[(size_t)poses->frames++ * poses->parts]);
    }
    for (size_t i = 0; i < (size_t)poses->frames * poses->parts; i++)
        for (unsigned axis = 0; axis < 3; axis++)
            if (isfinite(poses->pose[i].position_m[axis]))
                poses->reach_m = fmax(poses->reach_m, fabs(poses->pose[i].position_m[axis]));
    return true;
}

static int16_t code(double share)
{
    return isfinite(share) ? (int16_t)lround(fmin(fmax(share, -1), 1) * CODE_MAX) : 0;
}

static bool put_poses(FILE *out, const struct poses *poses)
{
    const size_t count = (size_t)poses->frames * poses->parts;
    int16_t *number = calloc(count * POSE_NUMBERS + 1, sizeof *number);
    if (number == NULL)
        return false;
    for (size_t i = 0; i < count; i++) {
        for (unsigned n = 0; n < 3; n++)
            number[i * POSE_NUMBERS + n] =
                code(poses->reach_m > 0 ? poses->pose[i].position_m[n] / poses->reach_m : 0);
        for (unsigned n = 0; n < 4; n++)
            number[i * POSE_NUMBERS + 3 + n] = code(poses->pose[i].quaternion[n]);
    }
    fputs(",\n\"poses\":\"", out);
    json_base64(out, number, count * POSE_NUMBERS * sizeof *number);
    fputs("\"}", out);
    free(number);
    return true;
}

static bool put_body(const struct viewing *view, struct body *body,
                     const struct body_states *states, FILE *out)
{
    struct poses poses = {0};
    bool fine = compute(view, body, states, &poses);
    if (fine) {
        fputs("{\"parts\":[", out);
        for (unsigned i = 0; i < poses.parts; i++) {
            fputs(i == 0 ? "" : ",", out);
            json_text(out, body_part_name(body, i), SIZE_MAX);
        }
        fputs("],\n\"shapes\":[", out);
        put_shapes(out, body);
        fputs("],\n\"reach\":", out);
        json_number(out, poses.reach_m);
        put_numbers(out, "times", poses.time_s, poses.frames);
        fine = put_poses(out, &poses);
    }
    free(poses.time_s);
    free(poses.pose);
    return fine;
}

// ---- in a process of its own --------------------------------------------------------------------

struct work {
    const struct viewing *view;
    const struct body_states *states;
};

static enum status compile(void *context, FILE *out)
{
    const struct work *work = context;
    struct body *body;
    enum status status = body_states_body(work->states, &body);
    if (status != STATUS_OK)
        return status;
    if (!put_body(work->view, body, work->states, out))
        status = STATUS_NO_MEMORY;
    body_free(body);
    return status;
}

enum status view_put_body(const struct viewing *view)
{
    const struct view_request *request = view->request;
    struct body_states states;
    fputs("\"body\":", view->out);
    enum status status = body_states_collect(request->history, request->target, request->scenario,
                                             request->description, &states);
    if (status == STATUS_NOT_FOUND) {
        fputs("null", view->out);
        return STATUS_OK;
    }
    if (status != STATUS_OK)
        return status;
    if (apart_run(compile, &(struct work){view, &states}, &compile_limits, view->out) !=
        STATUS_OK) {
        log_info("%s: the robot is not shown: its model cannot be compiled", states.model);
        fputs("null", view->out);
    }
    body_states_free(&states);
    return STATUS_OK;
}
