// files/fault: what the faults of a family have in common, and what each says itself.
#include "tests/unit/files/project.h"

#define FAMILY                                                                                     \
    "program: faults/channel\n"                                                                    \
    "common:\n"                                                                                    \
    "  look: channel\n"                                                                            \
    "  shows: missing\n"                                                                           \
    "  undo: program\n"                                                                            \
    "  strikes: channel\n"                                                                         \
    "  proof_later: true\n"                                                                        \
    "  parameters:\n"                                                                              \
    "    - {name: share, summary: of all, min: 0, max: 1, default: \"1\", nonzero: true}\n"        \
    "    - {name: word, summary: which, one_of: [in, out], default: out}\n"                        \
    "faults:\n"                                                        // line 11
#define FAULT "  - name: f\n    summary: s\n    colour: \"#000000\"\n" // lines 12 to 14
#define LATE "{name: after_s, summary: s, min: 0, max: 9, default: \"1\"}"
#define REST "{name: rest_s, summary: s, min: 0, max: 9, default: \"2\"}"

static struct catalogue *family_of(const char *faults)
{
    char text[4096];
    struct catalogue *catalogue;
    snprintf(text, sizeof text, FAMILY "%s", faults);
    put("family.yaml", text);
    ck_assert_int_eq(catalogue_load_family(path_of("family.yaml"), &catalogue), STATUS_OK);
    return catalogue;
}

static void family_refused(const char *faults, unsigned line, const char *words)
{
    char text[4096];
    struct catalogue *catalogue;
    snprintf(text, sizeof text, FAMILY "%s", faults);
    put("family.yaml", text);
    catch_errors();
    refused(catalogue_load_family(path_of("family.yaml"), &catalogue), "family.yaml", line, words);
}

START_TEST(a_fault_is_as_its_family_where_it_says_nothing)
{
    make_project();
    struct catalogue *catalogue = family_of(FAULT);
    const struct fault_kind *kind = &catalogue->kind[0];
    ck_assert_int_eq(kind->look, LOOK_channel);
    ck_assert_int_eq(kind->shows, SHOWS_MISSING);
    ck_assert_int_eq(kind->undo, UNDO_PROGRAM);
    ck_assert_int_eq(kind->struck, STRUCK_CHANNEL);
    ck_assert(kind->proof_later && !kind->falsifies);
    ck_assert_uint_eq(kind->parameter_count, 2);
    ck_assert_str_eq(kind->parameter[0].name, "share");
    ck_assert(kind->parameter[0].nonzero && kind->parameter[0].max == 1);
    ck_assert_str_eq(kind->parameter[1].choice[1], "out");
    ck_assert_uint_eq(kind->parameter[1].choice_count, 2);
    catalogue_free(catalogue);
}
END_TEST

START_TEST(what_a_fault_says_itself_counts)
{
    make_project();
    struct catalogue *catalogue = family_of(
        FAULT "    shows: altered\n    proof_later: false\n"
              "    parameters: [{name: share, default: \"0.5\"}, " LATE ", word]\n"
              "  - name: g\n    summary: s\n    colour: \"#000000\"\n    parameters: []\n");
    const struct fault_kind *kind = &catalogue->kind[0];
    ck_assert_int_eq(kind->shows, SHOWS_ALTERED);
    ck_assert_int_eq(kind->look, LOOK_channel);
    ck_assert(!kind->proof_later);
    ck_assert_uint_eq(kind->parameter_count, 3);
    ck_assert_str_eq(kind->parameter[0].fallback, "0.5");
    ck_assert_str_eq(kind->parameter[0].summary, "of all");
    ck_assert_str_eq(kind->parameter[1].name, "after_s");
    ck_assert(!kind->parameter[1].nonzero && kind->parameter[1].max == 9);
    ck_assert_str_eq(kind->parameter[2].fallback, "out");
    ck_assert_uint_eq(catalogue->kind[1].parameter_count, 0);
    catalogue_free(catalogue);
}
END_TEST

START_TEST(what_neither_says_is_missing)
{
    make_project();
    family_refused(FAULT "    parameters: [share, shaer]\n", 15,
                   "faults[0].parameters[1]: shaer: has no `summary` or no `default`; give them");
    family_refused(FAULT "    parameters: [share, share]\n", 15,
                   "share: used twice; each entry needs");
    put("family.yaml", "program: faults/channel\nfaults:\n" FAULT "    undo: program\n");
    struct catalogue *catalogue;
    catch_errors();
    refused(catalogue_load_family(path_of("family.yaml"), &catalogue), "family.yaml", 3,
            "faults[0].look: missing; add it here, or under common");
}
END_TEST

START_TEST(the_effect_is_measured_by_the_parameter_that_is_named)
{
    static const char *const orders[] = {LATE ", " REST, REST ", " LATE};
    make_project();
    for (size_t i = 0; i < 2; i++) {
        char text[1024];
        snprintf(text, sizeof text,
                 FAULT "    shows: late\n    proves: after_s\n    parameters: [share, %s]\n",
                 orders[i]);
        struct catalogue *catalogue = family_of(text);
        ck_assert_str_eq(catalogue_proves(&catalogue->kind[0])->name, "after_s");
        catalogue_free(catalogue);
    }
    struct catalogue *alone =
        family_of(FAULT "    shows: late\n    parameters: [share, " REST "]\n");
    ck_assert_str_eq(catalogue_proves(&alone->kind[0])->name, "rest_s"); // the only time
    catalogue_free(alone);
}
END_TEST

START_TEST(it_is_a_time_and_no_guess)
{
    make_project();
    family_refused(FAULT "    shows: late\n    parameters: [" LATE ", " REST "]\n", 12,
                   "faults[0].proves: f: it is not clear which parameter says how late");
    family_refused(FAULT "    shows: late\n    proves: share\n", 16,
                   "faults[0].proves: share: not a parameter of f that is a number of seconds");
    family_refused(FAULT "    shows: late\n    proves: none_s\n", 16,
                   "faults[0].proves: none_s: not a parameter of f");
    family_refused(FAULT "    proves: after_s\n    parameters: [" LATE "]\n", 15,
                   "faults[0].proves: after_s: belongs to `shows: late`");
}
END_TEST

UNIT_MAIN("catalogue", a_fault_is_as_its_family_where_it_says_nothing,
          what_a_fault_says_itself_counts, what_neither_says_is_missing,
          the_effect_is_measured_by_the_parameter_that_is_named, it_is_a_time_and_no_guess)
