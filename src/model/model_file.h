// A robot's model file (MuJoCo XML), which may be another one but for some elements (libxml2). Not
// real-time.
//
//   <mujoco model="hubo2_toe" like="flat.xml">
//     <body name="left_foot_sensor"> ... </body>
//   </mujoco>
//
// is flat.xml, beside it, with each of these elements in place of the one of that tag and name. So
// what both robots have is written once.
#pragma once

#include <libxml/tree.h>
#include <stdbool.h>

// The whole model; NULL, said: it cannot be read. Its `like` is gone. The caller frees it
// (xmlFreeDoc).
xmlDoc *model_file_read(const char *path);

// Whether a document that was read is made of two files. MuJoCo alone cannot read such a file.
bool model_file_is_made(const xmlDoc *document);

// Which file an element of the whole model of `path` stands in, for messages.
const char *model_file_of(const char *path, const xmlNode *node);
