// The faults of the simulated world, one a line: X(kind, its parameters ...). The names are those
// of faults/world.yaml; the parameters are the values of a change, in this order, and the first of
// them is what the world shows as long as the fault acts. To add one: a line here, and its struct
// world_fault in a file of its own (world_fault.h).
#pragma once

#define WORLD_FAULTS(X) X(payload, "mass_kg")

#define WORLD_FAULT_NUMBER(kind, ...) WORLD_FAULT_##kind,
enum world_fault_kind { WORLD_FAULTS(WORLD_FAULT_NUMBER) WORLD_FAULT_COUNT };
#undef WORLD_FAULT_NUMBER
