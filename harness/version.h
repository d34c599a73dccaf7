// What built this lab and where it runs: goes with every trial into the database.
#pragma once

struct build_info {
    const char *lab_revision; // git describe when built, or "unknown"
    const char *compiler, *libc, *mujoco, *sqlite;
};

struct machine_info {
    char cpu_model[128];
    char kernel[128];
    int cores; // this process may use
};

struct build_info build_info(void);
struct machine_info machine_info(void); // "unknown" where the system does not say
