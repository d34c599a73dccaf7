// The generator, broken in the way that its argument says: leaning puts the waist 6 cm beside where
// it should be; heedless takes each message as a new one; endless refuses to stop;
// jerky says a pull of the centre of mass that jumps; deaf takes everything and does nothing;
// skipping leaves a sample out; starved has less ahead than it looks at; tardy hears a line the
// fifth time; stork ends on one foot; edging lets the ZMP go to the sole's edge;
// short-sighted believes an obstacle 8 cm farther away than it is told; brief looks ahead for half
// the usual time; overrun takes 6 ms for one tick; stiff walks flat on its toes and says it bends
// them; bowing leans forward on both feet at the end.
#include <stdio.h>
#include <string.h>

#include "robot/participant.h"
#include "targets/walkgen/generator_core.h"

static const char *way = "";
static struct clk *of_cell;

enum status __real_participant_begin(int argc, char **argv);
enum status __wrap_participant_begin(int argc, char **argv);
enum status __real_participant_join(struct clk **clk);
enum status __wrap_participant_join(struct clk **clk);
enum status __real_walkgen_reset(struct walkgen *walkgen, const double *joint_rad);
enum status __wrap_walkgen_reset(struct walkgen *walkgen, const double *joint_rad);
bool __real_walkgen_tick(struct walkgen *walkgen, struct walkgen_output *out);
bool __wrap_walkgen_tick(struct walkgen *walkgen, struct walkgen_output *out);
struct walkgen_counts __real_walkgen_counts(const struct walkgen *walkgen);
struct walkgen_counts __wrap_walkgen_counts(const struct walkgen *walkgen);
void __real_generator_message(struct generator *generator,
                              const struct walk_request_message *message);
void __wrap_generator_message(struct generator *generator,
                              const struct walk_request_message *message);

enum status __wrap_participant_begin(int argc, char **argv)
{
    if (argc > 1)
        way = argv[1];
    return __real_participant_begin(1, argv);
}

enum status __wrap_participant_join(struct clk **clk)
{
    const enum status joined = __real_participant_join(clk);
    of_cell = *clk;
    return joined;
}

enum status __wrap_walkgen_reset(struct walkgen *walkgen, const double *joint_rad)
{
    const enum status reset = __real_walkgen_reset(walkgen, joint_rad);
    if (reset != STATUS_OK || strcmp(way, "brief") != 0)
        return reset;
    return walkgen_command(walkgen, ":previewcontroltime 0.8");
}

bool __wrap_walkgen_tick(struct walkgen *walkgen, struct walkgen_output *out)
{
    static unsigned ticks, settles, heavy;
    bool more = __real_walkgen_tick(walkgen, out);
    if (strcmp(way, "skipping") == 0 && out->step == 3 && ++ticks == 20)
        more = __real_walkgen_tick(walkgen, out);
    if (strcmp(way, "overrun") == 0 && out->step == 3 && ++heavy == 20)
        clk_sleep_until(of_cell, instant_add(clk_now(of_cell), duration_ms(6)));
    if (strcmp(way, "stork") == 0 && out->step == 6 && out->support == SUPPORT_BOTH) {
        settles += settles < 1400;
        const double aside_m = settles < 700 ? 0.085 * settles / 700 : 0.085;
        out->waist_m[1] -= aside_m;
        out->com_m[1] -= aside_m;
        out->zmp_m[1] -= aside_m;
        out->foot[SIDE_LEFT].position_m[2] += settles > 700 ? 4e-5 * (settles - 700) : 0;
    }
    if (strcmp(way, "edging") == 0 && out->step > 1)
        out->waist_m[0] += 0.07;
    if (strcmp(way, "bowing") == 0 && out->step == 6 && out->support == SUPPORT_BOTH) {
        settles += settles < 600;
        const double ahead_m = 0.093 * settles / 600;
        out->waist_m[0] += ahead_m;
        out->com_m[0] += ahead_m;
        out->zmp_m[0] += ahead_m;
    }
    if (strcmp(way, "leaning") == 0 && out->step > 1)
        out->waist_m[1] += 0.06;
    if (strcmp(way, "stiff") == 0 && out->step > 1)
        out->toe_rad[SIDE_RIGHT] += 0.4;
    if (strcmp(way, "jerky") == 0 && out->step == 3)
        out->com_m_s2[0] += 6;
    return more;
}

struct walkgen_counts __wrap_walkgen_counts(const struct walkgen *walkgen)
{
    struct walkgen_counts counts = __real_walkgen_counts(walkgen);
    if (strcmp(way, "starved") == 0)
        counts.references_ahead -= 160;
    return counts;
}

void __wrap_generator_message(struct generator *generator,
                              const struct walk_request_message *message)
{
    static unsigned heard;
    if (strcmp(way, "tardy") == 0 && ++heard % 5 != 0)
        return;
    struct walk_request_message now = *message;
    if (strcmp(way, "heedless") == 0)
        now.id = generator->last_id + 1;
    if (strcmp(way, "endless") == 0 && strncmp(now.text, ":Stop", 5) == 0)
        strcpy(now.text, ":omega 0");
    double x_m;
    int at = 0;
    if (strcmp(way, "short-sighted") == 0 &&
        sscanf(message->text, ":obstacleparameters %lf %n", &x_m, &at) == 1)
        snprintf(now.text, sizeof now.text, ":obstacleparameters %.9g %s", x_m + 0.08,
                 message->text + at);
    if (strcmp(way, "stiff") == 0 && strstr(now.text, "Toe") != NULL)
        strcpy(now.text, ":omega 0");
    if (strcmp(way, "deaf") == 0) {
        now.kind = 1;
        strcpy(now.text, ":omega 0");
    }
    __real_generator_message(generator, &now);
}
