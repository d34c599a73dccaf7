// The robot's body for a page: its shapes, and where its parts were.
#include <errno.h>
#include <math.h>
#include <signal.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/log.h"
#include "base/trouble.h"
#include "harness/history/series.h"
#include "harness/judge/pack.h"
#include "harness/view/json.h"
#include "harness/view/view_private.h"
#include "plant/body.h"

#define FRAME_PERIOD_S 0.02
#define FRAMES_MAX 1000
#define POSE_NUMBERS 7
#define CODE_MAX 32767

// A model may be anybody's, and is compiled: in a process of its own, within these.
#define COMPILE_CPU_S 20
#define COMPILE_MEMORY_B ((rlim_t)2 << 30)

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
static bool compute(const struct viewing *view, struct body *body, const struct series *truth,
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
    for (size_t i = 0; i < truth->count && poses->frames < FRAMES_MAX; i++) {
        const double time_s = instant_to_s(truth->event[i]->time);
        if (time_s < next_s - 1e-9)
            continue;
        next_s = time_s + period_s;
        poses->time_s[poses->frames] = time_s;
        body_poses(body, truth->event[i]->data,
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

static bool put_body(const struct viewing *view, struct body *body, const struct series *truth,
                     FILE *out)
{
    struct poses poses = {0};
    bool fine = compute(view, body, truth, &poses);
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

static _Noreturn void compile(const struct viewing *view, const struct series *truth, int file)
{
    const struct view_request *request = view->request;
    const struct rlimit cpu = {COMPILE_CPU_S, COMPILE_CPU_S};
    const struct rlimit memory = {COMPILE_MEMORY_B, COMPILE_MEMORY_B};
    char path[2 * PATH_MAX_LENGTH];
    struct body *body;
    (void)prctl(PR_SET_PDEATHSIG, SIGKILL);
    (void)memory;
    (void)setrlimit(RLIMIT_CPU, &cpu);
#if !defined(__SANITIZE_ADDRESS__) && !defined(__SANITIZE_THREAD__) // whose shadow is larger
    (void)setrlimit(RLIMIT_AS, &memory);
#endif
    snprintf(path, sizeof path, "%s/%s", request->target->folder, request->target->robot);
    if (body_create(path, request->description, &body) != STATUS_OK)
        _exit(EXIT_FAILURE);
    FILE *out = fdopen(file, "w");
    const bool fine = out != NULL && put_body(view, body, truth, out) && fclose(out) == 0;
    _exit(fine ? EXIT_SUCCESS : EXIT_FAILURE);
}

static void copy(int file, FILE *out)
{
    char block[1 << 16];
    ssize_t got;
    (void)lseek(file, 0, SEEK_SET);
    while ((got = read(file, block, sizeof block)) > 0)
        (void)fwrite(block, 1, (size_t)got, out);
}

static enum status put_compiled(const struct viewing *view, const struct series *truth)
{
    const int file = memfd_create("ukemi-body", MFD_CLOEXEC);
    int end = -1;
    fflush(NULL); // nothing is written twice
    const pid_t child = file < 0 ? -1 : fork();
    if (child == 0)
        compile(view, truth, file);
    while (child > 0 && waitpid(child, &end, 0) < 0 && errno == EINTR)
        ;
    if (child > 0 && WIFEXITED(end) && WEXITSTATUS(end) == 0) {
        copy(file, view->out);
    } else {
        log_info("%s/%s: the robot is not shown: its model cannot be compiled",
                 view->request->target->folder, view->request->target->robot);
        fputs("null", view->out);
    }
    if (file >= 0)
        close(file);
    return STATUS_OK;
}

enum status view_put_body(const struct viewing *view)
{
    const struct view_request *request = view->request;
    const char *topic = packs_body_topic(request->target);
    struct series truth = {0};
    enum status status = STATUS_OK;
    fputs("\"body\":", view->out);
    if (!series_collect(request->history, topic, sizeof(struct truth_message), &truth))
        return STATUS_NO_MEMORY;
    if (request->target->robot[0] != '\0' && truth.count > 0)
        status = put_compiled(view, &truth);
    else
        fputs("null", view->out);
    free(truth.event);
    return status;
}
