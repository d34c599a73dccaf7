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
                           "int32 LEFT=1 # side\n"
                           "bool WIDE = True\n"
                           "uint64 MOST=18446744073709551615\n"
                           "float64 STEP=-0.5\n"
                           "string NAME=none\n"
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
                "#define SCAN_LEFT ((int32_t)1) // side\n"
                "#define SCAN_WIDE ((uint8_t)1)\n"
                "#define SCAN_MOST ((uint64_t)18446744073709551615u)\n"
                "#define SCAN_STEP ((double)-0.5)\n"
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
               {"int64 a\nfloat b\n", "there is no type 'float'", 2},
               {"float64 a\nfloat64 a\n", "'a' stands here a second time", 2},
               {"int32 A=1\nint32 A=2\nint32 b\n", "'A' stands here a second time", 2},
               {"int32 b\nint32 b=2\n", "'b' stands here a second time", 2},
               {"# x\nfloat64 default\n", "'default' is a word of C or C++", 2},
               {"float64 new\n", "'new' is a word of C or C++", 1},
               {"float64 linux\n", "'linux' is a word of C or C++", 1},
               {"float64 __x\n", "'__x' is a word of C or C++", 1},
               {"float64 a/b\n", "'a/b' is no name of a field", 1},
               {"float64 3d\n", "'3d' is no name of a field", 1},
               {"union a\n====\nMSG: x/union\nint8 b\n", "'union' is a word of C", 3},
               {"scan_message a\n====\nMSG: scan_message\nint8 b\n", "own structure", 3},
               {"p a\n====\nMSG: x/p\nint8 b\n====\nMSG: y/p\nint16 b\n", "another type", 6},
               {"\xef\xbb\xbf"
                "float64 a\n",
                "byte order mark", 1},
               {"int8 A=128\nint8 b\n", "'128' is no value of a constant of type 'int8'", 1},
               {"uint8 A=-1\nint8 b\n", "'-1' is no value", 1},
               {"int32 A=\nint8 b\n", "'' is no value", 1},
               {"float32 A=inf\nint8 b\n", "'inf' is no value", 1},
               {"int32 A b=1\nint8 b\n", "this is not a constant", 1}};
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
