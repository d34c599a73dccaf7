// Centre of mass and ZMP for given footprints by a quadratic program (Wieber 2006; Stasse et al.
// 2008, equations 19 and 20):
//
//   min 1/2 |jerk|^2 + alpha/2 |velocity|^2 + beta/2 |position - reference|^2
//   such that the ZMP of each sample lies in its support polygon
//
// An interior point method over the samples by Riccati recursion: time grows with the samples, so
// the window of a receding plan and a whole plan are one call. Rows that no ZMP can satisfy, as
// after a push, give way at a linear price, which is counted. Pure. Memory is taken by pbw_create;
// the rest is real-time safe and bounded by count.
#pragma once

#include <stdbool.h>
#include <stddef.h>

#include "base/status.h"
#include "model/leg_ik.h"
#include "walk/zmp/geometry.h"

#define PBW_EDGES_MAX 8 // of the hull of two soles
#define PBW_SAMPLES_MAX 4096

struct pbw_config {
    double period_s;      // T
    double com_height_m;  // above the floor, constant
    double alpha, beta;   // of (20): 200, 1000; both 0: (19)
    bool zmp_follows;     // beta holds the ZMP, not the position, to the reference
    double terminal;      // weight that leads the capture point to the last reference
    unsigned samples_max; // N, or those of a whole plan
};

// A support polygon: points with nx x + ny y <= h for each edge.
struct pbw_polygon {
    unsigned edges;
    double nx[PBW_EDGES_MAX], ny[PBW_EDGES_MAX], h[PBW_EDGES_MAX];
};

struct pbw_report {
    bool solved;
    unsigned iterations;
    unsigned relaxed; // rows that gave way
    double slack_max_m;
};

struct pbw;

// INVALID if a number is out of range, NO_MEMORY. Free with pbw_free. Not real-time.
enum status pbw_create(const struct pbw_config *config, struct pbw **pbw) MUST_CHECK;
void pbw_free(struct pbw *pbw);
// Bytes that pbw_create takes.
size_t pbw_memory(unsigned samples_max);
// Changes all but samples_max. INVALID: nothing has changed.
enum status pbw_set(struct pbw *pbw, const struct pbw_config *config) MUST_CHECK;

// The hull of one or two soles, less margins in the words of `:setpbwconstraint XY`: totals, half
// in front and half behind, half at either side. false if nothing is left of the polygon.
// sole: of each foot.
bool pbw_support(const struct pose2d *foot, const struct sole *sole, unsigned feet,
                 const double margin_m[2], struct pbw_polygon *polygon) MUST_CHECK;

// From com[axis][position, velocity, acceleration] of now: jerk[i][axis] during period i, so that
// the ZMP after it lies in polygon[i]. polygon and reference (m) are of the samples 1 to `samples`.
struct pbw_report pbw_solve(struct pbw *pbw, unsigned samples, const double com[2][3],
                            const struct pbw_polygon *polygon, const double (*reference_m)[2],
                            double (*jerk_m_s3)[2]);

// State after one period.
void pbw_advance(const struct pbw *pbw, double com[2][3], const double jerk_m_s3[2]);
double pbw_zmp(const struct pbw *pbw, const double com[3]);
