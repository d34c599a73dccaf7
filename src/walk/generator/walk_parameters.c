// The plug-in of numbers and strategies: what is set once and used by all.
#include <math.h>
#include <stddef.h>
#include <string.h>
#include <strings.h>

#include "base/text.h"
#include "walk/generator/walkgen_private.h"

#define SLOPE_NEAREST_M 0.15 // both soles stand before it
#define SLOPE_MAX_DEG 15.0
#define HEEL_MAX_M 0.09   // of the ZMP behind the ankle
#define TOE_SHARE_MAX 0.8 // of a toe's length, beyond its hinge

// A command that sets numbers.
static const struct parameter {
    const char *name, *unit;
    size_t offset; // in the settings
    unsigned count;
    double min, max;
    bool at_rest; // only before the first tick
} parameter[] = {
#define SETTING(field) offsetof(struct walk_settings, field)
    {":omega", "deg", SETTING(omega_deg), 1, -30, 30, false},
    {":stepheight", "m", SETTING(lift_m), 1, 0, 0.3, false},
    {":singlesupporttime", "s", SETTING(single_s), 1, 0.1, 5, false},
    {":doublesupporttime", "s", SETTING(double_s), 1, 0, 5, false},
    {":armparameters", "gain", SETTING(arm_gain), 1, 0, 2, false},
    {":comheight", "m", SETTING(com_height_m), 1, 0.05, 3, true},
    {":samplingperiod", "s", SETTING(period_s), 1, 0.001, 0.02, true},
    {":previewcontroltime", "s", SETTING(window_s), 1, 0.3, 4, true},
    {":walkmode", "0, 1, 2, 3 or 5", SETTING(mode), 1, 0, 5, false},
    {":TimeDistributeParameters", "a b c d", SETTING(distribution), 4, 0, 5, false},
    {":TimeDistributionParameters", "a b c d", SETTING(distribution), 4, 0, 5, false},
    {":UpperBodyMotionParameters", "deg deg deg", SETTING(upper_body), 3, -90, 90, false},
    {":ZMPShiftParameters", "m m m m", SETTING(zmp_shift_m), 4, -0.1, 0.1, false},
    {":ToeParameters", "m m share", SETTING(toe), 3, 0, 1, false},
    {":LimitsFeasibility", "0 or 1", SETTING(limits), 1, 0, 1, false},
    {":stepstairon", "0 or 1", SETTING(stairs), 1, 0, 1, false},
};

#define PARAMETERS (sizeof parameter / sizeof parameter[0])

static const struct parameter *parameter_of(const char *name)
{
    for (size_t i = 0; i < PARAMETERS; i++)
        if (strcmp(parameter[i].name, name) == 0)
            return &parameter[i];
    return NULL;
}

static enum status set_numbers(struct walk_trial *trial, const struct walk_line *line)
{
    const struct parameter *p = parameter_of(line->name);
    void *at = (char *)&trial->request.settings + p->offset;
    double *value = at;
    if (p->at_rest && trial->walkgen->tick > 0)
        return walk_refuse(trial, "%s: only before the first tick", line->name);
    for (unsigned i = 0; i < p->count; i++) {
        if (line->number[i] < p->min || line->number[i] > p->max)
            return walk_refuse(trial, "%s: %.6g is not from %.6g to %.6g", line->name,
                               line->number[i], p->min, p->max);
        value[i] = line->number[i];
    }
    return STATUS_OK;
}

static enum status set_time(struct walk_trial *trial, const struct walk_line *line)
{
    trial->request.settings.times_set = true;
    return set_numbers(trial, line);
}

static enum status set_mode(struct walk_trial *trial, const struct walk_line *line)
{
    static const double known[] = {0, 1, 2, 3, 5};
    for (size_t i = 0; i < sizeof known / sizeof known[0]; i++)
        if (line->number[0] == known[i])
            return set_numbers(trial, line);
    return walk_refuse(trial, "%s: there is no mode %.6g; 0, 1, 2, 3 or 5", line->name,
                       line->number[0]);
}

