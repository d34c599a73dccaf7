#include "targets/bioloid/door_line.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define WORDS_MAX 28
#define DEGREE (3.14159265358979323846 / 180)
#define ANGLE_MAX_DEG 150 // of an AX-12
#define DURATION_MIN_S 0.02
#define DURATION_MAX_S 60
#define RATE_MAX_HZ 50
#define REPEAT_MAX 100

struct words {
    unsigned count;
    char *word[WORDS_MAX];
    char text[DOOR_LINE_MAX];
};

static bool split(const char *line, struct words *words)
{
    char *rest;
    const size_t length = strlen(line);
    if (length >= sizeof words->text)
        return false;
    memcpy(words->text, line, length + 1);
    words->count = 0;
    for (char *word = strtok_r(words->text, " \t\r", &rest); word != NULL;
         word = strtok_r(NULL, " \t\r", &rest)) {
        if (words->count == WORDS_MAX)
            return false;
        words->word[words->count++] = word;
    }
    return words->count > 0;
}

// A plain decimal number, as in 12, -0.5 or 1e2.
static bool read_number(const char *text, double low, double high, double *number)
{
    char *end;
    if (text[strspn(text, "+-.0123456789eE")] != '\0')
        return false;
    *number = strtod(text, &end);
    return end != text && *end == '\0' && isfinite(*number) && *number >= low && *number <= high;
}

static bool read_whole(const char *text, unsigned high, unsigned *number)
{
    double read;
    if (!read_number(text, 0, high, &read) || read != floor(read))
        return false;
    *number = (unsigned)read;
    return true;
}

static const char *read_name(const char *text, struct door_request *request)
{
    const size_t length = strlen(text);
    if (length >= sizeof request->name || strchr(text, '/') != NULL || text[0] == '.')
        return "not a name; write one of at most 31 characters, without a slash";
    memcpy(request->name, text, length + 1);
    return NULL;
}

static const char *read_joint(char *word, struct door_request *request)
{
    unsigned servo;
    double value;
    char *equals = strchr(word, '=');
    if (equals == NULL)
        return "not N=DEGREES; write for example 3=-20";
    *equals = '\0';
    if (strcmp(word, "in") == 0)
        return read_number(equals + 1, DURATION_MIN_S, DURATION_MAX_S, &request->duration_s)
                   ? NULL
                   : "in= takes 0.02 to 60 s";
    if (!read_whole(word, MOVEMENT_SERVOS - 1, &servo) || servo == 0)
        return "no such servo; name 1 to 25";
    if (!read_number(equals + 1, -ANGLE_MAX_DEG, ANGLE_MAX_DEG, &value))
        return "an angle is a number from -150 to 150 degrees";
    if ((request->servos & 1u << servo) != 0)
        return "a servo is named twice; name it once";
    request->servos |= 1u << servo;
    request->angle_rad[servo] = value * DEGREE;
    return NULL;
}

static const char *read_joints(struct words *words, struct door_request *request)
{
    const char *why = NULL;
    request->duration_s = 1;
    for (unsigned i = 1; i < words->count && why == NULL; i++)
        why = read_joint(words->word[i], request);
    if (why == NULL && request->servos == 0)
        why = "no servo is named; write for example joints 3=-20 4=20 in=1";
    return why;
}

static const char *read_stream(struct words *words, struct door_request *request)
{
    return words->count == 2 && read_number(words->word[1], 0, RATE_MAX_HZ, &request->rate_hz)
               ? NULL
               : "stream takes a rate, 0 to 50 Hz";
}

static const char *read_play(struct words *words, struct door_request *request)
{
    char name[DOOR_LINE_MAX] = "";
    unsigned count = words->count;
    if (count < 2)
        return "play takes a movement, and how often if that is not as it says";
    if (count > 2 && read_whole(words->word[count - 1], REPEAT_MAX, &request->repeat))
        count--;
    for (unsigned i = 1; i < count; i++) { // a name may consist of several words
        const size_t used = strlen(name);
        snprintf(name + used, sizeof name - used, "%s%s", i > 1 ? " " : "", words->word[i]);
    }
    return read_name(name, request);
}

static const char *read_script(struct words *words, struct door_request *request)
{
    if (words->count != 2)
        return "script takes a file of the folder scripts, or off";
    return strcmp(words->word[1], "off") == 0 ? NULL : read_name(words->word[1], request);
}

static const char *read_nothing(struct words *words, struct door_request *request)
{
    (void)request;
    return words->count == 1 ? NULL : "takes nothing behind it; leave that out";
}

static const struct {
    const char *word;
    enum door_kind kind;
    const char *(*read)(struct words *words, struct door_request *request);
} lines[] = {
    {"hello", DOOR_HELLO, read_nothing},  {"get", DOOR_GET, read_nothing},
    {"stream", DOOR_STREAM, read_stream}, {"joints", DOOR_JOINTS, read_joints},
    {"play", DOOR_PLAY, read_play},       {"leave", DOOR_LEAVE, read_nothing},
    {"stop", DOOR_STOP, read_nothing},    {"script", DOOR_SCRIPT, read_script},
};

enum status door_parse(const char *line, struct door_request *request, const char **why)
{
    struct words words;
    *request = (struct door_request){0};
    *why = "not a line of words; write at most 255 characters";
    if (!split(line, &words))
        return STATUS_INVALID;
    for (size_t i = 0; i < sizeof lines / sizeof lines[0]; i++) {
        if (strcmp(words.word[0], lines[i].word) != 0)
            continue;
        request->kind = lines[i].kind;
        *why = lines[i].read(&words, request);
        return *why == NULL ? STATUS_OK : STATUS_INVALID;
    }
    *why = "no such word; use hello, get, stream, joints, play, leave, stop or script";
    return STATUS_INVALID;
}
