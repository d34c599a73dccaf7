// solids: the paper's excerpt loads as printed; every mistake in a robot's file is refused with its
// line.
#include "tests/unit/common/unit.h"

#include <fcntl.h>
#include <math.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "model/solids.h"

#define BIOLOID "targets/bioloid/bioloid.xml"
#define DEGREE (3.14159265358979323846 / 180)

// Lima et al., section 3.2.
static const char excerpt[] = "<robot>\n"
                              "  <kind value='humanoid'/>\n"
                              "  <solids>\n"
                              "    <cuboid>\n"
                              "      <ID value='6'/>\n"
                              "      <pos x='-0.040' y='0' z='0.010'/>\n"
                              "      <size x='0.082' y='0.102' z='0.137'/>\n"
                              "      <mass value='0.635'/>\n"
                              "      <desc Pt='Tronco'/>\n"
                              "      <desc Eng='Trunk'/>\n"
                              "    </cuboid>\n"
                              "  </solids>\n"
                              "  <articulations>\n"
                              "    <joint>\n"
                              "      <ID value='0'/>\n"
                              "      <pos x='-0.039' y='0.030' z='-0.170'/>\n"
                              "      <axis x='0' y='1' z='0'/>\n"
                              "      <connect B1='7' B2='17'/>\n"
                              "      <limits Min='-98' Max='32'/>\n"
                              "      <type value='Hinge'/>\n"
                              "      <desc Pt='Joelho Esq'/>\n"
                              "    </joint>\n"
                              "  </articulations>\n"
                              "</robot>\n";

static const char *const three =
    "<robot><kind value='arm'/>\n"
    "<defines><const name='h' value='0.5'/><const name='w' value='h / 10'/></defines>\n"
    "<solids>\n"
    "<cylinder><ID value='base'/><mass value='1'/><size radius='w' z='h'/><pos x='0' y='0' "
    "z='h/2'/></cylinder>\n"
    "<cuboid><ID value='arm'/><mass value='2*(w+0.45)'/><size x='0.4' y='w' z='w'/><pos x='0.2' "
    "y='0' z='h + w/2'/><rot_deg z='90'/></cuboid>\n"
    "<sphere><ID value='hand'/><mass value='0.1'/><radius value='-w + 0.1'/><pos x='0.4' y='0' "
    "z='h'/></sphere>\n"
    "</solids>\n"
    "<articulations>\n"
    "<joint><ID value='J1'/><pos x='0' y='0' z='h'/><axis x='0' y='0' z='2'/><connect B1='base' "
    "B2='world'/><type value='Hinge'/></joint>\n"
    "<joint><ID value='J2'/><pos x='0' y='0' z='h'/><axis x='0' y='1' z='0' servo='4'/><axis2 "
    "x='1' y='0' z='0'/><connect B1='arm' B2='base'/><limits Min='-10' Max='20'/><type "
    "value='Universal'/></joint>\n"
    "<joint><ID value='J3'/><pos x='0.4' y='0' z='h'/><axis x='0' y='1' z='0'/><connect B1='arm' "
    "B2='hand'/></joint>\n"
    "</articulations></robot>\n";

static const char *write_text(const char *text)
{
    static char path[80];
    choose_file(path, sizeof path);
    FILE *file = fopen(path, "w");
    ck_assert_ptr_nonnull(file);
    fputs(text, file);
    ck_assert_int_eq(fclose(file), 0);
    return path;
}

