// Command lines: taken apart, given to all who know the name, kept only if all of them agree.
#include <ctype.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/text.h"
#include "walk/generator/walkgen_private.h"

const char *walkgen_reason(const struct walkgen *walkgen)
{
    return walkgen->trial.reason;
}

enum status walkgen_register(struct walkgen *walkgen, const struct walk_plugin *plugin)
{
    for (unsigned i = 0; i < WALK_PLUGINS_MAX; i++)
        if (walkgen->plugin[i] == NULL) {
            walkgen->plugin[i] = plugin;
            return STATUS_OK;
        }
    return STATUS_FULL;
}

// The k-th command there is; NULL: no more.
static const struct walk_command *command_at(const struct walkgen *walkgen, unsigned k)
{
    for (unsigned i = 0; i < WALK_PLUGINS_MAX && walkgen->plugin[i] != NULL; i++) {
        if (k < walkgen->plugin[i]->count)
            return &walkgen->plugin[i]->command[k];
        k -= walkgen->plugin[i]->count;
    }
    return NULL;
}

// Letters to change, put in or take out between two names; what counts for 1 less is the same but
// for its case.
static unsigned distance(const char *a, const char *b)
{
    unsigned row[WALK_WORD_MAX + 1];
    const size_t length = strlen(b);
    for (unsigned j = 0; j <= length; j++)
        row[j] = j;
    for (; *a != '\0'; a++) {
        unsigned corner = row[0]++;
        for (unsigned j = 1; j <= length; j++) {
            const bool same = tolower((unsigned char)*a) == tolower((unsigned char)b[j - 1]);
            unsigned best = corner + !same;
            corner = row[j];
            best = row[j - 1] + 1 < best ? row[j - 1] + 1 : best;
            row[j] = corner + 1 < best ? corner + 1 : best;
        }
    }
    return row[length];
}

static enum status unknown(struct walkgen *walkgen, const char *name)
{
    const struct walk_command *nearest = command_at(walkgen, 0), *command;
    unsigned least = distance(name, nearest->name);
    for (unsigned k = 1; (command = command_at(walkgen, k)) != NULL; k++) {
        const unsigned d = distance(name, command->name);
        if (d < least) {
            least = d;
            nearest = command;
        }
    }
    return walk_refuse(&walkgen->trial, "there is no command '%s'; the nearest is %s", name,
                       nearest->name);
}

// Copies the word at *text into `word` and moves on. INVALID: it is too long.
static enum status read_word(struct walk_trial *trial, const char **text, char *word)
{
    const size_t length = strcspn(*text, " \t\r\n");
    if (length >= WALK_WORD_MAX)
        return walk_refuse(trial, "'%.20s...' is longer than %d characters", *text,
                           WALK_WORD_MAX - 1);
    memcpy(word, *text, length);
    word[length] = '\0';
    *text += length;
    return STATUS_OK;
}

static const char *skip(const char *text)
{
    return text + strspn(text, " \t\r\n");
}

// Numbers up to the end of the line.
static enum status read_numbers(struct walk_trial *trial, const char *text, struct walk_line *line)
{
    for (text = skip(text); *text != '\0'; text = skip(text)) {
        char *end;
        const double number = strtod(text, &end);
        const size_t length = strcspn(text, " \t\r\n");
        if (end != text + length)
            return walk_refuse(trial, "%s: '%.*s' is not a number", line->name,
                               (int)(length < 20 ? length : 20), text);
        if (!isfinite(number))
            return walk_refuse(trial, "%s: '%.*s' is not finite", line->name,
                               (int)(length < 20 ? length : 20), text);
        if (line->count == WALK_NUMBERS_MAX)
            return walk_refuse(trial, "%s: more than %d numbers", line->name, WALK_NUMBERS_MAX);
        line->number[line->count++] = number;
        text = end;
    }
    return STATUS_OK;
}

static enum status read_line(struct walkgen *walkgen, const char *text)
{
    struct walk_trial *trial = &walkgen->trial;
    struct walk_line *line = &walkgen->line;
    line->word[0] = '\0';
    line->count = 0;
    text = skip(text);
    if (*text != ':')
        return walk_refuse(trial, "a command begins with a colon");
    enum status status = read_word(trial, &text, line->name);
    text = skip(text);
    if (status == STATUS_OK && isalpha((unsigned char)*text) && strncasecmp(text, "nan", 3) != 0 &&
        strncasecmp(text, "inf", 3) != 0)
        status = read_word(trial, &text, line->word);
    return status == STATUS_OK ? read_numbers(trial, text, line) : status;
}

