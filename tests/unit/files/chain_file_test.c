// files: chains that no trial could join are refused, with line, value and remedy.
#include "tests/unit/files/project.h"

#include "harness/files/target/chain_file.h"

#define HEAD                                                                                       \
    "format: 2\nname: t\n"                                                                         \
    "processes:\n"                                                                                 \
    "  - {name: eyes, run: [a], priority: 50}\n"                                                   \
    "  - {name: hands, run: [b], priority: 40, clock: shim}\n"                                     \
    "channels:\n"                                                                                  \
    "  - {name: seen, message: seen.msg, frame_size_max_B: 64, slots: 16, writer: eyes}\n"         \
    "  - {name: done, message: done.msg, frame_size_max_B: 64, slots: 16, writer: hands}\n"        \
    "  - {name: wire, message: wire.msg, frame_size_max_B: 4096, slots: 16}\n"                     \
    "  - {name: silent, frame_size_max_B: 64, slots: 16}\n"                                        \
    "chains:\n"                                                                                    \
    "  - name: loop\n"                                                                             \
    "    links:\n" // line 13; the first link is on line 14

static struct target *target;

static enum status load(const char *links)
{
    char text[2048];
    make_project();
    put("targets/t/seen.msg", "int64 time_ns\nuint64 cycle\nfloat64 angle_rad\nuint8[8] bytes\n");
    put("targets/t/done.msg", "int64 time_ns\nuint64 answers\nint64 taken_ns\nuint64 number\n");
    put("targets/t/wire.msg",
        "uint32 padding\nuint32 count\nFrame[<=20] frame\n=====\nMSG: t/Frame\nint64 time_ns\n"
        "uint16 id\nuint16 end\nuint8[12] head\n");
    snprintf(text, sizeof text, "%s%s", HEAD, links);
    put("targets/t/target.yaml", text);
    catch_errors();
    return target_load(path_of("targets/t/target.yaml"), &target);
}

static void links_refused(const char *links, unsigned line, const char *words)
{
    refused(load(links), "targets/t/target.yaml", line, words);
}

#define SEEN "      - {channel: seen, is: cycle}\n"

START_TEST(a_chain_is_read_with_its_joins_and_names)
{
    static const char links[] = "      - {channel: seen, is: seen.cycle}\n"
                                "      - {channel: done, answers: answers, taken: taken_ns}\n"
                                "      - {frames: wire, answers: \"4:u32be\", to: done, "
                                "only: [end=1]}\n"
                                "      - {channel: seen}\n"
                                "    bound: {p: 99, below_s: 0.01}\n"
                                "    spans: [{name: half, from: seen, to: done.taken}]\n";
    ck_assert_int_eq(load(links), STATUS_OK);
    const struct chain_config *chain = chain_find(target, NULL);
    ck_assert_ptr_eq(chain_find(target, "loop"), chain);
    ck_assert_ptr_null(chain_find(target, "pool"));
    ck_assert_uint_eq(chain->last, 3);
    ck_assert_str_eq(chain->link[3].name, "seen-2");
    ck_assert_uint_eq(chain->link[2].parent, 1);
    ck_assert_int_eq(chain->link[2].number[LINK_ANSWERS].field.kind, 'b');
    ck_assert_uint_eq(chain->link[2].number[LINK_ANSWERS].field.offset_B, 8 + 12 + 4);
    ck_assert(chain->link[2].number[LINK_AT].given); // a frame's own time
    ck_assert(chain->link[1].number[LINK_CYCLE].given && chain->link[1].numbered);
    ck_assert_uint_eq(chain->span[0].to_point, 2);
    target_free(target);
}
END_TEST

START_TEST(a_chain_without_a_start_is_refused)
{
    links_refused("      - {channel: seen, answers: cycle}\n" SEEN, 14,
                  "has no start: its first link is where an instant begins");
    links_refused("      - {channel: seen, to: done}\n      - {channel: done}\n", 14,
                  "has no start");
    links_refused(SEEN, 14, "1 entries; give 2 to");
}
END_TEST

