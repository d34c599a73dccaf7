// What reads movements. Private to the folder.
#pragma once

#include "model/movement.h"

// A new movement at the end of the list, zeroed. NULL: no memory, or too many.
struct movement *movements_add(struct movements **movements);

enum status movements_read_mtn(const char *path, struct movements **movements) MUST_CHECK;
enum status movements_read_way_points(const char *path, const struct solid_robot *robot,
                                      struct movements **movements) MUST_CHECK;
