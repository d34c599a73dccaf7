// files: what varies from trial to trial is checked, drawn by the seed, and told.
#include "tests/unit/files/project.h"

#include <math.h>

#include "base/variation.h"
#include "harness/files/target/variation_file.h"

static void row_refused(const char *world, const char *row, const char *words)
{
    struct target *target;
    char text[2048];
    make_project();
    const char *const run = strstr(target_text, "[sim]");
    snprintf(text, sizeof text, "%.*s[%s]%s%s", (int)(run - target_text), target_text, world,
             run + strlen("[sim]"), row);
    put("targets/t/target.yaml", text);
    catch_errors();
    refused(target_load(path_of("targets/t/target.yaml"), &target), "targets/t/target.yaml", 16,
            words);
}

START_TEST(a_row_that_cannot_be_meant_so_is_refused)
{
#define ROW(text) "variation:\n  - {" text "}\n"
    row_refused("sim", ROW("quantity: a, spread: 1"), "source: missing");
    row_refused("sim", ROW("quantity: a, source: s"), "a: say how far it varies");
    row_refused("sim", ROW("quantity: a, spread: 1, range: [1, 2], source: s"), "a: say how far");
    row_refused("sim", ROW("quantity: a, spread: -1, source: s"), "-1: out of range");
    row_refused("sim", ROW("quantity: a, range: [2, 1], source: s"), "range");
    row_refused("sim", ROW("quantity: a, spread: 1, each: 0, source: s"), "each: 0: out of range");
    row_refused("sim", ROW("quantity: a, spread: 1, each: 200, source: s"), "each: 200: out of");
}
END_TEST

START_TEST(our_worlds_are_asked_for_their_own_quantities_only)
{
    struct target *target;
    row_refused("targets/simulator/simulator", ROW("quantity: lean_rad, spread: 1, source: s"),
                "lean_rad: this world cannot vary it; it can floor_friction_share, ");
    row_refused("targets/pendulum/world", ROW("quantity: joint_zero_rad, spread: 1, source: s"),
                "joint_zero_rad: this world cannot vary it; it can lean_rad");
    char text[2048];
    make_project();
    snprintf(text, sizeof text, "%s%s", target_text,
             ROW("quantity: a_stranger_s_own, spread: 1, source: s"));
    put("targets/t/target.yaml", text);
    ck_assert_int_eq(target_load(path_of("targets/t/target.yaml"), &target), STATUS_OK);
    ck_assert(target->variation[0].low == -1 && target->variation[0].high == 1);
    target_free(target);
}
END_TEST

static struct variation drawn(const char *quantity, unsigned each, uint64_t seed)
{
    struct variation_config config = {.low = 1, .high = 3, .each = each};
    struct variation values;
    char text[VARIATION_TEXT_MAX];
    snprintf(config.quantity, sizeof config.quantity, "%s", quantity);
    variation_draw(&config, seed, &values, text);
    return values;
}

START_TEST(a_seed_draws_the_same_and_no_row_changes_another)
{
    const struct variation few = drawn("a", 2, 7), many = drawn("a", VARIATION_VALUES_MAX, 7),
                           other = drawn("b", 2, 7), later = drawn("a", 2, 8);
    ck_assert_uint_eq(many.count, VARIATION_VALUES_MAX);
    ck_assert(few.value[0] == many.value[0] && few.value[1] == many.value[1]);
    ck_assert(few.value[0] != other.value[0] && few.value[0] != later.value[0]);
    double low = INFINITY, high = -INFINITY;
    for (unsigned i = 0; i < many.count; i++) {
        low = fmin(low, many.value[i]);
        high = fmax(high, many.value[i]);
    }
    ck_assert(low >= 1 && low < 1.2 && high <= 3 && high > 2.8);
}
END_TEST

// What is recorded is what acts, to the last bit.
START_TEST(the_world_reads_what_was_drawn)
{
    struct variation_config config = {.low = -1e-3, .high = 1e-3, .each = 99};
    struct variation values, read;
    char text[VARIATION_TEXT_MAX], variable[VARIATION_VARIABLE_MAX];
    snprintf(config.quantity, sizeof config.quantity, "link_com_m");
    variation_draw(&config, 5, &values, text);
    variation_variable(&config, 5, variable);
    char *const value = strchr(variable, '=');
    ck_assert_ptr_nonnull(value);
    *value = '\0';
    ck_assert_str_eq(variable, "UKEMI_VARY_LINK_COM_M");
    ck_assert_str_eq(value + 1, text);
    ck_assert_int_eq(setenv(variable, value + 1, 1), 0);
    ck_assert_int_eq(variation_read(VARY_link_com_m, &read), STATUS_OK);
    ck_assert_uint_eq(read.count, 99);
    ck_assert_mem_eq(read.value, values.value, 99 * sizeof read.value[0]);
    ck_assert(variation_at(&read, 98) == values.value[98]);
    ck_assert_int_eq(unsetenv(variable), 0);
    ck_assert_int_eq(variation_read(VARY_link_com_m, &read), STATUS_OK);
    ck_assert(read.count == 0 && variation_at(&read, 3) == 0);
}
END_TEST

START_TEST(what_is_no_list_of_numbers_is_refused)
{
    static const char *const bad[] = {"x", "1 x", "1,2", "nan", "inf"};
    struct variation read;
    make_project();
    catch_errors();
    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++) {
        ck_assert_int_eq(setenv("UKEMI_VARY_LEAN_RAD", bad[i], 1), 0);
        ck_assert_msg(variation_read(VARY_lean_rad, &read) == STATUS_INVALID, "%s", bad[i]);
    }
    ck_assert_ptr_nonnull(strstr(errors(), "UKEMI_VARY_LEAN_RAD"));
}
END_TEST

UNIT_MAIN("variation file", a_row_that_cannot_be_meant_so_is_refused,
          our_worlds_are_asked_for_their_own_quantities_only,
          a_seed_draws_the_same_and_no_row_changes_another, the_world_reads_what_was_drawn,
          what_is_no_list_of_numbers_is_refused)