// How far behind the ankle and beyond the toe's hinge the ZMP goes, and the share of single support
// in which it does.
static enum status set_toe(struct walk_trial *trial, const struct walk_line *line)
{
    const struct walk_toe *toe = &trial->walkgen->body.toe;
    const double most_m = TOE_SHARE_MAX * (toe->tip_m - toe->hinge_m);
    if (!toe->there)
        return walk_refuse(trial, "%s: the robot has no toes", line->name);
    if (line->number[0] > HEEL_MAX_M || line->number[1] > most_m)
        return walk_refuse(trial,
                           "%s: %.4g m and %.4g m; at most %.3f m behind the ankle, %.3f m "
                           "beyond the toe's hinge",
                           line->name, line->number[0], line->number[1], HEEL_MAX_M, most_m);
    return set_numbers(trial, line);
}

// Height of the waist must suit the legs, and the window its bounds.
static enum status set_at_rest(struct walk_trial *trial, const struct walk_line *line)
{
    enum status status = set_numbers(trial, line);
    if (status != STATUS_OK)
        return status;
    const struct walkgen *walkgen = trial->walkgen;
    const struct walk_settings *settings = &trial->request.settings;
    const struct leg *leg = &walkgen->body.leg[SIDE_RIGHT];
    const double other_m = leg->hip_m[2] - leg->ankle_m + walkgen->body.pelvis_height_m -
                           walkgen->body.com_height_m; // hip over ankle, less the height
    const double most_m = leg->thigh_m + leg->shank_m - other_m - 0.002;
    const double least_m = 0.4 * (leg->thigh_m + leg->shank_m) - other_m;
    if (settings->com_height_m > most_m || settings->com_height_m < least_m)
        return walk_refuse(trial, "%s: %.4g m is not from %.3f to %.3f, what the legs allow",
                           line->name, settings->com_height_m, least_m, most_m);
    const double samples = settings->window_s / settings->period_s;
    if (samples > PREVIEW_SAMPLES_MAX + 0.5 || samples < 20)
        return walk_refuse(trial, "%s: a window of %.4g periods; 20 to %d", line->name, samples,
                           PREVIEW_SAMPLES_MAX);
    return STATUS_OK;
}

static enum status set_flag(struct walk_trial *trial, const struct walk_line *line, const char *yes,
                            const char *no, bool *flag)
{
    *flag = strcasecmp(line->word, yes) == 0;
    if (*flag || strcasecmp(line->word, no) == 0)
        return STATUS_OK;
    return walk_refuse(trial, "%s: '%s' is neither %s nor %s", line->name, line->word, yes, no);
}

static enum status set_filter(struct walk_trial *trial, const struct walk_line *line)
{
    return set_flag(trial, line, "true", "false", &trial->request.settings.filter);
}

static enum status set_first_step(struct walk_trial *trial, const struct walk_line *line)
{
    return set_flag(trial, line, "true", "false", &trial->request.settings.first_itself);
}

// From where :ChangeNextStep counts.
static enum status set_change_frame(struct walk_trial *trial, const struct walk_line *line)
{
    static const char *const name[] = {
        [WALK_FROM_SPOT] = "spot", [WALK_FROM_PLAN] = "relative", [WALK_FROM_START] = "absolute"};
    for (enum walk_frame frame = WALK_FROM_SPOT; frame <= WALK_FROM_START; frame++)
        if (strcasecmp(line->word, name[frame]) == 0) {
            trial->request.settings.change_frame = frame;
            return STATUS_OK;
        }
    return walk_refuse(trial, "%s: '%s' is neither spot nor relative nor absolute", line->name,
                       line->word);
}

static enum status set_frame(struct walk_trial *trial, const struct walk_line *line)
{
    return set_flag(trial, line, "world", "waist", &trial->request.settings.zmp_in_world);
}

