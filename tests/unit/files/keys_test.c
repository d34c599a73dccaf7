// files: each key of every kind of file, wrong in each way that its row knows, is refused with
// file, line and remedy. The files are made of the tables that read them, so that no key is left
// out.
#include "base/text.h"
#include "harness/files/yaml/file_table.h"
#include "tests/unit/files/project.h"

#define FILE_B (16 << 20) // more than any structure that is read
#define DEPTH_MAX 6
#define TEXT_MAX 20000

struct place { // of a key: the keys around it, from the outermost, and itself
    const struct file_row *top, *row[DEPTH_MAX];
    unsigned depth; // of row
};

static unsigned keys, mistakes;
static char file_text[TEXT_MAX], key_path[512];

static bool is_list(const struct file_row *row)
{
    return row->most > 0 && !row->keyed && row->type != VALUE_RANGE;
}

// A file in which each key stands on a line of its own, the last one with this ending and value.
// Returns its line.
static unsigned write_file(const struct place *place, const char *ending, const char *value)
{
    const bool format = place->row[0]->type == VALUE_FORMAT;
    bool dash = false;
    *file_text = *key_path = '\0';
    if (!format)
        text_add(file_text, TEXT_MAX, "format: %g\n", place->top->max);
    for (unsigned i = 0; i < place->depth; i++) {
        const struct file_row *row = place->row[i];
        const bool last = i + 1 == place->depth, named = i > 0 && place->row[i - 1]->keyed;
        const char *key = named ? "some" : row->key;
        text_add(file_text, TEXT_MAX, "%*s%s%s:%s%s\n", (int)(4 * i), dash ? "- " : "", key,
                 last ? ending : "", last ? " " : "", last ? value : "");
        text_add(key_path, sizeof key_path, "%s%s%s", i > 0 ? "." : "", key, last ? ending : "");
        dash = is_list(row);
        if (dash && !last)
            text_add(key_path, sizeof key_path, "[0]");
    }
    return place->depth + !format;
}

// What is said of the file begins, on this line, with the key, and has these words and a remedy.
static void must_be_refused(const struct place *place, unsigned line, const char *words)
{
    void *file;
    char start[1024];
    mistakes++;
    put("wrong.yaml", file_text);
    catch_errors();
    // No check comes after a row that is wrong.
    ck_assert_int_eq(file_load(path_of("wrong.yaml"), place->top, FILE_B, NULL, NULL, &file),
                     STATUS_INVALID);
    snprintf(start, sizeof start, "%s:%u: %s", path_of("wrong.yaml"), line, key_path);
    const char *said = errors(), *found = strstr(said, start), *end = NULL;
    while (found != NULL && end == NULL) { // others of this line may come first
        end = strchr(found, '\n');
        ck_assert_ptr_nonnull(end);
        const char *word = strstr(found, words), *remedy = strchr(found, ';');
        if (word == NULL || word > end || remedy == NULL || remedy > end) {
            found = strstr(end, start);
            end = NULL;
        }
    }
    ck_assert_msg(found != NULL, "want '%s... %s...; ...' of\n%s\ngot: %.2000s", start, words,
                  file_text, said);
}

static void is_wrong(const struct place *place, const char *value, const char *words)
{
    must_be_refused(place, write_file(place, "", value), words);
}

// Nothing in place of a text, and what is said twice.
static void wrong_words(const struct place *place, const struct file_row *row)
{
    static const char *const nothing[] = {"~", "NULL"};
    const bool text = row->type == VALUE_TEXT || row->type == VALUE_NAME;
    char value[TEXT_MAX];
    for (size_t i = 0; i < 2 && text; i++) {
        snprintf(value, sizeof value, is_list(row) ? "[%s]" : "%s", nothing[i]);
        is_wrong(place, value, "nothing, to YAML");
    }
    if (row->unique && is_list(row)) {
        const char *one = row->type == VALUE_WHOLE ? "1" : row->words ? row->words[0] : "one";
        snprintf(value, sizeof value, "[%s, %s]", one, one);
        is_wrong(place, value, "the same as entry 0; name each once");
    }
    if (row->pairs)
        is_wrong(place, "[a=1, b=2, a=1]", "a: given twice; keep one of the two");
}

