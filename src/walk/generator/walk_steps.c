// The plug-in of steps: sequences, arcs, steps on line.
#include <math.h>
#include <string.h>

#include "walk/generator/walkgen_private.h"

#define ARC_STEP_M 0.15
#define ARC_TURN_RAD 0.2
#define ARC_STEPS_MAX 200

static double radians(double degrees)
{
    return degrees * M_PI / 180;
}

// Numbers of a step under each :walkmode.
static unsigned numbers_of(double mode)
{
    return mode == 5 ? 5 : mode == 1 ? 4 : 3;
}

static struct walk_step read_step(double mode, const double *number)
{
    struct walk_step step = {.x_m = number[0], .y_m = number[1], .yaw_rad = radians(number[2])};
    if (mode == 1)
        step.waist_m = number[3];
    if (mode == 5) {
        step.single_s = number[3];
        step.double_s = number[4];
    }
    return step;
}

static enum status begins(struct walk_trial *trial, const struct walk_line *line)
{
    if (trial->request.open)
        return walk_refuse(trial,
                           "%s: a sequence is under way; add steps with "
                           ":addstandardonlinestep, or wait for its end",
                           line->name);
    return STATUS_OK;
}

// Adds the line's steps; says which one is refused.
static enum status add_all(struct walk_trial *trial, const struct walk_line *line, unsigned each,
                           struct walk_step (*read)(double mode, const double *number))
{
    if (line->count % each != 0)
        return walk_refuse(trial, "%s: %u numbers are no multiple of %u", line->name, line->count,
                           each);
    const bool itself = trial->request.settings.first_itself;
    if (line->count < (itself ? 1 : 2) * each)
        return walk_refuse(trial, "%s: a sequence has two steps at least", line->name);
    if (itself) { // :SetAutoFirstStep: the foot that carries first is where it stands
        const struct walk_step next = read(trial->request.settings.mode, line->number);
        const struct walk_step first =
            walk_request_foot(trial->walkgen, next.y_m > 0 ? SIDE_RIGHT : SIDE_LEFT);
        if (walk_request_add(trial, &first) != STATUS_OK)
            return STATUS_INVALID;
    }
    for (unsigned i = 0; i < line->count; i += each) {
        const struct walk_step step = read(trial->request.settings.mode, line->number + i);
        if (walk_request_add(trial, &step) != STATUS_OK) {
            char reason[WALK_REASON_MAX];
            memcpy(reason, trial->reason, sizeof reason);
            return walk_refuse(trial, "%s: step %u: %.200s", line->name, i / each + 1, reason);
        }
    }
    return STATUS_OK;
}

static enum status stepseq(struct walk_trial *trial, const struct walk_line *line)
{
    const enum status status = begins(trial, line);
    if (status == STATUS_OK && trial->request.settings.mode == 2)
        return walk_step_over_plan(trial, line);
    return status == STATUS_OK
               ? add_all(trial, line, numbers_of(trial->request.settings.mode), read_step)
               : status;
}

static struct walk_step read_stair(double mode, const double *number)
{
    (void)mode;
    return (struct walk_step){
        .x_m = number[0], .y_m = number[1], .z_m = number[2], .yaw_rad = radians(number[3])};
}

static enum status stepstairseq(struct walk_trial *trial, const struct walk_line *line)
{
    const enum status status = begins(trial, line);
    if (status == STATUS_OK && trial->request.settings.stairs == 0)
        return walk_refuse(trial, "%s: stairs are off; first :stepstairon 1", line->name);
    return status == STATUS_OK ? add_all(trial, line, 4, read_stair) : status;
}

// ---- arcs ---------------------------------------------------------------------------------------

static enum status check_side(struct walk_trial *trial, const struct walk_line *line, double side)
{
    if (side == 1 || side == -1)
        return STATUS_OK;
    return walk_refuse(trial, "%s: side %.6g is neither 1 (left) nor -1 (right)", line->name, side);
}

// A sequence that waits for :finish begins with the foot of the given side.
static enum status supportfoot(struct walk_trial *trial, const struct walk_line *line)
{
    enum status status = check_side(trial, line, line->number[0]);
    if (status == STATUS_OK)
        status = begins(trial, line);
    if (status != STATUS_OK)
        return status;
    const struct walk_step step =
        walk_request_foot(trial->walkgen, line->number[0] > 0 ? SIDE_LEFT : SIDE_RIGHT);
    trial->request.held = true;
    return walk_request_add(trial, &step);
}