START_TEST(a_field_that_is_not_there_is_refused)
{
    links_refused("      - {channel: seen, is: cycel}\n      - {channel: done}\n", 14,
                  "cycel: messages of seen have no such number (did you mean cycle?)");
    links_refused(SEEN "      - {channel: done, answers: seen.cycle}\n", 15,
                  "seen.cycle: this link's messages are those of done");
    links_refused(SEEN "      - {channel: done, taken: number}\n", 15,
                  "number: a time's name ends in its unit");
    links_refused("      - {channel: seen, is: angle_rad}\n      - {channel: done}\n", 14,
                  "angle_rad: a real number");
    links_refused(SEEN "      - {frames: wire, is: ids}\n", 15,
                  "ids: frames of wire have no such number (did you mean id?)");
    links_refused(SEEN "      - {frames: done}\n", 15, "end in no frames with a time_ns");
    links_refused(SEEN "      - {channel: done, only: [number=x]}\n", 15,
                  "'x' is not a whole number");
}
END_TEST

START_TEST(answers_that_could_mean_several_are_refused)
{
    links_refused("      - {channel: seen}\n      - {channel: done, answers: answers}\n", 15,
                  "answers: ambiguous: seen has no number that it could name");
    links_refused(SEEN "      - {channel: done, name: x}\n      - {channel: done, name: x}\n", 16,
                  "x: an earlier link is called so");
    links_refused(SEEN "      - {channel: done, frames: wire}\n", 15, "2 sources; give one of");
    links_refused(SEEN "      - {name: x}\n", 15, "0 sources; give one of");
    links_refused(SEEN "      - {channel: done, shows: seen}\n", 15,
                  "the target has no robot whose boards are read");
    links_refused(SEEN "      - {channel: done, last_frame_of: seen}\n", 15,
                  "only for the frames of a `bus`");
}
END_TEST

START_TEST(links_in_a_circle_are_refused)
{
    links_refused(SEEN "      - {channel: done, to: done}\n", 15, "done: a circle");
    links_refused(SEEN "      - {channel: done, to: later}\n      - {channel: seen, name: later}\n",
                  15, "later: a circle: that link is not before it");
    links_refused(SEEN "      - {last_of: [seen, after]}\n      - {channel: done, name: after}\n",
                  15, "after: a circle");
    links_refused(SEEN "      - {channel: done, to: nobody}\n", 15,
                  "nobody: no link of this chain is called so");
}
END_TEST

START_TEST(what_is_not_recorded_cannot_be_linked)
{
    links_refused(SEEN "      - {channel: silent}\n", 15,
                  "silent: no channel with a message and no tap");
    links_refused(SEEN "      - {channel: dome}\n", 15, "(did you mean done?)");
    links_refused(SEEN "      - {bus: can7}\n", 15, "can7: no CAN bus is called so");
    links_refused(SEEN "      - {calls: eyes}\n", 15, "eyes: no process with `clock: shim`");
}
END_TEST

START_TEST(a_bound_has_one_length_and_a_period_one_source)
{
    links_refused(SEEN "      - {channel: done}\n    bound: {p: 99}\n", 16,
                  "no bound; give one of");
    links_refused(SEEN "      - {channel: done}\n    bound: {p: 99, periods: 2, below_s: 1}\n", 16,
                  "two bounds; give one of");
    links_refused(SEEN "      - {channel: done}\n    period_s: 1\n    period: seen.time_ns\n", 17,
                  "seen.time_ns: and a period_s");
    links_refused(SEEN
                  "      - {channel: done}\n    spans: [{name: s, from: seen.taken, to: done}]\n",
                  16, "seen.taken: link seen has no `taken`");
}
END_TEST

START_TEST(the_key_of_earlier_versions_is_refused_with_what_stands_in_its_place)
{
    char text[2048];
    make_project();
    snprintf(text, sizeof text, "%spipeline: [truth, truth, truth]\n", target_text);
    put("targets/t/target.yaml", text);
    catch_errors();
    refused(target_load(path_of("targets/t/target.yaml"), &target), "targets/t/target.yaml", 15,
            "pipeline: not a key any more; write chains:");
}
END_TEST

UNIT_MAIN("chain file", a_chain_is_read_with_its_joins_and_names,
          a_chain_without_a_start_is_refused, a_field_that_is_not_there_is_refused,
          answers_that_could_mean_several_are_refused, links_in_a_circle_are_refused,
          what_is_not_recorded_cannot_be_linked, a_bound_has_one_length_and_a_period_one_source,
          the_key_of_earlier_versions_is_refused_with_what_stands_in_its_place)
