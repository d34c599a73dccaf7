#include "harness/store/version.h"

#include <gnu/libc-version.h>
#include <mujoco/mujoco.h>
#include <sqlite3.h>

#ifndef LAB_REVISION // given by programs.mk
#define LAB_REVISION "unknown"
#endif
#ifndef LAB_VERSION // likewise
#define LAB_VERSION "unknown"
#endif
#define TEXT(x) #x
#define TEXT_OF(x) TEXT(x)

struct build_info build_info(void)
{
    return (struct build_info){
        .lab_version = LAB_VERSION,
        .lab_revision = LAB_REVISION[0] == '\0' ? "unknown" : LAB_REVISION,
#ifdef __clang__
        .compiler = "clang " __clang_version__,
#else
        .compiler = "gcc " __VERSION__,
#endif
        .libc = gnu_get_libc_version(),
        .mujoco = TEXT_OF(mjVERSION_HEADER),
        .sqlite = sqlite3_libversion(),
    };
}
