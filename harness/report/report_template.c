#include "harness/report/report_template.h"

#include <limits.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "base/log.h"
#include "harness/store/database.h"
#include "harness/report/report_plot.h"

struct tag {
    char kind;        // '#', '^', '/', '>', '<', '!', '&', or 0 for a value
    const char *name; // within the template
    size_t length;
    int pad;                    // 0: none; < 0: at the right
    const char *before, *after; // text ends and goes on here
};

struct span {
    const char *from, *to;
};

static int line_of(const char *start, const char *place)
{
    int line = 1;
    for (; start < place; start++)
        line += *start == '\n';
    return line;
}

// A section's or a part's tag alone on its line swallows the line.
static void trim_line(struct tag *tag, const char *start, const char *end)
{
    const char *before = tag->before, *after = tag->after;
    while (before > start && (before[-1] == ' ' || before[-1] == '\t'))
        before--;
    while (after < end && (*after == ' ' || *after == '\t'))
        after++;
    const bool line_start = before == start || before[-1] == '\n';
    if (line_start && after < end && *after == '\n') {
        tag->before = before;
        tag->after = after + 1;
    }
}

// Finds the next tag in [from, end); `start` is where the whole text begins.
static bool next_tag(const char *start, const char *from, const char *end, struct tag *tag)
{
    const char *open = from;
    do {
        open = memmem(open, (size_t)(end - open), "{{", 2);
        if (!open)
            return false;
        if (open + 2 < end && open[2] == '{')
            open++; // a brace of the text stands before the tag: \textbf{{{name}}}
        else
            break;
    } while (true);
    const char *close = memmem(open, (size_t)(end - open), "}}", 2);
    if (!close)
        return false;
    *tag = (struct tag){.before = open, .after = close + 2};
    const char *name = open + 2;
    if (strchr("#^/><!&", *name))
        tag->kind = *name++;
    const char *bar = memchr(name, '|', (size_t)(close - name));
    tag->name = name;
    tag->length = (size_t)((bar ? bar : close) - name);
    const long pad = bar ? strtol(bar + 1, NULL, 10) : 0; // ends at the closing braces
    tag->pad = pad > REPORT_PAD_MAX    ? REPORT_PAD_MAX + 1
               : pad < -REPORT_PAD_MAX ? -REPORT_PAD_MAX - 1
                                       : (int)pad;
    if (tag->kind && strchr("#^/!<", tag->kind))
        trim_line(tag, start, end);
    return true;
}

// The tag that closes section `name`; *inner is what lies between.
static bool find_end(const char *start, const char *end, const struct tag *opening,
                     struct tag *closing)
{
    const char *from = opening->after;
    while (next_tag(start, from, end, closing)) {
        if (closing->kind == '/' && closing->length == opening->length &&
            memcmp(closing->name, opening->name, opening->length) == 0)
            return true;
        from = closing->after;
    }
    return false;
}

static enum status render_span(struct report_renderer *renderer, const char *start,
                               struct span span, const struct report_scope *scope);

static enum status put_value(struct report_renderer *renderer, const char *start,
                             const struct tag *tag, const struct report_scope *scope)
{
    const char *value = report_value(scope, tag->name, tag->length);
    if (!value) {
        char hint[NEAREST_HINT_MAX];
        log_error("%s/%s:%d: {{%.*s}}: no such column in reach%s; name one of a query around it",
                  renderer->files->page, renderer->file, line_of(start, tag->before),
                  (int)tag->length, tag->name,
                  report_value_hint(scope, tag->name, tag->length, hint));
        return STATUS_INVALID;
    }
    if (abs(tag->pad) > REPORT_PAD_MAX) {
        log_error("%s/%s:%d: {{%.*s|...}}: pads to more than %d characters; give a smaller number",
                  renderer->files->page, renderer->file, line_of(start, tag->before),
                  (int)tag->length, tag->name, REPORT_PAD_MAX);
        return STATUS_INVALID;
    }
    const int gap = abs(tag->pad) - report_width(value);
    if (tag->pad < 0 && gap > 0)
        fprintf(renderer->out, "%*s", gap, "");
    if (tag->kind == '&')
        fputs(value, renderer->out);
    else
        report_escape(renderer->out, renderer->format, value);
    if (tag->pad > 0 && gap > 0)
        fprintf(renderer->out, "%*s", gap, "");
    return STATUS_OK;
}

static void say_no_rows(const struct report_renderer *renderer, int line, const struct tag *opening,
                        enum status status)
{
    const int length = (int)opening->length;
    if (status == STATUS_NOT_FOUND)
        log_error("%s/%s:%d: {{%c%.*s}}: no column %.*s in reach, and no query %.*s.sql in %s or "
                  "%s; add the file, or rename the section",
                  renderer->files->page, renderer->file, line, opening->kind, length, opening->name,
                  length, opening->name, length, opening->name, renderer->files->page,
                  renderer->files->common);
    else
        log_error("%s/%s:%d: {{%c%.*s}}: its query cannot be run; see above what is wrong with it",
                  renderer->files->page, renderer->file, line, opening->kind, length,
                  opening->name);
}

