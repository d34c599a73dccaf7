// How the sanitizers behave in every program of a sanitizer build (make check-san), also in those
// that a trial starts with an environment of its own; linked into all of them.
//
// What a sanitizer finds ends the program with a status of its own, which nothing of ours uses. In
// a trial that is a death the oracles fail, and the last words say what it was.
#include <stdio.h>
#include <string.h>

#define SANITIZER_EXIT "99"

const char *__asan_default_options(void);
const char *__ubsan_default_options(void);

const char *__asan_default_options(void)
{
    return "exitcode=" SANITIZER_EXIT ":detect_leaks=1:detect_stack_use_after_return=1"
           ":strict_string_checks=1:print_legend=0";
}

const char *__ubsan_default_options(void)
{
    return "exitcode=" SANITIZER_EXIT ":print_stacktrace=1";
}

// The address sanitizer's report ends with a page of memory contents: its one line that says it all
// is repeated after them.
void __asan_set_error_report_callback(void (*callback)(const char *report)) __attribute__((weak));

static void repeat_summary(const char *report)
{
    const char *line = strstr(report, "SUMMARY: ");
    if (line != NULL)
        fprintf(stderr, "\n%.*s\n", (int)strcspn(line, "\n"), line);
}

__attribute__((constructor)) static void hear_reports(void)
{
    if (__asan_set_error_report_callback != NULL)
        __asan_set_error_report_callback(repeat_summary);
}
