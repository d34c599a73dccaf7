// A line of the program trajectory: what is read is solved or refused, and what is solved is made
// of finite pieces that last as long as they should, whatever the numbers are.
#include "tests/fuzz/fuzz.h"

#include <math.h>

#include "targets/bioloid/problems.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static struct problem problem;
    static struct trajectory trajectory[TRAJECTORY_JOINTS_MAX];
    char line[4096] = "";
    const char *why = "";
    unsigned culprit = 0;
    memcpy(line, data, size < sizeof line ? size : sizeof line - 1);
    problem.ranges = size / 8 % 2;
    problem.through = size / 16 % 2;
    if (!problem_read(line, &problem, &why)) {
        fuzz_check(why[0] != '\0');
        return 0;
    }
    problem.asked.goal = (enum trajectory_goal)(size % 2);
    problem.asked.synchronization = (enum trajectory_synchronization)(size / 2 % 2);
    problem.asked.period_s = (double)(size / 4 % 2) * 0.01;
    if (trajectory_plan(&problem.asked, trajectory, &culprit) != TRAJECTORY_OK) {
        fuzz_check(culprit < problem.asked.count);
        return 0;
    }
    for (unsigned i = 0; i < problem.asked.count; i++) {
        double time_s = 0;
        fuzz_check(trajectory[i].count <= TRAJECTORY_PIECES_MAX);
        for (unsigned k = 0; k < trajectory[i].count; k++) {
            const struct extremal_piece *piece = &trajectory[i].piece[k];
            fuzz_check(piece->duration_s > 0 && isfinite(piece->duration_s) &&
                       isfinite(piece->acceleration) && isfinite(piece->jerk));
            time_s += piece->duration_s;
        }
        fuzz_check(fabs(time_s - trajectory[i].duration_s) <= 1e-6 * trajectory[i].duration_s);
    }
    return 0;
}
