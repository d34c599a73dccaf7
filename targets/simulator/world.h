// The simulated world around the robot, as the scenario's environment parameters describe it.
//
//   UKEMI_ENV_GOAL_X_M, _GOAL_Y_M, _GOAL_YAW_RAD   goal marker; absent without GOAL_X_M
//   UKEMI_ENV_OBSTACLE<n>_X_M, _Y_M, _RADIUS_M     n = 1 .. ROBOT_OBSTACLES_MAX
//
//   UKEMI_ENV_STAIRS (a number), _STAIRS_X_M, _STAIRS_RISE_M, _STAIRS_DEPTH_M, _STAIRS_TOP_M,
//   UKEMI_ENV_SLOPE_X_M, _SLOPE_DEG, _SLOPE_LENGTH_M   see plant/scenery/ground.h
//   UKEMI_ENV_BOX_X_M                              a box on the floor; absent without it
//   UKEMI_ENV_BOX_Y_M, _BOX_YAW_DEG, _BOX_HEIGHT_M, _BOX_WIDTH_M, _BOX_DEPTH_M
//   UKEMI_ENV_BOX_SPREAD_M, _BOX_SPREAD_DEG        it lies off by up to so much, drawn by the seed
//   UKEMI_ENV_SIGHT_NOISE_M, _SIGHT_NOISE_DEG      of what the camera measures of it
//
// With --hose, also (keys of a scenario's `environment`, in lower case without UKEMI_ENV_):
//   HOSE chain | string | none, HOSE_SHAPE straight | bent | rolled, HOSE_LINKS, HOSE_LENGTH_M,
//   HOSE_KG_M, HOSE_NOZZLE_KG, HOSE_FRICTION, HOSE_STIFFNESS_NM_RAD, HOSE_REEL_N
//                                                     see plant/scenery/hose.h
//   HOSE_SPREAD_DEG, HOSE_SPREAD_FRICTION (a share)   its lie and friction, drawn by the seed
//   WRIST_AXES 3 | 6   of the left hand's sensor: six are told on the channel hand-wrench, too
//   MOCAP_NOISE_M, MOCAP_NOISE_RAD, MOCAP_LATENCY_S
//                                                     see plant/mocap.h
#pragma once

#include "base/status.h"
#include "plant/scenery/box.h"
#include "plant/camera.h"
#include "plant/scenery/ground.h"
#include "plant/scenery/hose.h"
#include "plant/mocap.h"

// Reads the environment. INVALID (logged to standard error) if a value is not a finite number.
enum status world_read(struct surroundings *surroundings) MUST_CHECK;

// Stairs and slopes. INVALID also if a value is out of range.
enum status world_read_ground(struct ground *ground) MUST_CHECK;

// The same for the box. INVALID also if a value is out of range.
enum status world_read_box(uint64_t seed, struct box_config *box) MUST_CHECK;

// The same for what --hose adds. INVALID also if a value is out of range.
enum status world_read_hose(uint64_t seed, struct hose_config *hose,
                            struct mocap_config *mocap) MUST_CHECK;
