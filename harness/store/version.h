// What built this lab: goes with every trial into the database.
#pragma once

struct build_info {
    const char *lab_version;  // of NEWS.md, "0.3.0"
    const char *lab_revision; // git describe when built, or "unknown"
    const char *compiler, *libc, *mujoco, *sqlite;
};

struct build_info build_info(void);