static struct walk_step next_on_spot(const struct walk_trial *trial)
{
    return walk_request_spot(&trial->request, !trial->request.left);
}

// Steps on a circle about a centre at `centre` from the body, in the body's axes: each as long as a
// step of an arc is, and the last one the rest.
static enum status walk_round(struct walk_trial *trial, const struct walk_line *line,
                              const double centre_m[2], double angle_rad)
{
    const double radius_m = hypot(centre_m[0], centre_m[1]);
    const double most_rad = fmin(ARC_TURN_RAD, ARC_STEP_M / fmax(radius_m, 1e-3));
    const double steps = ceil(fabs(angle_rad) / most_rad - 1e-9);
    if (!trial->request.held)
        return walk_refuse(trial, "%s: no sequence is begun; begin with :supportfoot", line->name);
    if (!(steps >= 1 && steps <= ARC_STEPS_MAX))
        return walk_refuse(trial, "%s: an arc of %.0f steps; 1 to %d", line->name, steps,
                           ARC_STEPS_MAX);
    for (unsigned i = 0; i < steps; i++) {
        const double turn = copysign(fmin(most_rad, fabs(angle_rad) - i * most_rad), angle_rad);
        const double c = cos(turn), s = sin(turn);
        // The body's next place as its present one sees it, then as the next one's axes see it.
        const double dx = centre_m[0] - (c * centre_m[0] - s * centre_m[1]);
        const double dy = centre_m[1] - (s * centre_m[0] + c * centre_m[1]);
        struct walk_step step = next_on_spot(trial);
        const double half_m = 0.5 * step.y_m; // from the foot that carries to the body
        step.x_m = c * dx + s * (dy + half_m);
        step.y_m = -s * dx + c * (dy + half_m) + half_m;
        step.yaw_rad = turn;
        if (walk_request_add(trial, &step) != STATUS_OK)
            return STATUS_INVALID;
    }
    return STATUS_OK;
}

static enum status arc(struct walk_trial *trial, const struct walk_line *line)
{
    const enum status status = check_side(trial, line, line->number[3]);
    return status == STATUS_OK ? walk_round(trial, line, line->number, radians(line->number[2]))
                               : status;
}

// Sideways round a centre ahead, which the robot goes on facing.
static enum status arccentered(struct walk_trial *trial, const struct walk_line *line)
{
    const enum status status = check_side(trial, line, line->number[2]);
    const double centre_m[2] = {line->number[0], 0};
    return status == STATUS_OK ? walk_round(trial, line, centre_m, radians(line->number[1]))
                               : status;
}

// Brings the foot to swing next beside the other.
static enum status lastsupport(struct walk_trial *trial, const struct walk_line *line)
{
    if (!trial->request.held)
        return walk_refuse(trial, "%s: no sequence is begun; begin with :supportfoot", line->name);
    const struct walk_step step = next_on_spot(trial);
    return walk_request_add(trial, &step);
}

static enum status finish(struct walk_trial *trial, const struct walk_line *line)
{
    if (!trial->request.held || trial->request.count < 2)
        return walk_refuse(trial, "%s: no sequence of two steps waits", line->name);
    trial->request.held = false;
    return STATUS_OK;
}

// ---- on line ------------------------------------------------------------------------------------

static enum status start_on_line(struct walk_trial *trial, const struct walk_line *line)
{
    enum status status = begins(trial, line);
    const unsigned each = numbers_of(trial->request.settings.mode);
    if (status == STATUS_OK && line->count == 0) {
        const struct walk_step first = walk_request_foot(trial->walkgen, SIDE_RIGHT);
        status = walk_request_add(trial, &first);
    } else if (status == STATUS_OK) {
        status = add_all(trial, line, each, read_step);
    }
    trial->request.sequencing = true;
    return status;
}

static enum status is_on_line(struct walk_trial *trial, const struct walk_line *line)
{
    if (trial->request.sequencing)
        return STATUS_OK;
    return walk_refuse(trial, "%s: no sequence on line; begin with :StartOnLineStepSequencing",
                       line->name);
}

// x, y and yaw count from the place on the spot of the foot whose turn it is.
static enum status add_on_line(struct walk_trial *trial, const struct walk_line *line)
{
    const enum status status = is_on_line(trial, line);
    if (status != STATUS_OK)
        return status;
    struct walk_step step = next_on_spot(trial);
    step.x_m = line->number[0];
    step.y_m += line->number[1];
    step.yaw_rad = radians(line->number[2]);
    return walk_request_add(trial, &step);
}

