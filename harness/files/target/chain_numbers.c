#include "harness/files/target/chain_numbers.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/nearest.h"
#include "harness/files/target/target.h"
#include "harness/history/schema.h"

#define BYTES_OFFSET_MAX 65535

static const struct {
    const char *key;
    bool time;
} uses[LINK_FIELD_USES] = {[LINK_IS] = {"is", false},       [LINK_ANSWERS] = {"answers", false},
                           [LINK_CYCLE] = {"cycle", false}, [LINK_TAKEN] = {"taken", true},
                           [LINK_AT] = {"at", true},        [LINK_BEGINS] = {"begins", true}};

// ---- one number ---------------------------------------------------------------------------------

struct finding {
    const char *path;
    struct message_field *field;
    bool found;
};

// "frame[0].can_id" is "can_id" of a frame.
static void look(void *context, const char *path, const struct message_field *field)
{
    struct finding *finding = context;
    const char *dot = strchr(path, '.');
    if (dot == NULL)
        return;
    if (strcmp(dot + 1, finding->path) == 0) {
        *finding->field = *field;
        finding->found = true;
    }
}

static bool find_field(const struct link_config *link, const struct schema *schema,
                       const char *path, struct message_field *field)
{
    struct finding finding = {.path = path, .field = field};
    if (link->kind == LINK_CHANNEL || link->kind == LINK_CALLS)
        return message_find(schema->fields, path, field) && field->group == 0;
    message_each_of_sequence(schema->fields, SCHEMA_SIZE_MAX_B, look, &finding);
    return finding.found;
}

// "12:u32be": bytes of a frame, or of a message's array of bytes.
static bool find_bytes(const struct link_config *link, const struct schema *schema,
                       const char *text, struct message_field *field)
{
    static const char *const arrays[] = {"data[0]", "head[0]", "bytes[0]"};
    char *end;
    errno = 0;
    const unsigned long offset = strtoul(text, &end, 10);
    if (end == text || strncmp(end, ":u", 2) != 0 || errno != 0 || offset > BYTES_OFFSET_MAX)
        return false;
    const unsigned long bits = strtoul(end + 2, &end, 10);
    const bool high_first = strcmp(end, "be") == 0;
    if ((bits != 8 && bits != 16 && bits != 32 && bits != 64) || (*end != '\0' && !high_first))
        return false;
    for (size_t i = 0; i < sizeof arrays / sizeof arrays[0]; i++)
        if (find_field(link, schema, arrays[i], field) && field->width_B == 1) {
            field->offset_B += offset;
            field->width_B = (unsigned)bits / 8;
            field->kind = high_first ? 'b' : 'u';
            return true;
        }
    return false;
}

static int64_t unit_of(const char *text)
{
    static const struct {
        const char *ending;
        int64_t ns;
    } units[] = {{"_ns", 1}, {"_us", 1000}, {"_ms", 1000000}, {"_s", 1000000000}};
    const size_t length = strlen(text);
    for (size_t i = 0; i < sizeof units / sizeof units[0]; i++) {
        const size_t ending = strlen(units[i].ending);
        if (length > ending && strcmp(text + length - ending, units[i].ending) == 0)
            return units[i].ns;
    }
    return 0;
}

// A field may stand behind its channel's name. NULL, complained of: behind another one's.
static const char *without_channel(struct yaml_source *source, const char *key, const char *text,
                                   const struct link_config *link, const struct schema *schema)
{
    struct message_field field;
    const size_t length = strlen(link->topic);
    if (strncmp(text, link->topic, length) == 0 && text[length] == '.')
        return text + length + 1;
    const char *dot = strchr(text, '.');
    if (dot == NULL || find_field(link, schema, text, &field))
        return text;
    yaml_complain(source, key,
                  "%s: this link's messages are those of %s, which have no such field; write "
                  "%s.FIELD",
                  text, link->topic, link->topic);
    return NULL;
}

struct hinting {
    struct nearest nearest;
    bool frames;
    char best[MESSAGE_PATH_MAX]; // paths are the visit's
};

static void hint(void *context, const char *path, const struct message_field *field)
{
    struct hinting *hinting = context;
    const char *dot = strchr(path, '.');
    const char *name = hinting->frames && dot != NULL ? dot + 1 : path;
    (void)field;
    nearest_try(&hinting->nearest, name);
    if (hinting->nearest.name == name) {
        snprintf(hinting->best, sizeof hinting->best, "%s", name);
        hinting->nearest.name = hinting->best;
    }
}

