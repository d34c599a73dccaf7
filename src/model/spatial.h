// Vectors and rotation matrices (row major 3x3) in three dimensions. Pure, inline, real-time safe.
#pragma once

#include <math.h>

static inline void vec_add(const double a[3], const double b[3], double sum[3])
{
    for (int i = 0; i < 3; i++)
        sum[i] = a[i] + b[i];
}

static inline void vec_subtract(const double a[3], const double b[3], double difference[3])
{
    for (int i = 0; i < 3; i++)
        difference[i] = a[i] - b[i];
}

static inline double vec_dot(const double a[3], const double b[3])
{
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

static inline void vec_cross(const double a[3], const double b[3], double product[3])
{
    product[0] = a[1] * b[2] - a[2] * b[1];
    product[1] = a[2] * b[0] - a[0] * b[2];
    product[2] = a[0] * b[1] - a[1] * b[0];
}

// out = R v
static inline void rotate(const double R[9], const double v[3], double out[3])
{
    for (int i = 0; i < 3; i++)
        out[i] = R[3 * i] * v[0] + R[3 * i + 1] * v[1] + R[3 * i + 2] * v[2];
}

// out = transpose(R) v
static inline void rotate_back(const double R[9], const double v[3], double out[3])
{
    for (int i = 0; i < 3; i++)
        out[i] = R[i] * v[0] + R[3 + i] * v[1] + R[6 + i] * v[2];
}

// out = A B
static inline void rotation_product(const double A[9], const double B[9], double out[9])
{
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++)
            out[3 * i + j] = A[3 * i] * B[j] + A[3 * i + 1] * B[3 + j] + A[3 * i + 2] * B[6 + j];
}

// out = transpose(A) B
static inline void rotation_relative(const double A[9], const double B[9], double out[9])
{
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++)
            out[3 * i + j] = A[i] * B[j] + A[3 + i] * B[3 + j] + A[6 + i] * B[6 + j];
}

static inline void rotation_x(double angle_rad, double R[9])
{
    double c = cos(angle_rad), s = sin(angle_rad);
    double value[9] = {1, 0, 0, 0, c, -s, 0, s, c};
    for (int i = 0; i < 9; i++)
        R[i] = value[i];
}

static inline void rotation_y(double angle_rad, double R[9])
{
    double c = cos(angle_rad), s = sin(angle_rad);
    double value[9] = {c, 0, s, 0, 1, 0, -s, 0, c};
    for (int i = 0; i < 9; i++)
        R[i] = value[i];
}

static inline void rotation_z(double angle_rad, double R[9])
{
    double c = cos(angle_rad), s = sin(angle_rad);
    double value[9] = {c, -s, 0, s, c, 0, 0, 0, 1};
    for (int i = 0; i < 9; i++)
        R[i] = value[i];
}

// R = Rz(yaw) Ry(pitch) Rx(roll)
static inline void rotation_rpy(double roll_rad, double pitch_rad, double yaw_rad, double R[9])
{
    double cr = cos(roll_rad), sr = sin(roll_rad), cp = cos(pitch_rad), sp = sin(pitch_rad);
    double cy = cos(yaw_rad), sy = sin(yaw_rad);
    double value[9] = {cy * cp,
                       cy * sp * sr - sy * cr,
                       cy * sp * cr + sy * sr,
                       sy * cp,
                       sy * sp * sr + cy * cr,
                       sy * sp * cr - cy * sr,
                       -sp,
                       cp * sr,
                       cp * cr};
    for (int i = 0; i < 9; i++)
        R[i] = value[i];
}

// Rotation by angle about a unit axis (Rodrigues).
static inline void rotation_axis(const double axis[3], double angle_rad, double R[9])
{
    double c = cos(angle_rad), s = sin(angle_rad), t = 1.0 - c;
    double x = axis[0], y = axis[1], z = axis[2];
    double value[9] = {t * x * x + c,     t * x * y - s * z, t * x * z + s * y,
                       t * x * y + s * z, t * y * y + c,     t * y * z - s * x,
                       t * x * z - s * y, t * y * z + s * x, t * z * z + c};
    for (int i = 0; i < 9; i++)
        R[i] = value[i];
}

// Unit quaternion (w, x, y, z) -> rotation matrix.
static inline void rotation_quaternion(const double q[4], double R[9])
{
    double w = q[0], x = q[1], y = q[2], z = q[3];
    double value[9] = {1 - 2 * (y * y + z * z), 2 * (x * y - w * z),     2 * (x * z + w * y),
                       2 * (x * y + w * z),     1 - 2 * (x * x + z * z), 2 * (y * z - w * x),
                       2 * (x * z - w * y),     2 * (y * z + w * x),     1 - 2 * (x * x + y * y)};
    for (int i = 0; i < 9; i++)
        R[i] = value[i];
}

// Angle into (-pi, pi].
static inline double angle_wrap(double angle_rad)
{
    return remainder(angle_rad, 2.0 * M_PI);
}

// Rotation matrix -> unit quaternion with w >= 0.
static inline void quaternion_rotation(const double R[9], double q[4])
{
    const double sum[4] = {1 + R[0] + R[4] + R[8], 1 + R[0] - R[4] - R[8], 1 - R[0] + R[4] - R[8],
                           1 - R[0] - R[4] + R[8]}; // 4 q_i^2
    const double product[4][4] = {
        {sum[0], R[7] - R[5], R[2] - R[6], R[3] - R[1]},
        {R[7] - R[5], sum[1], R[1] + R[3], R[2] + R[6]},
        {R[2] - R[6], R[1] + R[3], sum[2], R[5] + R[7]},
        {R[3] - R[1], R[2] + R[6], R[5] + R[7], sum[3]},
    }; // 4 q_i q_j
    int largest = 0;
    for (int i = 1; i < 4; i++)
        if (sum[i] > sum[largest])
            largest = i;
    const double scale = (product[largest][0] < 0 ? -0.5 : 0.5) / sqrt(sum[largest]);
    for (int i = 0; i < 4; i++)
        q[i] = scale * product[largest][i];
}
