// Lines of peers of bioloid's network door: what is taken keeps to the limits that the door states.
#include "tests/fuzz/fuzz.h"

#include <math.h>
#include <string.h>

#include "targets/bioloid/door_line.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    char line[2 * DOOR_LINE_MAX] = "";
    struct door_request request;
    const char *why;
    memcpy(line, data, size < sizeof line ? size : sizeof line - 1);
    if (door_parse(line, &request, &why) != STATUS_OK) {
        fuzz_check(why != NULL && why[0] != '\0');
        return 0;
    }
    fuzz_check(strlen(line) < DOOR_LINE_MAX && memchr(request.name, '\0', sizeof request.name));
    fuzz_check(strchr(request.name, '/') == NULL && request.repeat <= 100);
    fuzz_check(request.rate_hz >= 0 && request.rate_hz <= 50);
    fuzz_check(request.kind != DOOR_JOINTS || request.servos != 0);
    for (unsigned i = 0; i < MOVEMENT_SERVOS; i++)
        fuzz_check(fabs(request.angle_rad[i]) < 2.62);
    return 0;
}
