#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "model/solids_private.h"

#define COUNT(array) (sizeof(array) / sizeof((array)[0]))
#define NUMBERS_MAX 4
#define EXPRESSION_MAX 128
#define DEGREE (3.14159265358979323846 / 180)

void solids_refuse(struct solids_reading *reading, const xmlNode *element, const char *format, ...)
{
    char text[256];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    xml_complain(reading->file, element, "%s", text);
    reading->ok = false;
}

static const struct solids_child *child_called(const struct solids_child *table, size_t count,
                                               const xmlNode *node)
{
    for (size_t i = 0; i < count; i++)
        if (strcmp((const char *)node->name, table[i].name) == 0)
            return &table[i];
    return NULL;
}

void solids_children(struct solids_reading *reading, const xmlNode *element,
                     const struct solids_child *table, size_t count, void *into)
{
    uint32_t seen = 0;
    for (const xmlNode *node = element->children;
         (node = xml_next_element(reading->file, node, &reading->ok)); node = node->next) {
        const struct solids_child *child = child_called(table, count, node);
        if (child == NULL) {
            solids_refuse(reading, node, "does not belong into <%s>; remove it",
                          (const char *)element->name);
            continue;
        }
        const uint32_t bit = 1u << (child - table);
        if ((seen & bit) != 0 && !child->many)
            solids_refuse(reading, node, "is there twice; remove one");
        seen |= bit;
        if (child->read != NULL)
            child->read(reading, node, into);
    }
    for (size_t i = 0; i < count; i++)
        if (table[i].needed && (seen & 1u << i) == 0)
            solids_refuse(reading, element, "<%s .../> is missing; add it", table[i].name);
}

bool solids_numbers(struct solids_reading *reading, const xmlNode *element,
                    const struct solids_number *table, size_t count)
{
    char text[NUMBERS_MAX][EXPRESSION_MAX] = {{0}};
    struct xml_attribute attribute[NUMBERS_MAX] = {{0}};
    for (size_t i = 0; i < count; i++)
        attribute[i] = (struct xml_attribute){
            table[i].name, XML_TEXT, text[i], EXPRESSION_MAX, 0, 0, table[i].optional};
    bool ok = xml_read_attributes(reading->file, element, attribute, count);
    for (size_t i = 0; i < count; i++) {
        const char *why;
        if (text[i][0] == '\0' ||
            arithmetic_value(&reading->arithmetic, text[i], table[i].value, &why))
            continue;
        xml_complain(reading->file, element, "%s=\"%.40s\": %s", table[i].name, text[i], why);
        ok = false;
    }
    reading->ok &= ok;
    return ok;
}

bool solids_text(struct solids_reading *reading, const xmlNode *element, const char *name,
                 char text[SOLIDS_NAME_MAX])
{
    const struct xml_attribute table[] = {{name, XML_TEXT, text, SOLIDS_NAME_MAX, 0, 0, false}};
    const bool ok = xml_read_attributes(reading->file, element, table, 1);
    reading->ok &= ok;
    return ok;
}

void solids_vector(struct solids_reading *reading, const xmlNode *element, double vector[3],
                   bool optional)
{
    const struct solids_number table[] = {
        {"x", &vector[0], optional}, {"y", &vector[1], optional}, {"z", &vector[2], optional}};
    (void)solids_numbers(reading, element, table, COUNT(table));
}

void solids_read_rotation(struct solids_reading *reading, const xmlNode *element, void *into)
{
    double degrees[3] = {0, 0, 0}, *rotation_rad = into;
    solids_vector(reading, element, degrees, true);
    for (int i = 0; i < 3; i++)
        rotation_rad[i] = degrees[i] * DEGREE;
}

// ---- one solid ----------------------------------------------------------------------------------

static void read_id(struct solids_reading *reading, const xmlNode *element, void *into)
{
    struct solid *solid = into;
    (void)solids_text(reading, element, "value", solid->id);
}

static void read_position(struct solids_reading *reading, const xmlNode *element, void *into)
{
    struct solid *solid = into;
    solids_vector(reading, element, solid->position_m, false);
}

