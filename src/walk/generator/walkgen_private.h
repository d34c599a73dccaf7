// The inside of walkgen.
#pragma once

#include "walk/zmp/preview.h"
#include "walk/zmp/velocity_walk.h"
#include "walk/generator/walk_strategy.h"
#include "walk/zmp/zmp_pbw.h"

#define WALK_STEPS_MAX 512
#define WALK_AHEAD_MAX 4096   // references in the ring: 2 windows and a block; a power of two
#define WALK_BLOCK_MAX 1500   // samples of a step
#define WALK_PIPE_MAX 512     // samples between the first and the second preview; a power of two
#define WALK_SMOOTHING_MAX 64 // weights
#define WALK_PLUGINS_MAX 16
#define WALK_MARKS_MAX 48 // more than the shortest steps in the references
#define WALK_PLAN_MAX 400 // samples of a quadratic program
#define WALK_REASON_MAX 240
#define WALK_STEPS_SEEN 4 // ahead, by a centre of mass in closed form
#define WALK_PIECES_MAX (2 * (WALK_STEPS_SEEN + 3))
#define WALK_PIECE_TERMS 5
#define WALK_CLOSING 2       // landings that a walk by a velocity still needs to come to rest
#define WALK_CALM_PERIODS 16 // of such a walk after a force, before the next one

// From where :ChangeNextStep counts: the place on the spot of the foot whose turn it is; the step
// that was planned; the middle between the feet at the start.
enum walk_frame { WALK_FROM_SPOT, WALK_FROM_PLAN, WALK_FROM_START };

// What commands set. Numbers of the table in walk_parameters.c come first; units are the commands'.
struct walk_settings {
    double period_s, window_s, com_height_m;
    double single_s, double_s, lift_m, omega_deg;
    double arm_gain;
    double mode;            // :walkmode
    double distribution[4]; // :TimeDistributeParameters
    double upper_body[3];   // :UpperBodyMotionParameters; deg of waist, shoulders, elbows
    double zmp_shift_m[4];  // :ZMPShiftParameters: begin, end of the first foot's swing over an
                            // obstacle; begin, end of the second foot's
    double toe[3];          // :ToeParameters: behind the ankle, beyond the joint, share of Tss
    double limits;          // :LimitsFeasibility; 1: joints' limits are looked at, too
    double slope_x_m, slope_deg, slope_length_m; // :slope; from x on, up if positive
    double obstacle[7];                          // x y z yaw_deg height width depth
    bool obstacle_known;
    // :setpbwconstraint: margins of the soles in all, period and number of the plan's samples
    double plan_margin_m[2], plan_period_s, plan_samples;
    double foot_margin_m[2]; // :setfeetconstraint: of the area where a foot may land, in all
    double feet_apart_m;     // :setDSFeetDistance; 0: as the robot stands
    double stop_steps;       // :numberstepsbeforestop; 0: without a velocity it steps on the spot
    double stairs;           // :stepstairon
    bool times_set;          // a command has set single_s or double_s
    bool first_itself;       // :SetAutoFirstStep: a sequence begins with the foot that stands
    bool filter;             // second preview
    bool zmp_in_world;       // :SetZMPFrame
    unsigned realisation, dynamics, trajectory, zmp;
    enum walk_frame change_frame; // :onlinechangestepframe
};

// What waits to be done; a command works on a copy.
struct walk_request {
    struct walk_settings settings;
    struct walk_step step[WALK_STEPS_MAX]; // a ring
    unsigned first, count;
    bool open;          // a sequence is under way or waits: the next step belongs to it
    bool held;          // it waits for :finish
    bool sequencing;    // on line: no end without :StopOnLineStepSequencing
    bool changing;      // steps may give way to others (walkgen_change)
    bool left;          // its last step is a left foot's
    bool online;        // :HerdtOnline, :NaveauOnline; until :stoppg
    bool driven;        // walks by a velocity (walkgen_velocity.c)
    double velocity[3]; // forward, left (m/s), turn (rad/s)
    double load_m[2];   // of velocity_walk.h, forward and left
    unsigned landings;  // until such a walk rests; 0: it goes on
    double force_N[2];  // on the centre of mass in the next period, forward and left
    unsigned circles;
    struct velocity_walk_obstacle circle[VELOCITY_WALK_OBSTACLES_MAX];
    double width_m;        // between the feet, of a step on the spot
    struct walk_step last; // its last step
    // Of the last step, if it is too long to be the last one of a walk; else 0.
    double restless_m;
};

