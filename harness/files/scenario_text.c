#include "harness/files/scenario_text.h"

#include <stdlib.h>
#include <string.h>

#include "harness/files/yaml/file_write.h"

const char *number_text(double number, char text[32])
{
    for (int digits = 6; digits <= 17; digits++) {
        snprintf(text, 32, "%.*g", digits, number);
        if (strtod(text, NULL) == number)
            break;
    }
    return text;
}

double number_rounded(double number, unsigned digits)
{
    char text[32];
    snprintf(text, sizeof text, "%.*g", (int)digits, number);
    return strtod(text, NULL);
}

static void print_range(FILE *out, double low, double high)
{
    char one[32], other[32];
    if (low == high)
        fputs(number_text(low, one), out);
    else
        fprintf(out, "[%s, %s]", number_text(low, one), number_text(high, other));
}

static void print_trigger(FILE *out, const struct trigger *at)
{
    char number[32];
    fputs("at: { ", out);
    switch (at->kind) {
    case TRIGGER_TIME:
        fputs("time_s: ", out);
        print_range(out, at->time_min_s, at->time_max_s);
        break;
    case TRIGGER_PHASE:
        fputs("phase: ", out);
        print_range(out, at->phase_min, at->phase_max);
        break;
    case TRIGGER_CONDITION:
        fputs("when: ", out);
        file_write_text(out, at->when);
        break;
    }
    if (at->kind != TRIGGER_TIME)
        fprintf(out, ", after_s: %s", number_text(at->time_min_s, number));
    fputs(" }", out);
}

static void print_fault(FILE *out, const struct fault_request *fault)
{
    char number[32];
    fprintf(out, "  - { kind: %s, component: ", fault->kind);
    file_write_text(out, fault->component);
    fputs(", ", out);
    print_trigger(out, &fault->at);
    if (fault->duration_s > 0)
        fprintf(out, ", duration_s: %s", number_text(fault->duration_s, number));
    if (fault->restart_after_s >= 0)
        fprintf(out, ", restart_after_s: %s", number_text(fault->restart_after_s, number));
    for (unsigned i = 0; i < fault->parameter_count; i++) {
        fputs(i == 0 ? ", parameters: [" : ", ", out);
        file_write_text(out, fault->parameter[i]);
    }
    fputs(fault->parameter_count > 0 ? "] }\n" : " }\n", out);
}

static void print_comment(FILE *out, const char *comment)
{
    for (size_t length; *comment != '\0'; comment += length) {
        length = strcspn(comment, "\n");
        fprintf(out, "#%s%.*s\n", length > 0 ? " " : "", (int)length, comment);
        length += comment[length] == '\n';
    }
}

void scenario_print(FILE *out, const struct scenario *written, const struct scenario *scenario,
                    const char *comment)
{
    if (comment != NULL)
        print_comment(out, comment);
    file_write(out, scenario_rows, written, "faults");
    if (scenario->fault_count > 0)
        fputs("faults:\n", out);
    for (unsigned i = 0; i < scenario->fault_count; i++)
        print_fault(out, &scenario->fault[i]);
}
