#include "harness/history/message_header.h"

#include <ctype.h>
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

// Words that C (to C23), C++ (to C++20) or the compiler's own macros take for something else.
static bool is_reserved(const char *name)
{
    static const char words[] =
        " alignas alignof and and_eq asm assert auto bitand bitor bool break case catch"
        " char char16_t char32_t char8_t class co_await co_return co_yield compl concept"
        " const const_cast consteval constexpr constinit continue decltype default delete"
        " do double dynamic_cast else enum errno explicit export extern false float for"
        " friend goto i386 if inline int linux long mutable namespace new noexcept not"
        " not_eq nullptr operator or or_eq private protected public register"
        " reinterpret_cast requires restrict return short signed sizeof static"
        " static_assert static_cast struct switch template this thread_local throw true"
        " try typedef typeid typename typeof typeof_unqual union unix unsigned using"
        " virtual void volatile wchar_t while xor xor_eq NULL EOF NAN INFINITY"
        " ";
    char word[MESSAGE_NAME_MAX_B + 2];
    snprintf(word, sizeof word, " %s ", name);
    if (strstr(words, word) != NULL)
        return true;
    return name[0] == '_' && (name[1] == '_' || isupper((unsigned char)name[1]));
}

// Prints "POLE_" for a structure pole_message: constants are macros, which have no scope.
static void print_prefix(FILE *out, const char *name)
{
    const size_t length = strlen(name), ending = strlen("_message");
    const bool message = length > ending && strcmp(name + length - ending, "_message") == 0;
    for (size_t i = 0; i < (message ? length - ending : length); i++)
        fputc(toupper((unsigned char)name[i]), out);
    fputc('_', out);
}

static void print_constants(FILE *out, const char *at, const char *name)
{
    struct message_constant constant;
    char words[96];
    for (; *at != '\0' && *at != '='; at = message_line_next(at)) {
        if (!message_line_constant(at, &constant, words, sizeof words))
            continue;
        const struct message_basic *basic = message_basic(constant.type);
        const int truth = strcmp(basic->name, "bool") == 0 ? message_truth(&constant) : -1;
        fputs("#define ", out);
        print_prefix(out, name);
        fprintf(out, "%s ((%s)%.*s%s)", constant.name, basic->c,
                truth >= 0 ? 1 : (int)constant.length,
                truth < 0   ? constant.value
                : truth > 0 ? "1"
                            : "0",
                truth < 0 && basic->kind == 'u' && basic->width_B == 8 ? "u" : "");
        print_comment(out, " ", constant.value + constant.length);
    }
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
    print_constants(writer->out, lines, name);
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

// Whether every name of the text, and of the types that its message uses or not, is one in C.
static bool check_names(const char *text, const char *name, struct message_mistake *mistake)
{
    struct message_line line;
    char words[96], type[MESSAGE_NAME_MAX_B];
    unsigned number = 1;
    for (const char *at = text; *at != '\0'; at = message_line_next(at), number++) {
        const bool is_type = strncmp(at, MESSAGE_TYPE, strlen(MESSAGE_TYPE)) == 0;
        const char *found = NULL, *word = at + strlen(MESSAGE_TYPE);
        if (is_type && (word += strspn(word, " \t"), message_word(&word, type)))
            found = own_name(type);
        else if (!message_line_is_blank(at) && *at != '=' &&
                 message_line_read(at, &line, words, sizeof words))
            found = line.name;
        if (found == NULL || !(is_reserved(found) || (is_type && strcmp(found, name) == 0)))
            continue;
        mistake->line = number;
        snprintf(mistake->words, sizeof mistake->words, "'%s' %s; rename it, as in %s_%s", found,
                 is_reserved(found) ? "is a word of C or C++" : "is the message's own structure",
                 found, is_type ? "part" : "value");
        return false;
    }
    return true;
}

enum status message_header(const char *text, const char *name, const char *file, FILE *out,
                           struct message_mistake *mistake)
{
    struct writer writer = {.text = text, .out = out};
    struct message_layout layout;
    const enum status status = message_measure(text, &layout, mistake);
    if (status != STATUS_OK)
        return status;
    if (!check_names(text, name, mistake))
        return STATUS_INVALID;
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