struct walk_trial {
    const struct walkgen *walkgen;
    struct walk_request request;
    char reason[WALK_REASON_MAX];
    bool patient; // what takes long is only begun
    int mark;     // from which what is asked for goes on; -1: from the end of what is made
};

// A sample of the reference beside its ZMP.
struct walk_reference {
    struct walk_foot foot[SIDE_COUNT];
    double waist_m, yaw_rad;       // height beside the standing one
    double floor_m;                // height of the ZMP
    double phase;                  // of two steps
    double upper_rad[3], arm_gain; // see walk_maker
    uint32_t support, step;
    double toe_rad[SIDE_COUNT], toe_moment_Nm[SIDE_COUNT]; // upwards; of the ground on the toe
    bool over;                                             // a foot swings over an obstacle
    bool planned;     // together with the centre of mass, which preview control need not find
    double com[2][3]; // position, velocity, acceleration
    double load_m[2]; // by which its ZMP is ahead of the floor's, world frame
};

struct walk_start { // the pose it all starts from
    double com_m[2], waist_m[3], com_to_waist_m[2];
    struct walk_reference reference;
};

// Makes references: where the sequence has got to.
struct walk_maker {
    bool walking;
    struct pose2d support, before; // of the sequence; feet may stand a little beside at the start
    enum side side;                // of `support`
    struct walk_foot foot[SIDE_COUNT];
    double floor_m[2]; // of support and before
    double waist_m, yaw_rad;
    double upper_rad[3], arm_gain; // given: waist, shoulders, elbows beside standing; arm swing
    double roll_rad[SIDE_COUNT];   // feet turn about their toes from where `foot` is
    double toe_rad[SIDE_COUNT];    // a toe comes down later than its foot
    double stride_m;               // of the last step
    struct walk_step last;         // the same; of a sequence that begins, from foot to foot
    // Of a centre of mass in closed form: it comes to rest next; else the next step has been taken
    // to last so long, and so many steps on the spot come before those that wait.
    bool closes;
    double next_single_s, next_double_s;
    unsigned spots;
    uint32_t blocks;
    unsigned weights;
    double weight[WALK_SMOOTHING_MAX];
};

// Before a step whose place another one may take, or the end of a walk (walkgen_revise.c).
struct walk_mark {
    int64_t made;
    int64_t lift, landing; // of the step; of the end, both are when it begins
    struct walk_maker maker;
    bool left;
    struct walk_step last; // of the request
};

struct walk_plan { // of the centre of mass, by a quadratic program
    struct pbw *pbw;
    struct pbw_polygon polygon[WALK_PLAN_MAX];
    double reference_m[WALK_PLAN_MAX][2], jerk_m_s3[WALK_PLAN_MAX][2];
};

// A part of the way of a centre of mass in closed form: its ZMP is a polynomial in time, the
// coefficient of t^n at [axis][n].
struct walk_piece {
    unsigned samples;
    double length_s, zmp[2][WALK_PIECE_TERMS];
};

struct walk_analytic { // a block of references, and what will follow it
    struct walk_piece piece[WALK_PIECES_MAX];
    unsigned count;
    double at_m[2];        // where the ZMP of the last piece ends
    double start[2][2][2]; // of the block's two pieces: [axis][position, velocity]
};

struct walk_driven { // walking by a velocity
    struct velocity_walk walk;
    bool walking;
    unsigned step_samples;     // periods from landing to landing
    unsigned rest;             // periods since the centre of mass came to rest
    unsigned calm;             // periods since the last force
    double load_m[2];          // forward and left, as it is now
    struct walk_settings step; // as they were when the foot lifted that swings
    double swing[3][3];        // x, y, yaw of the swing foot: position, velocity, acceleration
    double yaw_offset_rad;     // of the waist beside the mean of the feet
};

// One of the two chains of postures, sample after sample.
struct walk_chain {
    int64_t sample; // of the newest posture
    struct preview_state state[2];
    bool taken_over;                       // the state is not preview control's own
    struct walk_body_pose pose[2];         // newest: [sample % 2]
    struct walk_body_momentum momentum[2]; // to the newest: [sample % 2]
    double offset_m[2][2];                 // waist - com, of the last two
};

