// The generator, broken in the way that its argument says: leaning puts the waist 6 cm beside where
// it should be; heedless takes each message as a new one; endless refuses to stop;
// jerky says a pull of the centre of mass that jumps; deaf takes everything and does nothing.
#include <string.h>

#include "robot/participant.h"
#include "targets/walkgen/generator_core.h"

static const char *way = "";

enum status __real_participant_begin(int argc, char **argv);
enum status __wrap_participant_begin(int argc, char **argv);
bool __real_walkgen_tick(struct walkgen *walkgen, struct walkgen_output *out);
bool __wrap_walkgen_tick(struct walkgen *walkgen, struct walkgen_output *out);
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

bool __wrap_walkgen_tick(struct walkgen *walkgen, struct walkgen_output *out)
{
    const bool more = __real_walkgen_tick(walkgen, out);
    if (strcmp(way, "leaning") == 0 && out->step > 1)
        out->waist_m[1] += 0.06;
    if (strcmp(way, "jerky") == 0 && out->step == 3)
        out->com_m_s2[0] += 6;
    return more;
}

void __wrap_generator_message(struct generator *generator,
                              const struct walk_request_message *message)
{
    struct walk_request_message now = *message;
    if (strcmp(way, "heedless") == 0)
        now.id = generator->last_id + 1;
    if (strcmp(way, "endless") == 0 && strncmp(now.text, ":Stop", 5) == 0)
        strcpy(now.text, ":omega 0");
    if (strcmp(way, "deaf") == 0) {
        now.kind = 1;
        strcpy(now.text, ":omega 0");
    }
    __real_generator_message(generator, &now);
}
