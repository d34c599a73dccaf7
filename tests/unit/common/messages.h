// The message files of hubo2, for tests that load no target.
#pragma once

#include <check.h>
#include <stdio.h>
#include <stdlib.h>

#include "harness/history/schema.h"
#include "harness/history/whole_file.h"

// Declares targets/hubo2/NAME.msg as "hubo2/NAME.msg", as hubo2's target.yaml does.
static inline const struct schema *hubo2_message(const char *name)
{
    char path[96], type[64], *text = NULL;
    size_t size_B;
    struct message_mistake mistake;
    snprintf(path, sizeof path, "targets/hubo2/%s.msg", name);
    snprintf(type, sizeof type, "hubo2/%s.msg", name);
    ck_assert_int_eq(whole_file_read(path, (size_t)1 << 16, &text, &size_B), STATUS_OK);
    ck_assert_int_eq(schema_declare(type, text, &mistake), STATUS_OK);
    free(text);
    return schema_find(type);
}
