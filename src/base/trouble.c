#include "base/trouble.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

static int noted;

bool trouble_note(int error)
{
    switch (error) {
    case ENOMEM:
    case EAGAIN: // no process
    case EMFILE:
    case ENFILE:
    case ENOLCK:
    case EIO:
    case ENOSPC:
    case EDQUOT:
        noted = noted == 0 ? error : noted;
        return true;
    default:
        return false;
    }
}

const char *trouble_words(void)
{
    return noted == 0 ? NULL : noted == ENOMEM ? "out of memory" : strerror(noted);
}

void trouble_forget(void)
{
    noted = 0;
}

void *trouble_malloc(size_t size)
{
    void *memory = malloc(size);
    if (memory == NULL && size > 0)
        (void)trouble_note(ENOMEM);
    return memory;
}

void *trouble_realloc(void *old, size_t size)
{
    void *memory = realloc(old, size);
    if (memory == NULL && size > 0)
        (void)trouble_note(ENOMEM);
    return memory;
}

char *trouble_strdup(const char *text)
{
    const size_t size = strlen(text) + 1;
    char *copy = trouble_malloc(size);
    return copy == NULL ? NULL : memcpy(copy, text, size);
}