static void read_rotation(struct solids_reading *reading, const xmlNode *element, void *into)
{
    struct solid *solid = into;
    solids_read_rotation(reading, element, solid->rotation_rad);
}

static void read_mass(struct solids_reading *reading, const xmlNode *element, void *into)
{
    struct solid *solid = into;
    const struct solids_number table[] = {{"value", &solid->mass_kg, false}};
    if (solids_numbers(reading, element, table, 1) && !(solid->mass_kg > 0))
        solids_refuse(reading, element, "value: a mass of %g kg: must be greater than 0",
                      solid->mass_kg);
}

static void read_name(struct solids_reading *reading, const xmlNode *element, void *into)
{
    struct solid *solid = into;
    xmlChar *text = xmlGetNoNsProp(element, (const xmlChar *)"Eng");
    (void)reading;
    if (text != NULL)
        snprintf(solid->name, sizeof solid->name, "%.31s", (const char *)text);
    xmlFree(text);
}

static void read_cuboid_size(struct solids_reading *reading, const xmlNode *element, void *into)
{
    struct solid *solid = into;
    solids_vector(reading, element, solid->size_m, false);
}

// The radius is called x, too.
static void read_cylinder_size(struct solids_reading *reading, const xmlNode *element, void *into)
{
    struct solid *solid = into;
    double y = 0;
    const bool named = xmlHasProp(element, (const xmlChar *)"radius") != NULL;
    const struct solids_number table[] = {{named ? "radius" : "x", &solid->size_m[0], false},
                                          {"y", &y, true},
                                          {"z", &solid->size_m[2], false}};
    (void)solids_numbers(reading, element, table, COUNT(table));
}

static void read_radius(struct solids_reading *reading, const xmlNode *element, void *into)
{
    struct solid *solid = into;
    const struct solids_number table[] = {{"value", &solid->size_m[0], false}};
    (void)solids_numbers(reading, element, table, COUNT(table));
}

static const char *const shape_names[] = {"cuboid", "cylinder", "sphere"};

// The shape that the element's name says: the first if it says none.
static enum solid_shape shape_of(const xmlNode *element)
{
    for (size_t i = 0; i < COUNT(shape_names); i++)
        if (strcmp((const char *)element->name, shape_names[i]) == 0)
            return (enum solid_shape)i;
    return SOLID_CUBOID;
}

static void check_size(struct solids_reading *reading, const xmlNode *element,
                       const struct solid *solid)
{
    static const bool used[][3] = {[SOLID_CUBOID] = {true, true, true},
                                   [SOLID_CYLINDER] = {true, false, true},
                                   [SOLID_SPHERE] = {true, false, false}};
    for (int i = 0; i < 3; i++)
        if (used[solid->shape][i] && !(solid->size_m[i] > 0)) {
            solids_refuse(reading, element, "a size of %g m: must be greater than 0",
                          solid->size_m[i]);
            return;
        }
}

void solids_read_solid(struct solids_reading *reading, const xmlNode *element, bool obstacle,
                       struct solid *solid)
{
    const bool good = reading->ok;
    *solid = (struct solid){.line = xmlGetLineNo(element), .shape = shape_of(element)};
    const bool sphere = solid->shape == SOLID_SPHERE;
    const struct solids_child table[] = {
        {"ID", read_id, false, !obstacle},
        {"pos", read_position, false, true},
        {"rot_deg", read_rotation, false, false},
        {sphere ? "radius" : "size",
         sphere                           ? read_radius
         : solid->shape == SOLID_CYLINDER ? read_cylinder_size
                                          : read_cuboid_size,
         false, true},
        {"mass", read_mass, false, !obstacle},
        {"desc", read_name, true, false},
        {"imovable", NULL, false, false},
        {"color_rgb", NULL, false, false},
        {"drag", NULL, false, false},
        {"surface", NULL, false, false},
        {"texture", NULL, false, false},
        {"canvas", NULL, false, false},
    };
    reading->ok = true;
    solids_children(reading, element, table, COUNT(table), solid);
    if (reading->ok)
        check_size(reading, element, solid);
    reading->ok &= good;
}
