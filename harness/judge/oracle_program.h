// Oracle programs: promises that a program in any language judges. doc/reference/oracle-programs.md
// says what it reads and prints.
#pragma once

#include "harness/judge/analysis.h"
#include "harness/judge/judge.h"

#define ORACLE_ANSWER_MAX 512

// What a program has printed: "PASS|FAIL MARGIN UNIT [@SECONDS] WORDS" or "SKIP WORDS", one line.
// Fills the verdict but for its name and returns true; or says what is wrong with the line. Pure.
bool oracle_answer_read(const char *answer, struct oracle_verdict *verdict, char *wrong,
                        size_t size);

// Runs the promise's program twice, each time in a cell of its own with the history on its standard
// input, and fills the verdict but for its name. ERROR: it could not be run, crashed, took too
// long, gave no answer, or two that differ. Blocks.
void oracle_program_judge(const struct analysis *analysis, const struct promise *promise,
                          const struct judge_cell *cell, struct oracle_verdict *verdict);
