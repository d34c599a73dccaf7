// Ruckig (community version) as a peer of trajectory_bench, for as many joints as that asks for.
#include <cmath>
#include <ruckig/ruckig.hpp>

#include "trajectory_peer.h"

namespace
{

struct solver {
    virtual ~solver() = default;
    virtual void take(const trajectory_problem *problem) = 0;
    virtual double solve() = 0;
};

template <size_t N> struct ruckig_solver : solver {
    ruckig::Ruckig<N> ruckig;
    ruckig::InputParameter<N> input;
    ruckig::Trajectory<N> trajectory;

    void take(const trajectory_problem *p) override
    {
        input.control_interface = p->goal == TRAJECTORY_TO_VELOCITY
                                      ? ruckig::ControlInterface::Velocity
                                      : ruckig::ControlInterface::Position;
        input.synchronization = p->synchronization == TRAJECTORY_IN_PHASE
                                    ? ruckig::Synchronization::Phase
                                    : ruckig::Synchronization::Time;
        for (unsigned i = 0; i < N; i++) {
            input.current_position[i] = p->start[i].position;
            input.current_velocity[i] = p->start[i].velocity;
            input.current_acceleration[i] = p->start[i].acceleration;
            input.target_position[i] = p->end[i].position;
            input.target_velocity[i] = p->end[i].velocity;
            input.target_acceleration[i] = p->end[i].acceleration;
            input.max_velocity[i] = p->bounds[i].velocity;
            input.max_acceleration[i] = p->bounds[i].acceleration;
            input.max_jerk[i] = p->bounds[i].jerk;
        }
    }

    double solve() override
    {
        const ruckig::Result result = ruckig.calculate(input, trajectory);
        const bool solved = result == ruckig::Result::Working || result == ruckig::Result::Finished;
        return solved ? trajectory.get_duration() : NAN;
    }
};

template <size_t N> solver *solver_of()
{
    static ruckig_solver<N> one;
    return &one;
}

solver *taken;

} // namespace

extern "C" bool peer_take(const trajectory_problem *problem)
{
    switch (problem->count) {
    case 1:
        taken = solver_of<1>();
        break;
    case 6:
        taken = solver_of<6>();
        break;
    case 7:
        taken = solver_of<7>();
        break;
    case 19:
        taken = solver_of<19>();
        break;
    case 28:
        taken = solver_of<28>();
        break;
    default:
        return false;
    }
    taken->take(problem);
    return true;
}

extern "C" double peer_solve()
{
    return taken->solve();
}
