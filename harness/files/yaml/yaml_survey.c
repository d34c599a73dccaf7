// A file as it is before any table of keys: its bytes, what no file may hold, and the places of its
// parts.
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/file_kind.h"
#include "base/trouble.h"
#include "harness/files/yaml/yaml_private.h"

#define FILE_MAX_B (4 << 20)
#define DEPTH_MAX 32 // of nesting; libyaml's time grows with its square

// The file's bytes. Complains, or sets no_memory.
void yaml_read_file(struct yaml_source *source)
{
    struct stat about;
    const char *special = file_special(source->path);
    if (special != NULL) {
        yaml_complain_at(source, 1, "", "%s", special);
        return;
    }
    const int file = open(source->path, O_RDONLY | O_CLOEXEC | O_NONBLOCK); // nor wait for a pipe
    if (file < 0 || fstat(file, &about) != 0) {
        (void)trouble_note(errno);
        yaml_complain_at(source, 1, "", "cannot be read: %s; name another file", strerror(errno));
    } else if (!S_ISREG(about.st_mode)) {
        yaml_complain_at(source, 1, "", "is a folder; name a file with YAML in it");
    } else if (about.st_size > FILE_MAX_B) {
        yaml_complain_at(source, 1, "", "%lld bytes: too large; such a file has at most %d",
                         (long long)about.st_size, FILE_MAX_B);
    } else if ((source->text = malloc((size_t)about.st_size + 1)) == NULL) {
        source->no_memory = trouble_note(ENOMEM);
    } else {
        ssize_t got = 0;
        while (source->size_B < (size_t)about.st_size &&
               (got = read(file, source->text + source->size_B,
                           (size_t)about.st_size - source->size_B)) > 0)
            source->size_B += (size_t)got;
        if (got < 0 && trouble_note(errno))
            yaml_complain_at(source, 1, "", "%s; name another file", strerror(errno));
    }
    if (file >= 0)
        (void)close(file); // only read
}

// A parser on the file's text, for the caller to delete. false: out of memory.
static bool begin_parsing(struct yaml_source *source, yaml_parser_t *parser)
{
    source->no_memory = yaml_parser_initialize(parser) == 0 && trouble_note(ENOMEM);
    if (!source->no_memory)
        yaml_parser_set_input_string(parser, (const unsigned char *)source->text, source->size_B);
    return !source->no_memory;
}

// What libyaml could not read, with the line.
static void complain_of_yaml(struct yaml_source *source, const yaml_parser_t *parser)
{
    size_t line = parser->problem_mark.line + 1;
    // Where memory runs out, libyaml does not always name an error.
    if (parser->error == YAML_MEMORY_ERROR || parser->error == YAML_NO_ERROR) {
        source->no_memory = trouble_note(ENOMEM);
        return;
    }
    if (parser->error == YAML_READER_ERROR) { // which knows the byte, but no line
        line = 1;
        for (size_t i = 0; i < parser->problem_offset && i < source->size_B; i++)
            line += source->text[i] == '\n';
    }
    yaml_complain_at(source, (unsigned)line, "",
                     "not YAML: %s; check indentation, brackets and characters",
                     parser->problem != NULL ? parser->problem : "cannot be understood");
}

// Whether a text is printable to its end: no zero, no newline, nothing that speaks to a terminal.
static bool printable(const unsigned char *text, size_t length)
{
    for (size_t i = 0; i < length; i++) {
        const bool c1 = text[i] == 0xC2 && i + 1 < length && text[i + 1] < 0xA0; // U+0080..9F
        const bool line = text[i] == 0xE2 && i + 2 < length && text[i + 1] == 0x80 &&
                          (text[i + 2] == 0xA8 || text[i + 2] == 0xA9); // U+2028, U+2029
        if (text[i] < ' ' || text[i] == 0x7f || c1 || line)
            return false;
    }
    return true;
}

struct survey { // of a file's events
    unsigned depth, documents;
};

// Looks at one event. false: complained, look no further.
static bool survey_event(struct yaml_source *source, const yaml_event_t *event,
                         struct survey *survey)
{
    const char *wrong = NULL;
    char copy[SHOWN_MAX + 4] = "";
    if (event->type == YAML_DOCUMENT_START_EVENT && ++survey->documents > 1)
        wrong = "a second document; write one document a file, without ---";
    else if (event->type == YAML_ALIAS_EVENT)
        wrong = "an alias, *name; write the value itself";
    else if ((event->type == YAML_MAPPING_START_EVENT ||
              event->type == YAML_SEQUENCE_START_EVENT) &&
             ++survey->depth > DEPTH_MAX)
        wrong = "nested too deeply; `ukemi help files` says what belongs here";
    else if (event->type == YAML_MAPPING_END_EVENT || event->type == YAML_SEQUENCE_END_EVENT)
        survey->depth--;
    else if (event->type == YAML_SCALAR_EVENT &&
             !printable(event->data.scalar.value, event->data.scalar.length)) {
        wrong = "a line break or control character in it; use printable characters in one line";
        (void)yaml_shown((const char *)event->data.scalar.value, copy);
    }
    if (wrong != NULL)
        yaml_complain_at(source, (unsigned)event->start_mark.line + 1, copy, "%s", wrong);
    return wrong == NULL;
}

// What no file may hold, whatever its kind, before anything is made of it.
void yaml_survey(struct yaml_source *source)
{
    yaml_parser_t parser;
    struct survey survey = {0};
    if (!begin_parsing(source, &parser))
        return;
    for (bool more = true; more;) {
        yaml_event_t event;
        if (yaml_parser_parse(&parser, &event) == 0) {
            complain_of_yaml(source, &parser);
            break;
        }
        more = survey_event(source, &event, &survey) && event.type != YAML_STREAM_END_EVENT;
        yaml_event_delete(&event);
    }
    yaml_parser_delete(&parser);
}

void yaml_parse_places(struct yaml_source *source)
{
    yaml_parser_t parser;
    if (!begin_parsing(source, &parser))
        return;
    source->parsed = yaml_parser_load(&parser, &source->document) != 0;
    if (!source->parsed)
        complain_of_yaml(source, &parser);
    else if (yaml_document_get_root_node(&source->document) == NULL)
        yaml_complain_at(source, 1, "",
                         "the file is empty; `ukemi help files` says what it must hold");
    yaml_parser_delete(&parser);
}
