#include <ctype.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/log.h"
#include "base/text.h"
#include "harness/cli/cli.h"
#include "harness/history/message_header.h"
#include "harness/history/whole_file.h"

#define TEXT_MAX_B ((size_t)1 << 16)
#define ENDING ".msg"
#define STRUCTURE "_message"

// "folder/pole.msg" -> "pole_message". False, reported: it is no message file, or no name in C.
static bool name_of(const char *path, char name[NAME_MAX_LENGTH])
{
    const char *slash = strrchr(path, '/'), *file = slash == NULL ? path : slash + 1;
    const size_t length = strlen(file), ending = strlen(ENDING), suffix = strlen(STRUCTURE);
    const size_t stem = length > ending ? length - ending : 0;
    bool good = stem > 0 && strcmp(file + stem, ENDING) == 0 && !isdigit((unsigned char)file[0]) &&
                stem + suffix < NAME_MAX_LENGTH;
    for (size_t i = 0; i < stem; i++)
        good &= isalnum((unsigned char)file[i]) || file[i] == '_';
    if (!good) {
        log_error("%s: not a message file NAME" ENDING
                  ", where NAME is of letters, digits and _; rename it",
                  path);
        return false;
    }
    const bool has = stem > suffix && strncmp(file + stem - suffix, STRUCTURE, suffix) == 0;
    snprintf(name, NAME_MAX_LENGTH, "%.*s%s", (int)stem, file, has ? "" : STRUCTURE);
    return true;
}

// A file's comments may be anybody's: line by line, only what shows itself.
static void print_clean(char *text)
{
    for (char *line = text, *end; *line != '\0'; line = end) {
        end = strchr(line, '\n');
        end = end == NULL ? line + strlen(line) : end;
        const bool more = *end == '\n';
        *end = '\0';
        text_print(stdout, line, " ");
        putchar('\n');
        end += more;
    }
}

static enum exit_code print_header(const char *path, const char *name, const char *text)
{
    struct message_mistake mistake;
    const char *slash = strrchr(path, '/');
    char *header = NULL;
    size_t size_B = 0;
    FILE *out = open_memstream(&header, &size_B);
    if (out == NULL)
        return cli_exit_of(STATUS_NO_MEMORY);
    enum status status =
        message_header(text, name, slash == NULL ? path : slash + 1, out, &mistake);
    if (status != STATUS_OK)
        log_at(path, mistake.line, "%s", mistake.words);
    if (fclose(out) != 0)
        status = STATUS_NO_MEMORY;
    if (status == STATUS_OK)
        print_clean(header);
    free(header);
    return status == STATUS_OK ? EXIT_PASS : cli_exit_of(status);
}

int cli_header(const struct cli_line *line)
{
    const char *path = line->word[0];
    char name[NAME_MAX_LENGTH], *text = NULL;
    size_t size_B = 0;
    if (!name_of(path, name))
        return EXIT_INPUT;
    enum exit_code code = EXIT_INPUT;
    const enum status status = whole_file_read(path, TEXT_MAX_B, &text, &size_B);
    if (status == STATUS_OK && strlen(text) == size_B)
        code = print_header(path, name, text);
    else if (status == STATUS_OK)
        log_error("%s: contains a zero byte; a message file is text", path);
    else
        log_error("%s: cannot be read: %s; name a message file of at most %zu bytes", path,
                  status == STATUS_SYSTEM ? strerror(errno) : status_text(status), TEXT_MAX_B);
    free(text);
    return code;
}
