#include "model/description.h"

#include <libxml/parser.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/log.h"
#include "model/xml.h"

#define COUNT(array) (sizeof(array) / sizeof((array)[0]))
#define STANDARD_ID_MAX 0x7FF

static const char *const group_names[GROUP_COUNT] = {
    [GROUP_WAIST] = "waist",           [GROUP_NECK] = "neck",
    [GROUP_RIGHT_ARM] = "right-arm",   [GROUP_LEFT_ARM] = "left-arm",
    [GROUP_RIGHT_LEG] = "right-leg",   [GROUP_LEFT_LEG] = "left-leg",
    [GROUP_RIGHT_HAND] = "right-hand", [GROUP_LEFT_HAND] = "left-hand",
};

struct loading {
    const char *file;
    struct description *description;
    bool ok;
};

// Attributes that a group sets for its joints and a joint may set for itself; NAN: nobody has said
// yet.
struct limits {
    double position_min_rad, position_max_rad;
    double velocity_nominal_rad_s, acceleration_nominal_rad_s2;
    double velocity_max_rad_s, acceleration_max_rad_s2;
    double acceleration_wind_down_rad_s2, velocity_timeout_s;
};

#define LIMIT(field, minimum, maximum)                                                             \
    {                                                                                              \
#field, XML_REAL, &limits->field, 0, minimum, maximum, true                                \
    }
#define LIMIT_ATTRIBUTES                                                                           \
    LIMIT(position_min_rad, -100, 100), LIMIT(position_max_rad, -100, 100),                        \
        LIMIT(velocity_nominal_rad_s, 1e-6, 1000), LIMIT(acceleration_nominal_rad_s2, 1e-6, 1e6),  \
        LIMIT(velocity_max_rad_s, 1e-6, 1000), LIMIT(acceleration_max_rad_s2, 1e-6, 1e6),          \
        LIMIT(acceleration_wind_down_rad_s2, 1e-6, 1e6), LIMIT(velocity_timeout_s, 1e-3, 3600)

int description_board(const struct description *description, const char *name)
{
    for (unsigned i = 0; i < description->board_count; i++)
        if (strcmp(description->board[i].name, name) == 0)
            return (int)i;
    return -1;
}

// Which of the two boards' identifiers collide: two boards answering with one identifier overwrite
// each other's readings.
static const char *collision(const struct board_description *a, const struct board_description *b)
{
    if (strcmp(a->name, b->name) == 0)
        return "name";
    if (a->bus != b->bus)
        return NULL;
    if (a->id == b->id)
        return "id";
    if (a->link || b->link)
        return NULL;
    if (a->encoder_can_id == b->encoder_can_id)
        return "encoder_can_id";
    if (a->status_can_id == b->status_can_id)
        return "status_can_id";
    if (a->current_can_id == b->current_can_id)
        return "current_can_id";
    if (!a->finger && !b->finger && a->reference_can_id == b->reference_can_id)
        return "reference_can_id";
    return NULL;
}

static bool check_board(const struct loading *loading, const xmlNode *element,
                        const struct board_description *board)
{
    const struct description *description = loading->description;
    if (description->board_count == DESCRIPTION_BOARDS_MAX) {
        xml_complain(loading->file, element, "more than %d boards; remove some",
                     DESCRIPTION_BOARDS_MAX);
        return false;
    }
    for (unsigned i = 0; i < description->board_count; i++) {
        const char *what = collision(&description->board[i], board);
        if (!what)
            continue;
        xml_complain(loading->file, element,
                     "board \"%s\" has the same %s as board \"%s\"; give it one of its own",
                     board->name, what, description->board[i].name);
        return false;
    }
    return true;
}

// The kind of a board; it decides which attributes are owed.
static bool read_kind(const struct loading *loading, const xmlNode *element,
                      struct board_description *board)
{
    xmlChar *text = xmlGetNoNsProp(element, (const xmlChar *)"kind");
    const char *kind = text != NULL ? (const char *)text : "motor";
    board->finger = strcmp(kind, "finger") == 0;
    board->link = strcmp(kind, "link") == 0;
    const bool known = board->finger || board->link || strcmp(kind, "motor") == 0;
    if (!known)
        xml_complain(loading->file, element,
                     "kind=\"%.32s\": is unknown; use motor, finger or link", kind);
    xmlFree(text);
    return known;
}

