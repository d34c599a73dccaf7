// Faults of sockets: asks the library in the cell's shimmed programs for them. The lab looks, by
// itself, at the calls on the channel `io`.
//
//   socket apply|effect|undo|settled KIND process=NAME tag=N seed=N [key=value...]
//
// The parameters are those of faults/socket.yaml.
#include <string.h>

#include "base/text.h"
#include "faults/asking.h"

static const char *page(const struct fault_asked *asked)
{
    (void)asked;
    return TAMPER_SOCKETS;
}

static bool describe(const struct fault_asked *asked, struct tampering *what)
{
    const char *direction = fault_text(asked, "direction"), *path = fault_text(asked, "path");
    what->direction = strcmp(direction, "out") == 0  ? TAMPER_OUT
                      : strcmp(direction, "in") == 0 ? TAMPER_IN
                                                     : TAMPER_BOTH;
    what->port = (uint32_t)fault_number(asked, "port");
    text_copy(what->process, sizeof what->process, fault_text(asked, "process"));
    if (strcmp(path, "any") != 0)
        text_copy(what->path, sizeof what->path, path);
    return true;
}

#define ENTRY(name, kind) ASKING_ENTRY(name, kind, page, describe)

static const struct fault_entry entries[] = {
    ENTRY("socket-refusal", TAMPER_REFUSE),
    ENTRY("socket-drop", TAMPER_DROP),
    ENTRY("socket-delay", TAMPER_DELAY),
    ENTRY("socket-duplication", TAMPER_DUPLICATE),
    ENTRY("socket-cut", TAMPER_CUT),
    ENTRY("socket-reset", TAMPER_RESET),
    ENTRY("socket-partial-write", TAMPER_TRUNCATE),
    {0},
};

int main(int argc, char **argv)
{
    return asking_main(argc, argv, entries);
}
