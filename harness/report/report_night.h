// The page of a night: what has changed since the last one. Templates and queries are those of
// reports/night/. Not real-time; reads the database, never writes it.
#pragma once

#include <stdint.h>

#include "base/status.h"

struct report_night {
    const char *database; // its path
    int64_t night_id;     // with its findings stored (store/night/night.h)
    unsigned window;      // nights that are looked at, this one included
    double relevant;      // a smaller share of change of a quantity is not told
    const char *folder;   // where the page goes; reports of campaigns are in FOLDER/NAME/
};

// Writes index.html and the texts for other programs. Errors as report_write.
enum status report_night_write(const struct report_night *night) MUST_CHECK;
