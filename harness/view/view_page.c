// The page's parts, as text in the program: the assembler reads the files of reports/view/, and the
// script as the makefile has bundled it.
#include "harness/view/view_private.h"

#define TEXT(name, file) ".global " name "\n" name ":\n.incbin \"" file "\"\n.byte 0\n"

__asm__(".pushsection .rodata\n" TEXT("view_page", "reports/view/page.html")
            TEXT("view_style", "reports/view/style.css")
                TEXT("view_script", "view.js") ".popsection\n");