static void read_board(struct loading *loading, const xmlNode *element)
{
    struct board_description board = {0};
    char kind[DESCRIPTION_NAME_MAX];
    bool ok = read_kind(loading, element, &board);
    const struct xml_attribute table[] = {
        {"name", XML_TEXT, board.name, sizeof board.name, 0, 0, false},
        {"id", XML_UNSIGNED, &board.id, 0, 0, 0xFF, false},
        {"bus", XML_UNSIGNED, &board.bus, 0, 0, 1, board.link},
        {"channels", XML_UNSIGNED, &board.channel_count, 0, 1, DESCRIPTION_BOARD_CHANNELS_MAX,
         false},
        {"kind", XML_TEXT, kind, sizeof kind, 0, 0, true},
        {"reference_can_id", XML_UNSIGNED, &board.reference_can_id, 0, 1, STANDARD_ID_MAX,
         board.link},
        {"encoder_can_id", XML_UNSIGNED, &board.encoder_can_id, 0, 1, STANDARD_ID_MAX, board.link},
        {"status_can_id", XML_UNSIGNED, &board.status_can_id, 0, 1, STANDARD_ID_MAX, board.link},
        {"current_can_id", XML_UNSIGNED, &board.current_can_id, 0, 1, STANDARD_ID_MAX, board.link},
    };
    ok &= xml_read_attributes(loading->file, element, table, COUNT(table));
    for (unsigned i = 0; i < COUNT(board.joint); i++)
        board.joint[i] = -1;
    if (ok && check_board(loading, element, &board))
        loading->description->board[loading->description->board_count++] = board;
    else
        loading->ok = false;
}

static bool check_limits(const struct loading *loading, const xmlNode *element,
                         const struct limits *limits)
{
    const struct {
        const char *name;
        double value;
    } required[] = {
        {"position_min_rad", limits->position_min_rad},
        {"position_max_rad", limits->position_max_rad},
        {"velocity_nominal_rad_s", limits->velocity_nominal_rad_s},
        {"acceleration_nominal_rad_s2", limits->acceleration_nominal_rad_s2},
        {"velocity_max_rad_s", limits->velocity_max_rad_s},
        {"acceleration_max_rad_s2", limits->acceleration_max_rad_s2},
        {"acceleration_wind_down_rad_s2", limits->acceleration_wind_down_rad_s2},
        {"velocity_timeout_s", limits->velocity_timeout_s},
    };
    bool ok = true;
    for (size_t i = 0; i < COUNT(required); i++) {
        if (!isnan(required[i].value))
            continue;
        xml_complain(loading->file, element, "%s is missing; add it to the joint or its group",
                     required[i].name);
        ok = false;
    }
    if (limits->position_min_rad >= limits->position_max_rad) {
        xml_complain(
            loading->file, element,
            "position_min_rad=\"%g\": is not below position_max_rad=\"%g\"; swap or correct them",
            limits->position_min_rad, limits->position_max_rad);
        ok = false;
    }
    if (limits->velocity_nominal_rad_s > limits->velocity_max_rad_s) {
        xml_complain(loading->file, element,
                     "velocity_nominal_rad_s=\"%g\": exceeds velocity_max_rad_s=\"%g\"; lower it",
                     limits->velocity_nominal_rad_s, limits->velocity_max_rad_s);
        ok = false;
    }
    if (limits->acceleration_nominal_rad_s2 > limits->acceleration_max_rad_s2) {
        xml_complain(
            loading->file, element,
            "acceleration_nominal_rad_s2=\"%g\": exceeds acceleration_max_rad_s2=\"%g\"; lower it",
            limits->acceleration_nominal_rad_s2, limits->acceleration_max_rad_s2);
        ok = false;
    }
    return ok;
}

