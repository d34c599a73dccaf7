#include "harness/history/message_stamps.h"

#include <string.h>

static bool is_word_of_stamps(const char *word, size_t length)
{
    static const char *const words[] = {"time",   "stamp", "seq",   "sequence", "cycle",   "number",
                                        "sample", "tick",  "epoch", "sec",      "nanosec", "ns"};
    for (size_t i = 0; i < sizeof words / sizeof words[0]; i++)
        if (strlen(words[i]) == length && strncmp(word, words[i], length) == 0)
            return true;
    return false;
}

bool message_is_stamp(const char *path, const struct message_field *field)
{
    const char *dot = strrchr(path, '.');
    if (field->kind == 'f')
        return false;
    for (const char *word = dot != NULL ? dot + 1 : path; *word != '\0';) {
        const size_t length = strcspn(word, "_[");
        if (is_word_of_stamps(word, length))
            return true;
        word += length + strspn(word + length, "_");
        if (*word == '[')
            break;
    }
    return false;
}