// Choices of strategies: by name.
#define CHOOSER(function, table, field)                                                            \
    static enum status function(struct walk_trial *trial, const struct walk_line *line)            \
    {                                                                                              \
        char names[WALK_REASON_MAX / 2] = "";                                                      \
        for (unsigned i = 0; table(i) != NULL; i++) {                                              \
            if (strcasecmp(table(i)->name, line->word) == 0) {                                     \
                trial->request.settings.field = i;                                                 \
                return STATUS_OK;                                                                  \
            }                                                                                      \
            text_add(names, sizeof names, "%s%s", i > 0 ? ", " : "", table(i)->name);              \
        }                                                                                          \
        return walk_refuse(trial, "%s: there is no '%s'; there are %s", line->name, line->word,    \
                           names);                                                                 \
    }
CHOOSER(set_zmp, walk_zmp, zmp)
CHOOSER(set_realisation, walk_realisation, realisation)
CHOOSER(choose_trajectory, walk_trajectory, trajectory)
CHOOSER(choose_dynamics, walk_dynamics, dynamics)

bool walk_at_rest(const struct walkgen *walkgen)
{
    return walkgen->tick == 0 ||
           (!walkgen->maker.walking && !walkgen->driven.walking && walkgen->request.count == 0 &&
            !walkgen->request.driven && walkgen->tick >= walkgen->end);
}

// A plan and a preview do not follow each other in mid-motion.
static enum status choose_zmp(struct walk_trial *trial, const struct walk_line *line)
{
    const unsigned was = trial->request.settings.zmp;
    const enum status status = set_zmp(trial, line);
    const struct walk_zmp *is = walk_zmp(trial->request.settings.zmp);
    const bool other = is->plans != walk_zmp(was)->plans || is->drives != walk_zmp(was)->drives ||
                       is->turns != walk_zmp(was)->turns || is->solves != walk_zmp(was)->solves;
    const bool busy = !walk_at_rest(trial->walkgen) || trial->request.driven ||
                      (is->drives && trial->request.open);
    if (status == STATUS_OK && is->toes && !trial->walkgen->body.toe.there)
        return walk_refuse(trial, "%s: '%s' needs a robot with toes: passive joints RTO and LTO",
                           line->name, line->word);
    if (status == STATUS_OK && other && busy)
        return walk_refuse(trial, "%s: '%s' only while the robot stands", line->name, line->word);
    return status;
}

// :setpbwconstraint XY a b: total margins of a sole, along and across it; T: period of the plan's
// samples; N: how many (listing 3).
static enum status set_plan(struct walk_trial *trial, const struct walk_line *line)
{
    struct walk_settings *settings = &trial->request.settings;
    const bool margins = strcmp(line->word, "XY") == 0;
    const double value = line->number[0], second = line->number[1];
    if (!walk_at_rest(trial->walkgen))
        return walk_refuse(trial, "%s: only while the robot stands", line->name);
    if (line->count != (margins ? 2 : 1))
        return walk_refuse(trial, "%s: XY takes two numbers, T and N one", line->name);
    if (margins && value >= 0 && value <= 0.18 && second >= 0 && second <= 0.11) {
        settings->plan_margin_m[0] = value;
        settings->plan_margin_m[1] = second;
    } else if (margins) {
        return walk_refuse(trial, "%s: margins of %.6g and %.6g m; at most 0.18 and 0.11",
                           line->name, value, second);
    } else if (strcmp(line->word, "T") == 0) {
        settings->plan_period_s = value;
        if (value < 0.001 || value > 0.1)
            return walk_refuse(trial, "%s: T is from 0.001 to 0.1 s", line->name);
    } else if (strcmp(line->word, "N") == 0) {
        settings->plan_samples = value;
        if (value < 10 || value > WALK_PLAN_MAX || value != floor(value))
            return walk_refuse(trial, "%s: N is a whole number from 10 to %d", line->name,
                               WALK_PLAN_MAX);
    } else {
        return walk_refuse(trial, "%s: there is no '%s'; there are XY, T and N", line->name,
                           line->word);
    }
    return STATUS_OK;
}