// Finds the joint's place among joints and boards and says what is wrong with it.
static bool check_joint(const struct loading *loading, const xmlNode *element,
                        struct joint_description *joint, const char *board_name)
{
    const struct description *description = loading->description;
    if (description->joint_count == ROBOT_JOINTS_MAX) {
        xml_complain(loading->file, element, "more than %d joints; remove some", ROBOT_JOINTS_MAX);
        return false;
    }
    if (description_joint(description, joint->name) >= 0) {
        xml_complain(loading->file, element,
                     "name=\"%s\": this joint is there already; give it a name of its own",
                     joint->name);
        return false;
    }
    int index = description_board(description, board_name);
    if (index < 0) {
        xml_complain(loading->file, element, "board=\"%s\": no such board; declare it in <boards>",
                     board_name);
        return false;
    }
    const struct board_description *board = &description->board[index];
    if (joint->channel >= board->channel_count) {
        xml_complain(loading->file, element, "channel=\"%u\": board %s has %u; use 0 to %u",
                     joint->channel, board_name, board->channel_count, board->channel_count - 1);
        return false;
    }
    if (board->joint[joint->channel] >= 0) {
        xml_complain(loading->file, element,
                     "channel=\"%u\": of board %s drives joint %s already; choose another",
                     joint->channel, board_name,
                     description->joint[board->joint[joint->channel]].name);
        return false;
    }
    if (joint->ticks_per_rad == 0) {
        xml_complain(loading->file, element,
                     "ticks_per_rad=\"0\": must not be 0; write the gear's ticks per radian");
        return false;
    }
    joint->board = (unsigned)index;
    return true;
}

static void read_joint(struct loading *loading, const xmlNode *element, enum joint_group group,
                       const struct limits *group_limits)
{
    struct limits own = *group_limits, *limits = &own;
    struct joint_description joint = {.group = group};
    char board[DESCRIPTION_NAME_MAX] = "";
    const struct xml_attribute table[] = {
        {"name", XML_TEXT, joint.name, sizeof joint.name, 0, 0, false},
        {"board", XML_TEXT, board, sizeof board, 0, 0, false},
        {"channel", XML_UNSIGNED, &joint.channel, 0, 0, DESCRIPTION_BOARD_CHANNELS_MAX - 1, false},
        {"ticks_per_rad", XML_REAL, &joint.ticks_per_rad, 0, -1e9, 1e9, false},
        {"torque_max_Nm", XML_REAL, &joint.torque_max_Nm, 0, 1e-3, 1e5, true},
        LIMIT_ATTRIBUTES,
    };
    bool ok = xml_read_attributes(loading->file, element, table, COUNT(table)) &&
              check_joint(loading, element, &joint, board);
    ok &= check_limits(loading, element, limits);
    if (!ok) {
        loading->ok = false;
        return;
    }
    joint.position_min_rad = own.position_min_rad;
    joint.position_max_rad = own.position_max_rad;
    joint.velocity_nominal_rad_s = own.velocity_nominal_rad_s;
    joint.acceleration_nominal_rad_s2 = own.acceleration_nominal_rad_s2;
    joint.velocity_max_rad_s = own.velocity_max_rad_s;
    joint.acceleration_max_rad_s2 = own.acceleration_max_rad_s2;
    joint.acceleration_wind_down_rad_s2 = own.acceleration_wind_down_rad_s2;
    joint.velocity_timeout = duration_s(own.velocity_timeout_s);

    struct description *description = loading->description;
    description->board[joint.board].joint[joint.channel] = (int)description->joint_count;
    description->joint[description->joint_count++] = joint;
}

