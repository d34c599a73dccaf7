// How long is what people write: names, paths, formulas; and the words that are the lab's own.
#pragma once

#define NAME_MAX_LENGTH 48
#define PATH_MAX_LENGTH 512
#define MESSAGE_NAME_LENGTH (2 * NAME_MAX_LENGTH) // "pendulum/pole.msg"
#define FORMULA_TEXT_MAX 256
#define REGEX_MAX 128
#define PARAMETERS_MAX 8

// No target may use these for a process:
#define OPERATOR_NAME "operator" // the scenario's program, as a process and as a component
#define MACHINE_NAME "machine"   // `component` of a fault that strikes all that runs