struct walkgen {
    struct walk_body body;
    unsigned joint_count;
    double stand_rad[ROBOT_JOINTS_MAX];
    struct walk_start start;
    double stance_m;                             // between the feet
    struct preview_gains gains, filter_gains[2]; // of the two previews
    // A move of the second preview's pendulum, whose height is the lever, is so much of the
    // robot's.
    double filter_share[2], filter_lever_m[2];
    unsigned window;   // samples
    unsigned standing; // before the first step can begin; 0: two windows
    struct walk_request request;
    struct walk_trial trial;
    struct walkgen *rehearsal; // another one, on which plans over obstacles are tried
    struct walk_search *search;
    bool searching;
    struct walk_line line;
    const struct walk_plugin *plugin[WALK_PLUGINS_MAX];
    struct walkgen_counts counts;

    int64_t made;                        // references since the start
    double zmp_m[2][2 * WALK_AHEAD_MAX]; // twice in a row: each window is in one piece
    struct walk_reference reference[WALK_AHEAD_MAX];
    struct walk_maker maker;
    double raw_m[WALK_AHEAD_MAX][2];       // ZMP of a block
    struct walk_mark mark[WALK_MARKS_MAX]; // of the last steps that may be others, in a row
    unsigned marks;
    struct walk_plan plan;
    struct walk_driven driven;
    struct walk_analytic analytic;
    struct velocity_walk rehearsed; // memory of the rehearsal's

    int64_t tick; // the sample that the next tick says
    int64_t end;  // the first at which a motion has ended
    struct walk_chain first, second;
    int64_t known; // the newest sample that the first chain has been to
    double first_com_m[WALK_PIPE_MAX][2][3];
    double first_error_sum[WALK_PIPE_MAX][2];
    double first_offset_m[WALK_PIPE_MAX][2];
    double unfiltered_m[WALK_PIPE_MAX][2];
    double delta_m[2][2 * WALK_PIPE_MAX];
    double leg_rad[4][SIDE_COUNT][LEG_JOINTS]; // of samples: [sample % 4]
    double upper_rad[4][WALK_UPPER_JOINTS];
    double waist_m[4][3];
    bool reachable[4];
};

// Where the FIFOs between both previews keep a sample.
#define WALK_PIPE(sample) ((sample) & (WALK_PIPE_MAX - 1))

// The files stand in this order, each above those that it uses: walkgen.c; walkgen_command.c,
// walk_plugins.c, walk_steps.c, walk_velocity.c, walk_parameters.c; step_over.c; walkgen_revise.c;
// walkgen_tick.c; walkgen_output.c, walkgen_stages.c; walkgen_reference.c; walkgen_analytic.c;
// walkgen_start.c; walkgen_request.c; walk_reach.c, walkgen_velocity.c, walkgen_plan.c;
// walk_strategies.c; walk_floor.c, walk_upper.c, walk_posture.c, walk_toe.c; walk_made.c,
// walk_refuse.c.

// ---- what is made (walk_made.c)
// Adds one; the ring has room for what a tick needs and a block.
void walk_reference_append(struct walkgen *walkgen, const struct walk_reference *reference,
                           const double zmp_m[2]);
struct walk_reference walk_reference_standing(const struct walk_maker *maker);
const struct walk_reference *walk_reference_at(const struct walkgen *walkgen, int64_t sample);
// The ZMP's reference from a sample on.
const double *walk_zmp_from(const struct walkgen *walkgen, int axis, int64_t sample);
// Samples of a time.
unsigned walk_samples(double time_s, double period_s);
// Between the feet, where the sequence has got to.
struct pose2d walk_middle(const struct walk_maker *maker);
struct pose2d walk_foot_pose(const struct walk_foot *foot);
// Of the ZMP forward on the foot that carries, as a step's single support begins and ends.
void walk_step_shift(const struct walk_settings *settings, const struct walk_step *step,
                     double shift_m[2]);
// A sequence's next foot from the one that carries.
struct pose2d walk_step_pose(struct pose2d support, const struct walk_step *step);
// To be called before a step on the spot is made; where steps may be changed, before each one, and
// before the end of the walk (NULL).
void walk_reference_mark(struct walkgen *walkgen, const struct walk_step *step);

// ---- posture (walk_posture.c)
// What a reference and a centre of mass ask of a realisation.
struct walk_posture walk_posture_wanted(const struct walkgen *walkgen,
                                        const struct walk_settings *settings,
                                        const struct walk_reference *reference,
                                        const double com_m[2]);

// ---- start (walkgen_start.c)
// The start from the joints' angles. NULL: those of the model, and the centre of mass is brought
// over the middle between the feet. UNREACHABLE: it does not stand so.
enum status walk_start_find(struct walkgen *walkgen, const double *joint_rad) MUST_CHECK;
// Gains and standing references for other settings, before the first tick. INVALID: no gains.
enum status walk_gains(struct walkgen *walkgen, const struct walk_settings *settings) MUST_CHECK;