static void read_group(struct loading *loading, const xmlNode *element)
{
    struct limits own = {NAN, NAN, NAN, NAN, NAN, NAN, NAN, NAN}, *limits = &own;
    char name[DESCRIPTION_NAME_MAX] = "";
    const struct xml_attribute table[] = {
        {"name", XML_TEXT, name, sizeof name, 0, 0, false},
        LIMIT_ATTRIBUTES,
    };
    if (!xml_read_attributes(loading->file, element, table, COUNT(table)))
        loading->ok = false;
    enum joint_group group = 0;
    while (group < GROUP_COUNT && strcmp(name, group_names[group]) != 0)
        group++;
    if (group == GROUP_COUNT) {
        xml_complain(loading->file, element,
                     "name=\"%s\": no such group; use waist, neck, right-arm, left-arm, right-leg, "
                     "left-leg, right-hand or "
                     "left-hand",
                     name);
        loading->ok = false;
        return;
    }
    for (const xmlNode *node = element->children;
         (node = xml_next_element(loading->file, node, &loading->ok)); node = node->next) {
        if (strcmp((const char *)node->name, "joint") == 0) {
            read_joint(loading, node, group, limits);
            continue;
        }
        xml_complain(loading->file, node, "unknown element in <group>; only <joint> belongs here");
        loading->ok = false;
    }
}

// Reads the children of <boards> or <joints>, which are all called `child`.
static void read_list(struct loading *loading, const xmlNode *element, const char *child,
                      void (*read)(struct loading *loading, const xmlNode *element))
{
    if (!xml_read_attributes(loading->file, element, NULL, 0))
        loading->ok = false;
    for (const xmlNode *node = element->children;
         (node = xml_next_element(loading->file, node, &loading->ok)); node = node->next) {
        if (strcmp((const char *)node->name, child) == 0) {
            read(loading, node);
            continue;
        }
        xml_complain(loading->file, node, "unknown element in <%s>; only <%s> belongs here",
                     (const char *)element->name, child);
        loading->ok = false;
    }
}

static void read_robot(struct loading *loading, const xmlNode *root)
{
    struct description *description = loading->description;
    if (strcmp((const char *)root->name, "robot") != 0) {
        xml_complain(loading->file, root,
                     "is not a robot description; its first element must be <robot>");
        loading->ok = false;
        return;
    }
    const struct xml_attribute table[] = {
        {"name", XML_TEXT, description->name, sizeof description->name, 0, 0, false},
    };
    if (!xml_read_attributes(loading->file, root, table, COUNT(table)))
        loading->ok = false;
    for (const xmlNode *node = root->children;
         (node = xml_next_element(loading->file, node, &loading->ok)); node = node->next) {
        if (strcmp((const char *)node->name, "boards") == 0) {
            read_list(loading, node, "board", read_board);
        } else if (strcmp((const char *)node->name, "joints") == 0) {
            read_list(loading, node, "group", read_group);
        } else {
            xml_complain(loading->file, node,
                         "unknown element; only <boards> and <joints> belong here");
            loading->ok = false;
        }
    }
    if (loading->ok && description->joint_count == 0) {
        xml_complain(loading->file, root, "has no joints; add <boards> and <joints>");
        loading->ok = false;
    }
}

enum status description_load(const char *path, struct description **description)
{
    *description = NULL;
    xmlDoc *document = xml_read(path);
    if (!document)
        return STATUS_INVALID;
    struct loading loading = {path, calloc(1, sizeof(struct description)), true};
    if (!loading.description) {
        xmlFreeDoc(document);
        return STATUS_NO_MEMORY;
    }
    read_robot(&loading, xmlDocGetRootElement(document));
    xmlFreeDoc(document);
    if (!loading.ok) {
        description_free(loading.description);
        return STATUS_INVALID;
    }
    *description = loading.description;
    return STATUS_OK;
}

struct description *description_none(void)
{
    return calloc(1, sizeof(struct description));
}

void description_free(struct description *description)
{
    free(description);
}

int description_joint(const struct description *description, const char *name)
{
    for (unsigned i = 0; i < description->joint_count; i++)
        if (strcmp(description->joint[i].name, name) == 0)
            return (int)i;
    return -1;
}

const struct board_description *description_reference_board(const struct description *description,
                                                            uint32_t bus, uint32_t can_id)
{
    for (unsigned b = 0; b < description->board_count; b++) {
        const struct board_description *board = &description->board[b];
        if (board->bus == bus && board->reference_can_id == can_id && !board->finger)
            return board;
    }
    return NULL;
}