// Reads `text` with the first `from` replaced, and connects it. `line`: of the complaint.
static enum status read_changed(const char *text, const char *from, const char *to, unsigned *line)
{
    static char changed[8000], said[4000];
    const char *place = strstr(text, from);
    ck_assert_msg(place != NULL, "%s is not there", from);
    snprintf(changed, sizeof changed, "%.*s%s%s", (int)(place - text), text, to,
             place + strlen(from));
    const char *path = write_text(changed);
    struct solid_robot *robot = NULL;
    struct solid_tree tree;
    FILE *complaints = tmpfile();
    const int saved = dup(STDERR_FILENO);
    dup2(fileno(complaints), STDERR_FILENO);
    enum status status = solids_read(path, &robot);
    if (status == STATUS_OK)
        status = solids_connect(robot, &tree);
    dup2(saved, STDERR_FILENO);
    close(saved);
    rewind(complaints);
    said[fread(said, 1, sizeof said - 1, complaints)] = '\0';
    fclose(complaints);
    const char *at = strstr(said, path);
    *line = 0;
    if (at != NULL)
        sscanf(at + strlen(path), ":%u", line);
    free(robot);
    return status;
}

START_TEST(the_excerpt_loads_as_printed)
{
    struct solid_robot *robot;
    ck_assert_int_eq(solids_read(write_text(excerpt), &robot), STATUS_OK);
    ck_assert_str_eq(robot->kind, "humanoid");
    ck_assert_uint_eq(robot->solid_count, 1);
    ck_assert_str_eq(robot->solid[0].name, "Trunk");
    ck_assert_double_eq(robot->solid[0].mass_kg, 0.635);
    ck_assert_double_eq(robot->solid[0].size_m[2], 0.137);
    const struct articulation *knee = &robot->articulation[0];
    ck_assert_double_eq(knee->position_m[2], -0.170);
    ck_assert_double_eq_tol(knee->axis[0].min_rad, -98 * DEGREE, 1e-12);
    ck_assert_double_eq_tol(knee->axis[0].max_rad, 32 * DEGREE, 1e-12);
    struct solid_tree tree; // its joint is between solids that the excerpt leaves out
    ck_assert_int_eq(solids_connect(robot, &tree), STATUS_INVALID);
    free(robot);
}
END_TEST

START_TEST(arithmetic_shapes_and_two_axes_are_read)
{
    struct solid_robot *robot;
    struct solid_tree tree;
    ck_assert_int_eq(solids_read(write_text(three), &robot), STATUS_OK);
    ck_assert_int_eq(solids_connect(robot, &tree), STATUS_OK);
    ck_assert_int_eq(robot->solid[0].shape, SOLID_CYLINDER);
    ck_assert_double_eq_tol(robot->solid[0].size_m[0], 0.05, 1e-15);
    ck_assert_double_eq_tol(robot->solid[1].mass_kg, 1, 1e-15);
    ck_assert_double_eq_tol(robot->solid[1].rotation_rad[2], 90 * DEGREE, 1e-15);
    ck_assert_double_eq_tol(robot->solid[2].size_m[0], 0.05, 1e-15);
    ck_assert_double_eq(robot->articulation[0].axis[0].direction[2], 1);
    ck_assert_uint_eq(robot->articulation[1].axes, 2);
    ck_assert_uint_eq(robot->articulation[1].axis[0].servo, 4);
    ck_assert_uint_eq(tree.count, 3);
    for (unsigned i = 0; i < 3; i++)
        ck_assert_int_eq(tree.link[i].free, 0);
    ck_assert_int_eq(tree.link[0].parent, SOLIDS_WORLD);
    ck_assert_int_eq(tree.link[2].parent, tree.link[1].solid);
    free(robot);
}
END_TEST

