#include "harness/history/message_header.h"

#include <stdbool.h>
#include <string.h>

#include "harness/history/message_line_private.h"

#define NESTED_MAX 64

struct writer {
    const char *text;
    FILE *out;
    unsigned depth, nested_count;
    const char *nested[NESTED_MAX]; // lines of those that are printed already
};

static const char *own_name(const char *type)
{
    const char *slash = strrchr(type, '/');
    return slash == NULL ? type : slash + 1;
}

// "# text" as "// text", and the end of the line.
static void print_comment(FILE *out, const char *before, const char *at)
{
    at += strspn(at, " \t\r");
    int length = (int)strcspn(at, "\r\n");
    if (*at != '#')
        length = 0;
    else if (at[length - 1] == '\\') // would go on in the next line
        length--;
    fprintf(out, "%s%s%.*s\n", length > 0 ? before : "", length > 0 ? "//" : "",
            length > 0 ? length - 1 : 0, at + 1);
}

static void print_field(const struct writer *writer, const struct message_line *line)
{
    const struct message_basic *basic = message_basic(line->type);
    fprintf(writer->out, "    %s%s %s", basic != NULL ? "" : "struct ",
            basic != NULL ? basic->c : own_name(line->type), line->name);
    if (line->shape != MESSAGE_ONE)
        fprintf(writer->out, "[%zu]", line->count);
    fputc(';', writer->out);
    print_comment(writer->out, " ", line->rest);
}

// NOLINTBEGIN(misc-no-recursion): as deep as message_measure allows
static void print_type(struct writer *writer, const char *lines, const char *name);

static void print_nested(struct writer *writer, const char *type)
{
    const char *lines = message_nested(writer->text, type);
    for (unsigned i = 0; i < writer->nested_count; i++)
        if (writer->nested[i] == lines)
            return;
    // Other messages may have it, too.
    fprintf(writer->out, "#ifndef UKEMI_STRUCT_%s\n#define UKEMI_STRUCT_%s\n", own_name(type),
            own_name(type));
    print_type(writer, lines, own_name(type));
    fputs("#endif\n", writer->out);
    writer->nested[writer->nested_count++] = lines;
}

static void print_type(struct writer *writer, const char *lines, const char *name)
{
    struct message_line line;
    char words[96];
    for (const char *at = lines; *at != '\0' && *at != '='; at = message_line_next(at))
        if (!message_line_is_blank(at) && message_line_read(at, &line, words, sizeof words) &&
            message_basic(line.type) == NULL && writer->nested_count < NESTED_MAX)
            print_nested(writer, line.type);
    const char *at = lines;
    for (; *at == '#'; at = message_line_next(at)) // what is said of the whole
        print_comment(writer->out, "", at);
    fprintf(writer->out, "struct %s {\n", name);
    for (; *at != '\0' && *at != '='; at = message_line_next(at))
        if (!message_line_is_blank(at) && message_line_read(at, &line, words, sizeof words))
            print_field(writer, &line);
        else if (at[strspn(at, " \t\r")] == '#')
            print_comment(writer->out, "    ", at);
    fputs("};\n", writer->out);
}
// NOLINTEND(misc-no-recursion)

enum status message_header(const char *text, const char *name, const char *file, FILE *out,
                           struct message_mistake *mistake)
{
    struct writer writer = {.text = text, .out = out};
    struct message_layout layout;
    const enum status status = message_measure(text, &layout, mistake);
    if (status != STATUS_OK)
        return status;
    if (layout.element_size_B != 0 && layout.elements_max == 0) {
        *mistake = (struct message_mistake){
            .line = 1,
            .words = "a sequence without a bound has no C structure; write TYPE[<=COUNT] NAME"};
        return STATUS_INVALID;
    }
    fprintf(out,
            "// Made from %s by `ukemi header`; change that file.\n#pragma once\n\n"
            "#include <assert.h>\n#include <stdint.h>\n\n",
            file);
    print_type(&writer, text, name);
    fprintf(out, "static_assert(sizeof(struct %s) == %zu, \"as the message has it\");\n", name,
            layout.size_B + layout.elements_max * layout.element_size_B);
    return STATUS_OK;
}