// Whether a line has what a command takes.
static enum status fits(struct walk_trial *trial, const struct walk_command *command,
                        const struct walk_line *line)
{
    if (command->word && line->word[0] == '\0')
        return walk_refuse(trial, "%s: a word is missing: %s %s", line->name, command->name,
                           command->arguments);
    if (!command->word && line->word[0] != '\0')
        return walk_refuse(trial, "%s: '%s' is not a number", line->name, line->word);
    if (line->count < command->numbers_min)
        return walk_refuse(trial, "%s: %u number%s missing: %s %s", line->name,
                           command->numbers_min - line->count,
                           command->numbers_min - line->count == 1 ? " is" : "s are", command->name,
                           command->arguments);
    if (line->count > command->numbers_max)
        return walk_refuse(trial, "%s: %u number%s too many: %s %s", line->name,
                           line->count - command->numbers_max,
                           text_plural(line->count - command->numbers_max), command->name,
                           command->arguments);
    return STATUS_OK;
}

// Gains of the preview, when what they come from has changed.
static enum status take_gains(struct walkgen *walkgen)
{
    const struct walk_settings *was = &walkgen->request.settings;
    const struct walk_settings *is = &walkgen->trial.request.settings;
    if (was->period_s == is->period_s && was->window_s == is->window_s &&
        was->com_height_m == is->com_height_m && was->realisation == is->realisation)
        return walk_plan_set(walkgen, is);
    return walk_gains(walkgen, is);
}

// What is tried becomes what is asked for.
static enum status take_trial(struct walkgen *walkgen)
{
    enum status status = walk_request_check(&walkgen->trial);
    if (status == STATUS_OK)
        status = walk_reach_rest(&walkgen->trial);
    if (status == STATUS_OK)
        status = take_gains(walkgen);
    if (status != STATUS_OK)
        return status;
    walk_revise_take(walkgen);
    walkgen->request = walkgen->trial.request;
    return status;
}

static void forget_trial(struct walkgen *walkgen, bool patient)
{
    walkgen->trial.reason[0] = '\0';
    walkgen->trial.patient = patient;
    walkgen->searching = false;
}

// The line that has been read.
static enum status try_read(struct walkgen *walkgen)
{
    struct walk_trial *trial = &walkgen->trial;
    const struct walk_command *command;
    enum status status = STATUS_OK;
    unsigned takers = 0;
    trial->request = walkgen->request;
    walk_revise_offer(trial);
    for (unsigned k = 0; status == STATUS_OK && (command = command_at(walkgen, k)) != NULL; k++) {
        if (strcmp(command->name, walkgen->line.name) != 0)
            continue;
        takers++;
        status = fits(trial, command, &walkgen->line);
        if (status == STATUS_OK)
            status = command->take(trial, &walkgen->line);
    }
    if (status != STATUS_OK)
        return status;
    if (takers == 0)
        return unknown(walkgen, walkgen->line.name);
    return take_trial(walkgen);
}

static enum status try_line(struct walkgen *walkgen, const char *text, bool patient)
{
    forget_trial(walkgen, patient);
    const enum status status = read_line(walkgen, text);
    return status == STATUS_OK ? try_read(walkgen) : status;
}

enum status walkgen_call(struct walkgen *walkgen, const char *name, const double *number,
                         unsigned count)
{
    struct walk_line *line = &walkgen->line;
    forget_trial(walkgen, false);
    *line = (struct walk_line){.count = 0};
    if (strlen(name) >= WALK_WORD_MAX || count > WALK_NUMBERS_MAX)
        return walk_refuse(&walkgen->trial, "a name or a list that is too long");
    memcpy(line->name, name, strlen(name));
    for (; line->count < count; line->count++) {
        line->number[line->count] = number[line->count];
        if (!isfinite(number[line->count]))
            return walk_refuse(&walkgen->trial, "%s: a number is not finite", line->name);
    }
    return try_read(walkgen);
}

enum status walkgen_command(struct walkgen *walkgen, const char *text)
{
    return try_line(walkgen, text, false);
}

enum status walkgen_begin(struct walkgen *walkgen, const char *text)
{
    const enum status status = try_line(walkgen, text, true);
    walkgen->searching = status == STATUS_BUSY;
    return status;
}

enum status walkgen_go_on(struct walkgen *walkgen, unsigned periods)
{
    if (!walkgen->searching)
        return walk_refuse(&walkgen->trial, "no line has been begun");
    const enum status status = walk_search_go_on(&walkgen->trial, periods);
    walkgen->searching = status == STATUS_BUSY;
    return status == STATUS_OK ? take_trial(walkgen) : status;
}

enum status walkgen_step_add(struct walkgen *walkgen, const struct walk_step *step)
{
    walkgen->trial.reason[0] = '\0';
    walkgen->searching = false;
    walkgen->trial.request = walkgen->request;
    walk_revise_offer(&walkgen->trial);
    if (step->over != 0)
        return walk_refuse(&walkgen->trial, "a step over an obstacle is planned; see :walkmode 2");
    enum status status = walk_request_add(&walkgen->trial, step);
    if (status == STATUS_OK)
        status = walk_reach_rest(&walkgen->trial);
    if (status != STATUS_OK)
        return status;
    walk_revise_take(walkgen);
    walkgen->request = walkgen->trial.request;
    return status;
}