// ---- stages of a tick (walkgen_stages.c)
// Both chains at rest in sample 0, before the first tick.
void walk_stages_begin(struct walkgen *walkgen);
// Stages 1 to 3: the first chain to as far as a tick looks. After a change it gets there in some
// ticks: until then what it knew of the samples ahead, which the change moves little, is good
// enough.
void walk_stages_run_ahead(struct walkgen *walkgen);
// Stages 4 and 5: one sample further. multibody_m: of the sample before.
void walk_stages_second(struct walkgen *walkgen, double multibody_m[2]);
// Takes the first chain back to a sample that the next ticks have not used.
void walk_rewind(struct walkgen *walkgen, int64_t sample);

// ---- output (walkgen_output.c)
// All but zmp_multibody_m of the sample of this tick. second: the state of the second preview;
// com_m of the realised posture.
void walk_output_say(const struct walkgen *walkgen, const struct preview_state second[2],
                     const double com_m[3], struct walkgen_output *out);

// ---- references (walkgen_reference.c)

void walk_references_begin(struct walkgen *walkgen);
// Makes them until there are `count` since the start.
void walk_references_make(struct walkgen *walkgen, int64_t count);
// How a foot swings over an obstacle.
const struct walk_trajectory *walk_trajectory_over(void);

// ---- steps in place of those on the spot (walkgen_revise.c)
// Looks which of the steps on the spot may still be another one: `request` then goes on from there.
void walk_revise_offer(struct walk_trial *trial);
// Drops what waits, but for the first `kept` elements, of which `fixed` are where a foot stands.
void walk_revise_drop(struct walk_trial *trial, unsigned kept, unsigned fixed);
// The trial is taken: forgets the steps on the spot from its mark on, if it has others.
void walk_revise_take(struct walkgen *walkgen);

// ---- upper body (walk_upper.c)
// At a share of the way from where it is to what the settings want.
void walk_upper_move(const struct walk_maker *maker, const struct walk_settings *settings,
                     double share, struct walk_reference *now);
// As it stands.
void walk_upper_stand(const struct walk_body *body, double upper_rad[WALK_UPPER_JOINTS]);
// At a reference, the waist being at waist_m.
void walk_upper_posture(const struct walkgen *walkgen, const struct walk_reference *reference,
                        const double waist_m[2], double upper_rad[WALK_UPPER_JOINTS]);
// The posture that the settings give: waist, shoulders, elbows beside standing.
void walk_upper_wanted(const struct walk_settings *settings, double upper_rad[3]);
// INVALID after walk_refuse: the robot has no such joints, or they do not reach.
enum status walk_upper_check(struct walk_trial *trial) MUST_CHECK;

// ---- toes (walk_toe.c)
// Where the ZMP goes on a foot after a stride that has been made, before one that is to come.
void walk_toe_block(const struct walk_toe *toe, const struct walk_settings *settings,
                    double stride_m, double stride_before_m, struct walk_block *block);
// The moment of the ground on a toe about its hinge (equation 13), the foot carrying a share of the
// weight. The hinge lies on the floor: the force along it has no moment.
double walk_toe_moment(const struct walk_body *body, const struct pose2d *foot, double share,
                       const double zmp_m[2]);
// The share of the weight that is still where the ZMP comes from.
double walk_toe_share(const double from_m[2], const double to_m[2], const double zmp_m[2]);
// The toe's angle one period later (equation 14).
double walk_toe_yield(const struct walk_toe *toe, double angle_rad, double moment_Nm,
                      double period_s);
// A toe that its foot no longer bends comes down by itself.
double walk_toe_relax(const struct walk_toe *toe, double angle_rad, double roll_rad,
                      double period_s);
// Turns a foot about its toe's hinge, heel up.
void walk_toe_roll(double hinge_m, double angle_rad, struct walk_foot *foot);

// ---- floor (walk_floor.c)
// Height of a foot at a share u of its swing, between the floors of both ends.
double walk_swing_climb(double from_m, double to_m, double u);
// Pitches a foot at a share u of its swing: from its slope to the next, over toes and heel.
void walk_swing_roll(const struct walk_swing *swing, double u, struct walk_foot *foot);
// Height and pitch (toes down positive) of a slope.
double walk_floor_m(const struct walk_settings *settings, double x_m);
double walk_floor_pitch_rad(const struct walk_settings *settings, double x_m);
// Where the last step that waits will put its foot, or where the foot is that carries then.
struct pose2d walk_last_place(const struct walk_trial *trial);
// Whether a step behind those that wait comes down well. INVALID after walk_refuse.
enum status walk_floor_check(struct walk_trial *trial, const struct walk_step *step) MUST_CHECK;