START_TEST(mistakes_are_refused_with_their_line)
{
    static const struct {
        const char *what, *from, *to;
        unsigned line;
    } mistakes[] = {
        {"mass 0", "<mass value='1'/>", "<mass value='0'/>", 4},
        {"negative mass", "<mass value='1'/>", "<mass value='-1'/>", 4},
        {"size 0", "radius='w'", "radius='w-w'", 4},
        {"unknown constant", "radius='w'", "radius='v'", 4},
        {"division by 0", "'h / 10'", "'h / (h - 0.5)'", 2},
        {"constant twice", "name='w'", "name='h'", 2},
        {"not closed", "'2*(w+0.45)'", "'2*(w+0.45'", 5},
        {"something behind", "'2*(w+0.45)'", "'2 3'", 5},
        {"nan", "x='0.4'", "x='nan'", 5},
        {"too large", "x='0.4'", "x='1e308*1e308'", 5},
        {"no mass", "<mass value='0.1'/>", "", 6},
        {"mass twice", "<mass value='0.1'/>", "<mass value='0.1'/><mass value='0.1'/>", 6},
        {"solid id twice", "'hand'", "'base'", 6},
        {"reserved id", "'hand'", "'world'", 6},
        {"joint id twice", "'J3'", "'J1'", 11},
        {"unknown solid", "B2='hand'", "B2='foot'", 11},
        {"solid with itself", "B2='hand'", "B2='arm'", 11},
        {"loop", "B2='hand'", "B2='base'", 11},
        {"loop over the world", "B2='hand'", "B2='world'", 10},
        {"Min above Max", "Min='-10'", "Min='30'", 10},
        {"Min is Max", "Min='-10'", "Min='20'", 10},
        {"axis of length 0", "<axis x='0' y='1'", "<axis x='0' y='0'", 10},
        {"same axes", "x='1' y='0' z='0'", "x='0' y='1' z='0'", 10},
        {"Universal without axis2", "<axis2 x='1' y='0' z='0'/>", "", 10},
        {"Hinge with axis2", "'Universal'", "'Hinge'", 10},
        {"unknown type", "'Universal'", "'Ball'", 10},
        {"servo 0.5", "servo='4'", "servo='0.5'", 10},
        {"unknown element", "<sphere>", "<sphere><colour/>", 6},
        {"unknown attribute", "<cuboid><ID value='arm'", "<cuboid><ID name='x' value='arm'", 5},
        {"text", "<solids>", "<solids>hello", 3},
    };
    unsigned line;
    ck_assert_int_eq(read_changed(three, "'arm'/>", "'arm'/>", &line), STATUS_OK);
    for (size_t i = 0; i < sizeof mistakes / sizeof mistakes[0]; i++) {
        ck_assert_msg(read_changed(three, mistakes[i].from, mistakes[i].to, &line) ==
                          STATUS_INVALID,
                      "%s was accepted", mistakes[i].what);
        ck_assert_msg(line == mistakes[i].line, "%s: said of line %u", mistakes[i].what, line);
    }
}
END_TEST

START_TEST(deep_parentheses_are_refused)
{
    char text[200] = "";
    unsigned line;
    for (int i = 0; i < 60; i++)
        strcat(text, "(");
    ck_assert_int_eq(read_changed(three, "2*(w+0.45)", text, &line), STATUS_INVALID);
}
END_TEST

START_TEST(the_bioloid_has_19_servos_and_2_kg)
{
    struct scene *scene;
    ck_assert_int_eq(scene_read("targets/bioloid/scene.xml", &scene), STATUS_OK);
    ck_assert_uint_eq(scene->robot_count, 1);
    ck_assert_uint_eq(scene->robot[0].axis_count, 19);
    const struct solid_robot *robot = scene->robot[0].robot;
    double mass_kg = 0, top_m = -1, bottom_m = 1;
    for (unsigned i = 0; i < robot->solid_count; i++) {
        const struct solid *solid = &robot->solid[i];
        mass_kg += solid->mass_kg;
        top_m = fmax(top_m, solid->position_m[2] + solid->size_m[2] / 2);
        bottom_m = fmin(bottom_m, solid->position_m[2] - solid->size_m[2] / 2);
    }
    ck_assert_double_eq_tol(mass_kg, 2, 1e-9);
    ck_assert_double_eq_tol(top_m - bottom_m, 0.38, 1e-9);
    scene_free(scene);
}
END_TEST

UNIT_MAIN("solids", the_excerpt_loads_as_printed, arithmetic_shapes_and_two_axes_are_read,
          mistakes_are_refused_with_their_line, deep_parentheses_are_refused,
          the_bioloid_has_19_servos_and_2_kg)