// The first foot of a sequence that has not begun stays: it is where it stands.
static unsigned fixed(const struct walk_trial *trial)
{
    return !trial->walkgen->maker.walking && trial->request.count > 0 ? 1 : 0;
}

// Takes all steps off the stack but that foot, and gives how many there were.
static unsigned drop_all(struct walk_trial *trial)
{
    const unsigned kept = fixed(trial), count = trial->request.count;
    if (count > kept)
        walk_revise_drop(trial, kept, kept);
    return count - kept;
}

// What :ChangeNextStep asks for, counted from where :onlinechangestepframe says. planned: the step
// that was to come. All others have been dropped.
static struct walk_step changed(const struct walk_trial *trial, const struct walk_line *line,
                                const struct walk_step *planned)
{
    const bool from_start = trial->request.settings.change_frame == WALK_FROM_START;
    const double *n = line->number, z_m = line->count > 3 ? n[3] : 0;
    const struct pose2d support = walk_last_place(trial);
    const double c = cos(support.yaw_rad), s = sin(support.yaw_rad);
    const double dx = n[0] - support.x_m, dy = n[1] - support.y_m;
    struct walk_step step = *planned;
    const double yaw_rad = radians(n[2]) - support.yaw_rad;
    const double along_m = c * dx + s * dy, aside_m = c * dy - s * dx;
    step.yaw_rad = from_start ? yaw_rad : planned->yaw_rad + radians(n[2]);
    // A step's place is in the axes of the foot that has come down: its turn is applied first.
    step.x_m = from_start ? cos(yaw_rad) * along_m + sin(yaw_rad) * aside_m : planned->x_m + n[0];
    step.y_m = from_start ? cos(yaw_rad) * aside_m - sin(yaw_rad) * along_m : planned->y_m + n[1];
    step.z_m = from_start ? z_m - trial->walkgen->maker.floor_m[0] : planned->z_m + z_m;
    return step;
}

// The step that would be next is replaced; without one, it is added.
static enum status change_next(struct walk_trial *trial, const struct walk_line *line)
{
    enum status status = is_on_line(trial, line);
    if (status != STATUS_OK)
        return status;
    const struct walk_request *was = &trial->walkgen->request;
    const unsigned from = fixed(trial), count = drop_all(trial);
    const bool planned = trial->request.settings.change_frame == WALK_FROM_PLAN && count > 0;
    const struct walk_step next =
        planned ? was->step[(was->first + from) % WALK_STEPS_MAX] : next_on_spot(trial);
    const struct walk_step step = changed(trial, line, &next);
    status = walk_request_add(trial, &step);
    for (unsigned i = 1; i < count && status == STATUS_OK; i++)
        status = walk_request_add(trial, &was->step[(was->first + from + i) % WALK_STEPS_MAX]);
    return status;
}

// What waits is dropped, but for the foot that is to come beside the other. Where it may not, the
// robot rests with its feet apart: a walk can be ended at any time.
static enum status stop_on_line(struct walk_trial *trial, const struct walk_line *line)
{
    const enum status status = is_on_line(trial, line);
    if (status != STATUS_OK)
        return status;
    trial->request.sequencing = false;
    (void)drop_all(trial);
    const struct walk_step step = next_on_spot(trial);
    if (walk_request_add(trial, &step) != STATUS_OK)
        trial->reason[0] = '\0';
    return STATUS_OK;
}

static const struct walk_command command[] = {
    {":stepseq", "x y yaw_deg ...", 0, WALK_NUMBERS_MAX, false, stepseq},
    {":stepstairseq", "x y z yaw_deg ...", 0, WALK_NUMBERS_MAX, false, stepstairseq},
    {":supportfoot", "1|-1", 1, 1, false, supportfoot},
    {":arc", "x y deg side", 4, 4, false, arc},
    {":arccentered", "radius deg side", 3, 3, false, arccentered},
    {":lastsupport", "", 0, 0, false, lastsupport},
    {":finish", "", 0, 0, false, finish},
    {":StartOnLineStepSequencing", "x y yaw_deg ...", 0, WALK_NUMBERS_MAX, false, start_on_line},
    {":addstandardonlinestep", "x y yaw_deg", 3, 3, false, add_on_line},
    {":ChangeNextStep", "x y yaw_deg z", 3, 4, false, change_next},
    {":ChangeOnLineStep", "x y yaw_deg z", 3, 4, false, change_next},
    {":StopOnLineStepSequencing", "", 0, 0, false, stop_on_line},
};

const struct walk_plugin walk_steps = {"steps", sizeof command / sizeof command[0], command};