static void wrong_values(const struct place *place, const struct file_row *row)
{
    static const char *const plain[] = {
        [VALUE_NAME] = "a/b",         [VALUE_NUMBER] = "1s",         [VALUE_WHOLE] = "2.5",
        [VALUE_TRUTH] = "yes",        [VALUE_WORD] = "no_such_word", [VALUE_RANGE] = "[1, 2, 3]",
        [VALUE_MAP] = "no_such_word", [VALUE_FORMAT] = "4000000000"};
    char value[TEXT_MAX] = "";
    const char *inside = is_list(row) ? "[%s]" : "%s";
    const char *wrong = row->type < sizeof plain / sizeof plain[0] ? plain[row->type] : NULL;
    if (row->type == VALUE_TEXT && row->words != NULL)
        wrong = plain[VALUE_WORD];
    if (row->brief)
        wrong = plain[VALUE_NAME];
    if (row->type == VALUE_TEXT && row->words == NULL) { // any text but one that is too long
        memset(value, 'z', row->size_B);
        value[row->size_B] = '\0';
        is_wrong(place, value, is_list(row) && !row->lone ? "list" : "too long");
    } else if (wrong != NULL && !row->keyed) {
        snprintf(value, sizeof value, inside, wrong); // NOLINT(clang-diagnostic-format-nonliteral)
        is_wrong(place, value, row->type == VALUE_RANGE ? "entries" : wrong);
    }
    wrong_words(place, row);
    if (row->type == VALUE_NUMBER && row->min < row->max) {
        snprintf(value, sizeof value, "%.17g", row->max * 2 + 1);
        is_wrong(place, value, is_list(row) && !row->lone ? "list" : "out of range");
    }
    if (row->type == VALUE_WHOLE && row->max > 0) {
        snprintf(value, sizeof value, "%.0f", row->max + 1);
        is_wrong(place, value, is_list(row) && !row->lone ? "list" : "out of range");
    }
    if (row->type == VALUE_RANGE)
        is_wrong(place, "[2, 1]", "swap them");
}

static void wrong_kinds(const struct place *place, const struct file_row *row)
{
    if (row->lone) // of which one value is a list, too
        is_wrong(place, "{one: two}", "belongs here");
    else if (row->keyed || is_list(row))
        is_wrong(place, "one", "belongs here");
    else if (row->type == VALUE_RANGE) // of which one value is a range, too
        is_wrong(place, "{one: two}", "belongs here");
    else if (row->type == VALUE_MAP)
        is_wrong(place, "[one]", "belongs here");
    else
        is_wrong(place, "{one: two}", "a mapping: a single value belongs here");
    if (!is_list(row))
        return;
    char many[TEXT_MAX] = "[one";
    for (unsigned i = 0; i < row->most; i++)
        text_add(many, sizeof many, ", one");
    is_wrong(place, strcat(many, "]"), "entries; give");
}

static void try_key(const struct place *place);

// NOLINTNEXTLINE(misc-no-recursion): no deeper than the tables
static void try_rows(const struct place *around, const struct file_row *rows)
{
    for (const struct file_row *row = rows; row->key != NULL; row++) {
        struct place place = *around;
        ck_assert_uint_lt(place.depth, DEPTH_MAX);
        place.row[place.depth++] = row;
        try_key(&place);
    }
}

// The map around it is empty, or nearly so.
static void leave_out(const struct place *place, const struct file_row *row)
{
    struct place around = *place;
    unsigned line = 1;
    if (--around.depth == 0) {
        snprintf(file_text, TEXT_MAX, "format: %g\n", place->top->max);
        *key_path = '\0';
    } else {
        const bool list = is_list(around.row[around.depth - 1]);
        line = write_file(&around, "", list ? "[{}]" : "{}");
        text_add(key_path, sizeof key_path, "%s.", list ? "[0]" : "");
    }
    text_add(key_path, sizeof key_path, "%s: missing", row->key);
    must_be_refused(place, line, "add it: ");
}

// NOLINTNEXTLINE(misc-no-recursion): no deeper than the tables
static void try_key(const struct place *place)
{
    const struct file_row *row = place->row[place->depth - 1];
    const bool named = place->depth > 1 && place->row[place->depth - 2]->keyed;
    keys++;
    if (row->type == VALUE_GONE) {
        is_wrong(place, "one", "not a key any more; write ");
        return;
    }
    if (named && row == place->row[place->depth - 2]->rows) { // the name itself
        struct place around = *place;
        around.depth--;
        char names[1024] = "{"; // longer than any name
        memset(names + 1, 'z', row->size_B);
        is_wrong(&around, strcat(names, ": 1}"), "too long");
        return;
    }
    wrong_values(place, row);
    if (row->type == VALUE_FORMAT)
        return;
    wrong_kinds(place, row);
    if (named)
        return;
    must_be_refused(place, write_file(place, "x", "one"), "unknown key");
    if (row->required)
        leave_out(place, row);
    if (row->type == VALUE_MAP)
        try_rows(place, row->rows);
}

START_TEST(each_key_of_each_file_made_wrong_is_refused_with_its_line_and_a_remedy)
{
    const struct file_row *const kinds[] = {target_rows,  scenario_rows, campaign_rows, family_rows,
                                            project_rows, storm_rows,    known_rows,    night_rows};
    make_folder(folder, sizeof folder);
    for (size_t i = 0; i < sizeof kinds / sizeof kinds[0]; i++)
        try_rows(&(struct place){.top = kinds[i]}, kinds[i]);
    ck_assert_uint_ge(keys, 200);
    ck_assert_uint_ge(mistakes, 3 * keys);
}
END_TEST

UNIT_MAIN("keys", each_key_of_each_file_made_wrong_is_refused_with_its_line_and_a_remedy)
