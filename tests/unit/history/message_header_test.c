// Message text as a C structure.
#include <stdlib.h>
#include <string.h>

#include "harness/history/message_header.h"
#include "tests/unit/common/unit.h"

static enum status print(const char *text, char **header, struct message_mistake *mistake)
{
    size_t size;
    FILE *out = open_memstream(header, &size);
    ck_assert_ptr_nonnull(out);
    const enum status status = message_header(text, "scan_message", "scan.msg", out, mistake);
    ck_assert_int_eq(fclose(out), 0);
    return status;
}

START_TEST(fields_comments_arrays_and_nested_types_become_c)
{
    char *header;
    struct message_mistake mistake;
    ck_assert_int_eq(print("# A scan.\n"
                           "int64 time_ns\n"
                           "int32 LEFT=1\n"
                           "# of readings \\\n"
                           "uint32 count\n"
                           "uint8[4] padding\n"
                           "ukemi/point[<=8] points # all\n"
                           "====\n"
                           "MSG: ukemi/point\n"
                           "float64[3] p\n",
                           &header, &mistake),
                     STATUS_OK);
    ck_assert_str_eq(
        header, "// Made from scan.msg by `ukemi header`; change that file.\n"
                "#pragma once\n\n#include <assert.h>\n#include <stdint.h>\n\n"
                "#ifndef UKEMI_STRUCT_point\n#define UKEMI_STRUCT_point\n"
                "struct point {\n    double p[3];\n};\n#endif\n"
                "// A scan.\n"
                "struct scan_message {\n"
                "    int64_t time_ns;\n"
                "    // of readings \n"
                "    uint32_t count;\n"
                "    uint8_t padding[4];\n"
                "    struct point points[8]; // all\n"
                "};\n"
                "static_assert(sizeof(struct scan_message) == 208, \"as the message has it\");\n");
    free(header);
}
END_TEST

START_TEST(a_text_without_a_structure_is_refused_and_nothing_printed)
{
    static const struct {
        const char *text, *words;
        unsigned line;
    } bad[] = {{"uint32 count\nuint32[] points\n", "without a bound", 1},
               {"uint8 a\nint64 b\n", "7 bytes of padding before 'b'", 2},
               {"int64 a\nfloat b\n", "there is no type 'float'", 2}};
    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++) {
        char *header;
        struct message_mistake mistake;
        ck_assert_int_eq(print(bad[i].text, &header, &mistake), STATUS_INVALID);
        ck_assert_str_eq(header, "");
        ck_assert_uint_eq(mistake.line, bad[i].line);
        ck_assert_ptr_nonnull(strstr(mistake.words, bad[i].words));
        free(header);
    }
}
END_TEST

UNIT_MAIN("message header", fields_comments_arrays_and_nested_types_become_c,
          a_text_without_a_structure_is_refused_and_nothing_printed)