static void complain_of_field(struct yaml_source *source, const char *key, const char *text,
                              const struct link_config *link, const struct schema *schema)
{
    char words[NEAREST_HINT_MAX];
    struct hinting hinting = {.nearest = {.word = text},
                              .frames = link->kind == LINK_BUS || link->kind == LINK_FRAMES};
    if (hinting.frames)
        message_each_of_sequence(schema->fields, SCHEMA_SIZE_MAX_B, hint, &hinting);
    else
        message_each(schema->fields, SCHEMA_SIZE_MAX_B, hint, &hinting);
    yaml_complain(source, key, "%s: %s of %s have no such number%s; see %s", text,
                  hinting.frames ? "frames" : "messages", link->topic,
                  nearest_hint(&hinting.nearest, words), link->message);
}

void chain_number_check(struct yaml_source *source, const char *key, const char *text, bool time,
                        const struct link_config *link, struct link_number *number)
{
    const struct schema *schema = schema_find(link->message);
    if (schema == NULL) // complained of where its channel is named
        return;
    const char *path = without_channel(source, key, text, link, schema);
    if (path == NULL)
        return;
    number->unit_ns = unit_of(path);
    if (!find_field(link, schema, path, &number->field) &&
        !find_bytes(link, schema, path, &number->field))
        complain_of_field(source, key, path, link, schema);
    else if (time && number->unit_ns == 0)
        yaml_complain(source, key,
                      "%s: a time's name ends in its unit: _ns, _us, _ms or _s; name such a field",
                      text);
    else if (!time && number->field.kind == 'f' && link->kind != LINK_CHANNEL)
        yaml_complain(source, key, "%s: a real number; name a whole one, which is exact", text);
    else
        number->given = true;
}

// ---- all of a link's ----------------------------------------------------------------------------

// Two real numbers are rarely the same; those of a line that was printed are as it was printed.
static void check_exact(struct yaml_source *source, const struct target *target, const char *key,
                        const char *text, const struct link_config *link,
                        struct link_number *number)
{
    bool line = false;
    for (unsigned i = 0; i < target->tap_count; i++)
        line |=
            target->tap[i].kind == TAP_STDOUT && strcmp(target->tap[i].channel, link->topic) == 0;
    if (number->given && number->field.kind == 'f' && !line)
        yaml_complain(source, key, "%s: a real number; name a whole one, which is exact", text);
}

static void check_only(struct yaml_source *source, const char *key, struct link_config *link)
{
    for (unsigned i = 0; i < link->only_count; i++) {
        char path[LINK_FIELD_MAX];
        char *end = NULL;
        struct link_number number = {0};
        const size_t length = strcspn(link->only[i], "=");
        snprintf(path, sizeof path, "%.*s", (int)length, link->only[i]);
        const char *value = link->only[i] + length + (link->only[i][length] == '=');
        errno = 0;
        link->wanted[i].value = strtoll(value, &end, 0);
        if (end == value || *end != '\0' || errno != 0)
            yaml_complain(source, key, "%s: '%s' is not a whole number; write FIELD=NUMBER",
                          link->only[i], value);
        else
            chain_number_check(source, key, path, false, link, &number);
        link->wanted[i].field = number.field;
    }
}

// Frames are told apart by when they ended.
static void check_frames(struct yaml_source *source, const char *key, struct link_config *link)
{
    const struct schema *schema = schema_find(link->message);
    struct message_field field;
    if (link->number[LINK_AT].given || schema == NULL)
        return;
    if (find_field(link, schema, "time_ns", &field))
        link->number[LINK_AT] = (struct link_number){.given = true, .field = field, .unit_ns = 1};
    else
        yaml_complain(source, key,
                      "%s: its messages end in no frames with a time_ns; name it as `channel`",
                      link->topic);
}

void chain_numbers_check(struct yaml_source *source, const struct target *target, unsigned c,
                         unsigned k, struct link_config *link)
{
    const bool combined = link->kind == LINK_LAST_OF || link->kind == LINK_FIRST_OF;
    for (unsigned use = 0; use < LINK_FIELD_USES; use++) {
        const char *const text = link->text[use];
        const struct yaml_key key = yaml_key("chains[%u].links[%u].%s", c, k, uses[use].key);
        if (text[0] == '\0')
            continue;
        if (use == LINK_TAKEN && strcmp(text, LINK_READINGS) == 0 &&
            target->description[0] != '\0' && link->kind == LINK_CHANNEL) {
            link->readings = true;
            continue;
        }
        if (combined) {
            yaml_complain(source, key.text,
                          "%s: a link of other links has no messages; leave it out", text);
            continue;
        }
        chain_number_check(source, key.text, text, uses[use].time, link, &link->number[use]);
        if (!uses[use].time)
            check_exact(source, target, key.text, text, link, &link->number[use]);
    }
    check_only(source, yaml_key("chains[%u].links[%u].only", c, k).text, link);
    if (link->kind == LINK_BUS || link->kind == LINK_FRAMES)
        check_frames(source, yaml_key("chains[%u].links[%u]", c, k).text, link);
}