// ---- reach (walk_reach.c)
// Whether the legs are long enough for a step behind those that wait. INVALID after walk_refuse.
enum status walk_reach_check(struct walk_trial *trial, const struct walk_step *step) MUST_CHECK;
// Whether its double support lets the step before it come down. INVALID after walk_refuse.
enum status walk_reach_double(struct walk_trial *trial, const struct walk_step *step) MUST_CHECK;
// Whether the walk may end behind the last step that waits, if it does so. INVALID after
// walk_refuse.
enum status walk_reach_rest(struct walk_trial *trial) MUST_CHECK;

// ---- plans (walkgen_plan.c)
enum status walk_plan_create(struct walkgen *walkgen) MUST_CHECK;
// Takes period and height over. INVALID: not a quadratic program's.
enum status walk_plan_set(struct walkgen *walkgen, const struct walk_settings *settings) MUST_CHECK;
// Whether a plan's samples are periods of the generator, and within its window.
bool walk_plan_fits(const struct walk_settings *settings);
// The first preview's centre of mass, one sample further.
void walk_plan_step(struct walkgen *walkgen);

// ---- a centre of mass in closed form (walkgen_analytic.c)
// Solves a block from where the references have got to: a step that has been taken from the stack,
// false if it comes so late that the ZMP would leave the foot; the end, whose ZMP is in the middle
// after `shift` samples; or, from rest, samples on both feet before the first step, and how many.
bool walk_analytic_step(struct walkgen *walkgen, const struct walk_step *step,
                        const struct walk_block *block);
void walk_analytic_end(struct walkgen *walkgen, unsigned shift, const double middle_m[2]);
unsigned walk_analytic_sway(struct walkgen *walkgen, const struct walk_step *step);
// Sample i of the block.
void walk_analytic_sample(const struct walkgen *walkgen, unsigned i, double com[2][3],
                          double zmp_m[2]);

// ---- walking by a velocity (walkgen_velocity.c)
enum status walk_driven_create(struct walkgen *walkgen) MUST_CHECK;
// Whether the robot stands and nothing waits.
bool walk_at_rest(const struct walkgen *walkgen);
// INVALID after walk_refuse: settings that walking by a velocity cannot do.
enum status walk_driven_check(struct walk_trial *trial) MUST_CHECK;
// Periods from landing to landing; 0: not what the times of support ask for.
unsigned walk_driven_samples(const struct walk_settings *settings);
// The fastest that its feet can do: forward, aside (m/s), turning (rad/s).
void walk_driven_fastest(const struct walkgen *walkgen, const struct walk_settings *settings,
                         double most[3]);
// Makes the references of its next period, or of a sample at rest.
void walk_driven_make(struct walkgen *walkgen);

// ---- requests (walkgen_request.c)
// Whether the settings allow a step on the spot. INVALID after walk_refuse.
enum status walk_request_check(struct walk_trial *trial) MUST_CHECK;
void walk_request_defaults(const struct walkgen *walkgen, struct walk_request *request);
// Puts a step behind those that wait. INVALID: refused.
enum status walk_request_add(struct walk_trial *trial, const struct walk_step *step) MUST_CHECK;
bool walk_request_take(struct walk_request *request, struct walk_step *step);
// The first element of a sequence that begins with the foot of a side where it stands.
struct walk_step walk_request_foot(const struct walkgen *walkgen, enum side side);
// A step on the spot of the foot to swing next.
struct walk_step walk_request_spot(const struct walk_request *request, bool left);

// ---- plug-ins that are always there
extern const struct walk_plugin walk_parameters, walk_steps, walk_velocity, walk_step_over;

// ---- stepping over an obstacle (step_over.c)
// Plans the way to the obstacle and over it, and puts its steps on the stack. INVALID: refused.
// BUSY: the trial is patient, and walk_search_go_on does the rest.
enum status walk_step_over_plan(struct walk_trial *trial, const struct walk_line *line) MUST_CHECK;
// The search for a plan, for as long as that many periods of a rehearsal take, about. BUSY: it is
// not done.
enum status walk_search_go_on(struct walk_trial *trial, unsigned periods) MUST_CHECK;
struct walk_search *walk_search_create(void); // NULL: no memory; free with free()
size_t walk_search_memory(void);
