// Command files: lines for the walking pattern generator, and pauses.
//
// A line is a command (":stepheight 0.07"), a message as an operator's script sends it
// (walk.sendMsg(":walkmode 2"), sendMessage likewise), "wait 2.5" (seconds), "wait end" (until the
// motion has ended), a comment behind #, or empty. A backslash at the end of a line joins the next.
// In a file that ends with .cc, .cpp or .py, the quoted texts that begin with a colon are the
// commands, and all else is for others.
//
// Not real-time. Errors are logged with file, line, value and remedy.
#pragma once

#include <stddef.h>

#include "base/status.h"

#define SCRIPT_ITEMS_MAX 1024
#define SCRIPT_LINE_MAX 16384

enum script_kind { SCRIPT_COMMAND, SCRIPT_WAIT, SCRIPT_WAIT_END };

struct script_item {
    enum script_kind kind;
    unsigned line;
    double wait_s;
    char *text; // of a command
};

struct script {
    unsigned count;
    struct script_item item[SCRIPT_ITEMS_MAX];
};

// Reads a file. INVALID, NOT_FOUND, NO_MEMORY. Free with script_free.
enum status script_load(const char *path, struct script **script) MUST_CHECK;
// Reads a text; `name` is for messages.
enum status script_read(const char *name, const char *text, struct script **script) MUST_CHECK;
void script_free(struct script *script);
