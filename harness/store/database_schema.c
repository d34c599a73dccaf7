// schema.sql, as text in the program. The assembler reads the file, so the schema exists once.
#include "harness/store/database_private.h"

__asm__(".pushsection .rodata\n"
        ".global database_schema\n"
        "database_schema:\n"
        ".incbin \"harness/store/schema.sql\"\n"
        ".byte 0\n"
        ".popsection\n");
