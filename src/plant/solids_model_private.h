// The text of MuJoCo's model of a scene. Private to the plant.
#pragma once

#include "model/solids.h"
#include "plant/solids_world.h"

#define SOLIDS_MODEL_NAME_MAX 32

// Names of what the model consists of: axis `axis` of all, the body of a solid.
void solids_axis_name(char name[SOLIDS_MODEL_NAME_MAX], unsigned axis);
void solids_body_name(char name[SOLIDS_MODEL_NAME_MAX], unsigned robot, int solid);

// The caller frees it. NULL: no memory.
char *solids_model_text(const struct scene *scene, double armature_kg_m2);