// A floor that slopes over a length, ahead of where the robot began.
static enum status set_slope(struct walk_trial *trial, const struct walk_line *line)
{
    struct walk_settings *settings = &trial->request.settings;
    const double *n = line->number;
    if (!walk_at_rest(trial->walkgen))
        return walk_refuse(trial, "%s: only while the robot stands", line->name);
    if (n[0] < SLOPE_NEAREST_M)
        return walk_refuse(trial, "%s: it begins %.4g m ahead; at least %.2f", line->name, n[0],
                           SLOPE_NEAREST_M);
    if (fabs(n[1]) > SLOPE_MAX_DEG)
        return walk_refuse(trial, "%s: %.4g degrees; at most %.0f", line->name, n[1],
                           SLOPE_MAX_DEG);
    if (n[2] < 0 || n[2] > 100)
        return walk_refuse(trial, "%s: a length of %.4g m; 0 to 100", line->name, n[2]);
    settings->slope_x_m = n[0];
    settings->slope_deg = n[1];
    settings->slope_length_m = n[2];
    return STATUS_OK;
}

// The filter's gains depend on it.
static enum status choose_realisation(struct walk_trial *trial, const struct walk_line *line)
{
    if (trial->walkgen->tick > 0)
        return walk_refuse(trial, "%s: only before the first tick", line->name);
    return set_realisation(trial, line);
}

static const struct walk_command command[] = {
    {":omega", "deg", 1, 1, false, set_numbers},
    {":stepheight", "m", 1, 1, false, set_numbers},
    {":singlesupporttime", "s", 1, 1, false, set_time},
    {":doublesupporttime", "s", 1, 1, false, set_time},
    {":armparameters", "gain", 1, 1, false, set_numbers},
    {":comheight", "m", 1, 1, false, set_at_rest},
    {":samplingperiod", "s", 1, 1, false, set_at_rest},
    {":previewcontroltime", "s", 1, 1, false, set_at_rest},
    {":walkmode", "0|1|2|3|5", 1, 1, false, set_mode},
    {":TimeDistributeParameters", "a b c d", 4, 4, false, set_numbers},
    {":TimeDistributionParameters", "a b c d", 4, 4, false, set_numbers},
    {":UpperBodyMotionParameters", "deg deg deg", 3, 3, false, set_numbers},
    {":ZMPShiftParameters", "a b c d", 4, 4, false, set_numbers},
    {":ToeParameters", "heel beyond share", 3, 3, false, set_toe},
    {":LimitsFeasibility", "0|1", 1, 1, false, set_numbers},
    {":stepstairon", "0|1", 1, 1, false, set_numbers},
    {":SetAutoFirstStep", "true|false", 0, 0, true, set_first_step},
    {":onlinechangestepframe", "spot|relative|absolute", 0, 0, true, set_change_frame},
    {":slope", "x deg length", 3, 3, false, set_slope},
    {":useDynamicFilter", "true|false", 0, 0, true, set_filter},
    {":SetZMPFrame", "waist|world", 0, 0, true, set_frame},
    {":SetAlgoForZmpTrajectory", "NAME", 0, 0, true, choose_zmp},
    {":setpbwconstraint", "XY m m | T s | N n", 1, 2, true, set_plan},
    {":SetRealisation", "NAME", 0, 0, true, choose_realisation},
    {":SetFootTrajectory", "NAME", 0, 0, true, choose_trajectory},
    {":SetDynamics", "NAME", 0, 0, true, choose_dynamics},
};

const struct walk_plugin walk_parameters = {"parameters", sizeof command / sizeof command[0],
                                            command};