// The rows of a section's query, one after the other.
// NOLINTNEXTLINE(misc-no-recursion): put_section bounds the depth by REPORT_NESTING_MAX
static enum status put_rows(struct report_renderer *renderer, const char *start,
                            const struct tag *opening, struct span inner,
                            const struct report_scope *scope)
{
    char name[64];
    snprintf(name, sizeof name, "%.*s", (int)opening->length, opening->name);
    struct report_scope row = {.outer = scope};
    enum status status = report_query(renderer->database, renderer->files, name, scope, &row.row);
    if (status != STATUS_OK) {
        say_no_rows(renderer, line_of(start, opening->before), opening, status);
        return STATUS_INVALID;
    }
    int step = SQLITE_DONE;
    bool any = false;
    while (status == STATUS_OK && (step = sqlite3_step(row.row)) == SQLITE_ROW) {
        any = true;
        if (opening->kind == '^')
            break;
        status = render_span(renderer, start, inner, &row);
    }
    if (status == STATUS_OK && step != SQLITE_ROW && step != SQLITE_DONE) {
        log_error("%s/%s.sql: %s", renderer->files->page, name, sqlite3_errmsg(renderer->database));
        (void)database_note_trouble(renderer->database);
        status = STATUS_INVALID;
    }
    sqlite3_finalize(row.row);
    if (status == STATUS_OK && opening->kind == '^' && !any)
        status = render_span(renderer, start, inner, scope);
    return status;
}

// NOLINTNEXTLINE(misc-no-recursion): bounded here by REPORT_NESTING_MAX
static enum status put_section(struct report_renderer *renderer, const char *start,
                               const struct tag *opening, struct span inner,
                               const struct report_scope *scope)
{
    if (renderer->depth >= REPORT_NESTING_MAX) {
        log_error("%s/%s:%d: sections nest deeper than %d", renderer->files->page, renderer->file,
                  line_of(start, opening->before), REPORT_NESTING_MAX);
        return STATUS_INVALID;
    }
    renderer->depth++;
    enum status status = STATUS_OK;
    const char *value = report_value(scope, opening->name, opening->length);
    if (!value)
        status = put_rows(renderer, start, opening, inner, scope);
    else if ((*value != '\0') == (opening->kind == '#'))
        status = render_span(renderer, start, inner, scope);
    renderer->depth--;
    return status;
}

static enum status put_plot(struct report_renderer *renderer, const struct tag *tag,
                            const struct report_scope *scope)
{
    char name[64];
    snprintf(name, sizeof name, "%.*s", (int)tag->length, tag->name);
    return report_plot(renderer->plotter, name, scope, renderer->out);
}

// A text that stands for its tag; errors in it are its file's.
// NOLINTNEXTLINE(misc-no-recursion): bounded here by REPORT_NESTING_MAX
static enum status put_part(struct report_renderer *renderer, const char *file, const char *text,
                            const struct report_scope *scope)
{
    const char *const around = renderer->file;
    if (renderer->depth >= REPORT_NESTING_MAX) {
        log_error("%s/%s: files and sections nest deeper than %d", renderer->files->page, file,
                  REPORT_NESTING_MAX);
        return STATUS_INVALID;
    }
    renderer->depth++;
    renderer->file = file;
    const enum status status = report_render(renderer, text, scope);
    renderer->file = around;
    renderer->depth--;
    return status;
}

// NOLINTNEXTLINE(misc-no-recursion): put_part bounds the depth by REPORT_NESTING_MAX
static enum status put_file(struct report_renderer *renderer, const char *start,
                            const struct tag *tag, const struct report_scope *scope)
{
    char name[NAME_MAX + 1], path[2 * PATH_MAX_LENGTH], *text;
    snprintf(name, sizeof name, "%.*s", (int)tag->length, tag->name);
    if (strchr(name, '/') != NULL ||
        report_read_file(report_files_find(renderer->files, name, path), &text) != STATUS_OK) {
        log_error("%s/%s:%d: {{<%.*s}}: there is no such file beside the template, nor in common/",
                  renderer->files->page, renderer->file, line_of(start, tag->before),
                  (int)tag->length, tag->name);
        return STATUS_INVALID;
    }
    const char *ending = strrchr(name, '.');
    enum status status = STATUS_OK;
    if (ending != NULL && strcmp(ending, ".css") == 0)
        fputs(text, renderer->out);
    else
        status = put_part(renderer, name, text, scope);
    free(text);
    return status;
}

// NOLINTNEXTLINE(misc-no-recursion): put_section bounds the depth by REPORT_NESTING_MAX
static enum status render_span(struct report_renderer *renderer, const char *start,
                               struct span span, const struct report_scope *scope)
{
    const char *from = span.from;
    struct tag tag;
    enum status status = STATUS_OK;
    while (status == STATUS_OK && next_tag(start, from, span.to, &tag)) {
        fwrite(from, 1, (size_t)(tag.before - from), renderer->out);
        from = tag.after;
        struct tag closing;
        switch (tag.kind) {
        case '!':
            break;
        case '<':
            status = put_file(renderer, start, &tag, scope);
            break;
        case '>':
            status = put_plot(renderer, &tag, scope);
            break;
        case '#':
        case '^':
            if (find_end(start, span.to, &tag, &closing)) {
                status = put_section(renderer, start, &tag,
                                     (struct span){tag.after, closing.before}, scope);
                from = closing.after;
                break;
            }
            __attribute__((fallthrough)); // a section without end
        case '/':
            log_error("%s/%s:%d: {{%c%.*s}} has no partner", renderer->files->page, renderer->file,
                      line_of(start, tag.before), tag.kind, (int)tag.length, tag.name);
            status = STATUS_INVALID;
            break;
        default:
            status = put_value(renderer, start, &tag, scope);
        }
    }
    if (status == STATUS_OK)
        fwrite(from, 1, (size_t)(span.to - from), renderer->out);
    return status;
}

// NOLINTNEXTLINE(misc-no-recursion): put_part bounds the depth by REPORT_NESTING_MAX
enum status report_render(struct report_renderer *renderer, const char *text,
                          const struct report_scope *scope)
{
    return render_span(renderer, text, (struct span){text, text + strlen(text)}, scope);
}
