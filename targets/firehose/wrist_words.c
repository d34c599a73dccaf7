#include "targets/firehose/wrist_words.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/log.h"

bool wrist_words(char **words, struct wrist_parameters *parameters, double *desired_N)
{
    const struct {
        const char *key;
        double *value, least, most;
    } known[] = {{"mass_kg", &parameters->mass_kg, 0.1, 1000},
                 {"damping_Ns_m", &parameters->damping_Ns_m, 1, 1e5},
                 {"beta_Ns_m", &parameters->beta_Ns_m, -1000, 1000},
                 {"desired_N", desired_N, 0, WRIST_FORCE_MAX_N}};
    *parameters = wrist_parameters_default;
    *desired_N = NAN;
    for (; *words != NULL; words++) {
        const size_t length = strcspn(*words, "=");
        bool good = false;
        for (size_t i = 0; i < sizeof known / sizeof known[0] && (*words)[length] == '='; i++) {
            char *end;
            if (strlen(known[i].key) != length || strncmp(known[i].key, *words, length) != 0)
                continue;
            *known[i].value = strtod(*words + length + 1, &end);
            good = end != *words + length + 1 && *end == '\0' &&
                   *known[i].value >= known[i].least && *known[i].value <= known[i].most;
        }
        if (!good) {
            log_error("%s: is not known, or out of range; write for example mass_kg=25, "
                      "damping_Ns_m=800, beta_Ns_m=-15 or desired_N=37",
                      *words);
            return false;
        }
    }
    return true;
}
