#include "targets/bioloid/script.h"

#include <errno.h>
#include <lauxlib.h>
#include <lua.h>
#include <lualib.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/log.h"
#include "base/random.h"

#define FILE_MAX_B 65536
#define SPEED_DEFAULT_RAD_S 1.0
#define SPEED_MAX_RAD_S 10.0
#define ANGLE_MAX_RAD 2.62 // servos reach 150 degrees either way
#define PRINTED_MAX 100    // lines of a script

// Memory that calls may ask for altogether, as a multiple of what they may have at once: what is
// thrown away again costs time, too.
#define CHURN 16

const struct script_budget script_budget_default = {.instructions = 100000, .memory_B = 262144};

struct script {
    lua_State *lua;
    struct script_budget budget;
    size_t used_B, churned_B;
    struct random_stream random;
    unsigned printed;
    struct script_axes *axes; // of the call; NULL: of the main part
    double speed_rad_s[MOVEMENT_SERVOS];
    char name[64]; // of the file, without its folder
    char reason[SCRIPT_REASON_MAX];
};

// ---- budget -------------------------------------------------------------------------------------

static void *allocate(void *context, void *block, size_t old_B, size_t new_B)
{
    struct script *script = context;
    const size_t had_B = block != NULL ? old_B : 0;
    if (new_B == 0) {
        free(block);
        script->used_B -= had_B;
        return NULL;
    }
    const size_t more_B = new_B > had_B ? new_B - had_B : 0;
    if (more_B > 0 && (script->used_B + more_B > script->budget.memory_B ||
                       script->churned_B + new_B > CHURN * script->budget.memory_B))
        return NULL;
    void *moved = realloc(block, new_B);
    if (moved == NULL)
        return NULL;
    script->used_B += new_B - had_B;
    script->churned_B += more_B > 0 ? new_B : 0;
    return moved;
}

static struct script *script_of(lua_State *lua)
{
    void *context;
    (void)lua_getallocf(lua, &context);
    return context;
}

static void on_count(lua_State *lua, lua_Debug *debug)
{
    (void)debug;
    luaL_where(lua, 0);
    lua_pushfstring(lua, "more than %d instructions in one call",
                    (int)script_of(lua)->budget.instructions);
    lua_concat(lua, 2);
    lua_error(lua);
}

static void begin_budget(struct script *script)
{
    script->churned_B = 0;
    lua_sethook(script->lua, on_count, LUA_MASKCOUNT, (int)script->budget.instructions);
}

// ---- the robot ----------------------------------------------------------------------------------

static struct script_axes *axes_of(lua_State *lua)
{
    struct script_axes *axes = script_of(lua)->axes;
    if (axes == NULL) {
        luaL_error(lua, "the robot is available only in Initialize and Control");
        abort(); // not reached
    }
    return axes;
}

static unsigned axis_of(lua_State *lua)
{
    const lua_Integer axis = luaL_checkinteger(lua, 1);
    if (axis < 1 || axis >= MOVEMENT_SERVOS)
        luaL_error(lua, "there is no axis %I; they are 1 to %d", axis, MOVEMENT_SERVOS - 1);
    return (unsigned)axis;
}

static double number_within(lua_State *lua, double low, double high)
{
    const double number = luaL_checknumber(lua, 2);
    if (!(number >= low && number <= high))
        luaL_error(lua, "%f is not from %f to %f", number, low, high);
    return number;
}

static int set_reference(lua_State *lua)
{
    struct script_axes *axes = axes_of(lua);
    const unsigned axis = axis_of(lua);
    axes->reference_rad[axis] = number_within(lua, -ANGLE_MAX_RAD, ANGLE_MAX_RAD);
    axes->asked |= 1u << axis;
    return 0;
}

static int set_speed(lua_State *lua)
{
    (void)axes_of(lua);
    const unsigned axis = axis_of(lua);
    script_of(lua)->speed_rad_s[axis] = number_within(lua, 0.01, SPEED_MAX_RAD_S);
    return 0;
}

// nil: the servo has never answered.
static int give(lua_State *lua, const double *of)
{
    const struct script_axes *axes = axes_of(lua);
    const unsigned axis = axis_of(lua);
    if (axes->known & 1u << axis)
        lua_pushnumber(lua, of[axis]);
    else
        lua_pushnil(lua);
    return 1;
}

static int get_position(lua_State *lua)
{
    return give(lua, axes_of(lua)->position_rad);
}

static int get_speed(lua_State *lua)
{
    return give(lua, axes_of(lua)->velocity_rad_s);
}

static int get_torque(lua_State *lua)
{
    return give(lua, axes_of(lua)->load);
}

static int get_energy(lua_State *lua)
{
    return give(lua, axes_of(lua)->energy_J);
}

static int get_time(lua_State *lua)
{
    lua_pushnumber(lua, axes_of(lua)->time_s);
    return 1;
}

// ---- what of the language is different ----------------------------------------------------------

// Numbers, texts and truth values only: others would show their address.
static const char *text_of(lua_State *lua, int i)
{
    if (lua_type(lua, i) == LUA_TNUMBER || lua_type(lua, i) == LUA_TSTRING)
        return luaL_tolstring(lua, i, NULL);
    const bool boolean = lua_type(lua, i) == LUA_TBOOLEAN;
    return lua_pushstring(lua, !boolean                ? luaL_typename(lua, i)
                               : lua_toboolean(lua, i) ? "true"
                                                       : "false");
}

static int to_string(lua_State *lua)
{
    luaL_checkany(lua, 1);
    (void)text_of(lua, 1);
    return 1;
}

static int print(lua_State *lua)
{
    struct script *script = script_of(lua);
    char line[200] = "";
    const int count = lua_gettop(lua);
    for (int i = 1; i <= count; i++) {
        const size_t length = strlen(line);
        snprintf(line + length, sizeof line - length, "%s%s", i > 1 ? " " : "", text_of(lua, i));
        lua_pop(lua, 1);
    }
    if (script->printed++ < PRINTED_MAX)
        log_info("%s", line);
    return 0;
}

// random(): 0 to 1; random(n): 1 to n; random(m, n): m to n.
static int draw(lua_State *lua)
{
    struct script *script = script_of(lua);
    const double unit = random_uniform(&script->random, 0, 1);
    const int count = lua_gettop(lua);
    if (count == 0) {
        lua_pushnumber(lua, unit);
        return 1;
    }
    const lua_Integer low = count > 1 ? luaL_checkinteger(lua, 1) : 1;
    const lua_Integer high = luaL_checkinteger(lua, count > 1 ? 2 : 1);
    luaL_argcheck(lua, low >= -1000000000 && high <= 1000000000 && low <= high, 1,
                  "the interval is empty or too large");
    lua_pushinteger(lua, low + (lua_Integer)floor(unit * (double)(high - low + 1)));
    return 1;
}

// string.format without what shows addresses.
static int format(lua_State *lua)
{
    const char *text = luaL_checkstring(lua, 1);
    for (const char *c = strchr(text, '%'); c != NULL; c = strchr(c + 1, '%')) {
        c += 1 + strspn(c + 1, "-+ #0123456789.");
        luaL_argcheck(lua, *c != '\0' && strchr("dicuoxXeEfgGsq%", *c) != NULL, 1,
                      "use of the letters only d i c u o x X e E f g G s q");
    }
    const int count = lua_gettop(lua);
    for (int i = 2; i <= count; i++)
        if (lua_type(lua, i) != LUA_TNUMBER && lua_type(lua, i) != LUA_TSTRING) {
            (void)text_of(lua, i);
            lua_replace(lua, i);
        }
    lua_pushvalue(lua, lua_upvalueindex(1));
    lua_insert(lua, 1);
    lua_call(lua, count, 1);
    return 1;
}

// Copies fields of the table or module on the top of the stack to the one below it.
static void keep(lua_State *lua, const char *const *names)
{
    for (; *names != NULL; names++) {
        lua_getfield(lua, -1, *names);
        lua_setfield(lua, -3, *names);
    }
}

static void open_module(lua_State *lua, const char *name, lua_CFunction module,
                        const char *const *names)
{
    lua_newtable(lua);
    luaL_requiref(lua, name, module, 0);
    keep(lua, names);
    lua_pop(lua, 1);
}

// From here on the registry's own tables are gone: texts have no methods.
static void open_library(lua_State *lua)
{
    static const char *const base[] = {"assert", "error",    "ipairs", "rawequal",
                                       "select", "tonumber", "type",   NULL};
    static const char *const maths[] = {
        "abs", "acos", "asin", "atan", "ceil", "cos", "deg",  "exp", "floor", "fmod", "huge", "log",
        "max", "min",  "modf", "pi",   "rad",  "sin", "sqrt", "tan", "type",  "ult",  NULL};
    static const char *const texts[] = {"byte",    "char", "len",   "lower",
                                        "reverse", "sub",  "upper", NULL};
    static const char *const tables[] = {"concat", "insert", "remove", "unpack", NULL};
    static const luaL_Reg robot[] = {{"SetAxisPosRef", set_reference},
                                     {"SetAxisSpeedRef", set_speed},
                                     {"GetAxisPos", get_position},
                                     {"GetAxisSpeed", get_speed},
                                     {"GetAxisTorque", get_torque},
                                     {"GetAxisEnergy", get_energy},
                                     {"GetTime", get_time},
                                     {"print", print},
                                     {"tostring", to_string},
                                     {NULL, NULL}};
    open_module(lua, "_G", luaopen_base, base);
    luaL_setfuncs(lua, robot, 0);
    open_module(lua, "math", luaopen_math, maths);
    lua_pushcfunction(lua, draw);
    lua_setfield(lua, -2, "random");
    lua_setfield(lua, -2, "math");
    open_module(lua, "table", luaopen_table, tables);
    lua_setfield(lua, -2, "table");
    open_module(lua, "string", luaopen_string, texts);
    luaL_requiref(lua, "string", luaopen_string, 0);
    lua_getfield(lua, -1, "format");
    lua_pushcclosure(lua, format, 1);
    lua_setfield(lua, -3, "format");
    lua_pop(lua, 1);
    lua_setfield(lua, -2, "string");
    lua_pushliteral(lua, "");
    lua_pushnil(lua);
    lua_setmetatable(lua, -2);
    lua_pop(lua, 1);
    // The table of what is kept becomes the script's globals.
    lua_rawseti(lua, LUA_REGISTRYINDEX, LUA_RIDX_GLOBALS);
}

// ---- opening ------------------------------------------------------------------------------------

// The reason is the error's text at the top of the stack, which goes.
static enum status failed(struct script *script)
{
    const char *text = lua_tostring(script->lua, -1);
    if (text == NULL)
        text = "an error without text";
    if (strcmp(text, "not enough memory") == 0)
        snprintf(script->reason, sizeof script->reason,
                 "%s:1: more than %zu bytes at once, or %d times as many in one call", script->name,
                 script->budget.memory_B, CHURN);
    else if (strncmp(text, script->name, strlen(script->name)) == 0)
        snprintf(script->reason, sizeof script->reason, "%s", text);
    else
        snprintf(script->reason, sizeof script->reason, "%s:1: %s", script->name, text);
    lua_pop(script->lua, 1);
    return STATUS_INVALID;
}

static int prepare(lua_State *lua)
{
    open_library(lua);
    return 0;
}

static enum status read_text(const char *path, char **text, size_t *size_B)
{
    FILE *file = fopen(path, "r");
    if (file == NULL) {
        log_error("%s: %s", path, strerror(errno));
        return STATUS_SYSTEM;
    }
    *text = malloc(FILE_MAX_B + 1);
    *size_B = *text != NULL ? fread(*text, 1, FILE_MAX_B + 1, file) : 0;
    (void)fclose(file);
    if (*text == NULL)
        return STATUS_NO_MEMORY;
    if (*size_B <= FILE_MAX_B)
        return STATUS_OK;
    log_error("%s:1: longer than %d bytes; leave something out", path, FILE_MAX_B);
    free(*text);
    return STATUS_INVALID;
}

static enum status load_text(struct script *script, const char *text, size_t size_B)
{
    char chunk[sizeof script->name + 1];
    snprintf(chunk, sizeof chunk, "@%s", script->name);
    if (luaL_loadbufferx(script->lua, text, size_B, chunk, "t") != LUA_OK ||
        lua_pcall(script->lua, 0, 0, 0) != LUA_OK)
        return failed(script);
    if (lua_getglobal(script->lua, "Control") == LUA_TFUNCTION) {
        lua_pop(script->lua, 1);
        return STATUS_OK;
    }
    lua_pop(script->lua, 1);
    snprintf(script->reason, sizeof script->reason,
             "%s:1: has no function Control; it is called every period", script->name);
    return STATUS_INVALID;
}

static enum status start(struct script *script, const char *path)
{
    char *text = NULL;
    size_t size_B = 0;
    enum status status = read_text(path, &text, &size_B);
    if (status != STATUS_OK)
        return status;
    begin_budget(script);
    lua_pushcfunction(script->lua, prepare);
    status = lua_pcall(script->lua, 0, 0, 0) == LUA_OK ? load_text(script, text, size_B)
                                                       : failed(script);
    free(text);
    if (status == STATUS_INVALID)
        log_error("%s; correct the script", script->reason);
    return status;
}

enum status script_open(const char *path, uint64_t seed, const struct script_budget *budget,
                        struct script **opened)
{
    *opened = NULL;
    struct script *script = calloc(1, sizeof *script);
    if (script == NULL)
        return STATUS_NO_MEMORY;
    const char *slash = strrchr(path, '/');
    snprintf(script->name, sizeof script->name, "%s", slash != NULL ? slash + 1 : path);
    script->budget = *budget;
    random_start(&script->random, seed, "script");
    for (unsigned i = 0; i < MOVEMENT_SERVOS; i++)
        script->speed_rad_s[i] = SPEED_DEFAULT_RAD_S;
    script->lua = lua_newstate(allocate, script);
    const enum status status = script->lua == NULL ? STATUS_NO_MEMORY : start(script, path);
    if (status == STATUS_OK)
        *opened = script;
    else
        script_close(script);
    return status;
}

void script_close(struct script *script)
{
    if (script == NULL)
        return;
    if (script->lua != NULL)
        lua_close(script->lua);
    free(script);
}

// ---- calls --------------------------------------------------------------------------------------

enum status script_call(struct script *script, enum script_call call, struct script_axes *axes)
{
    axes->asked = 0;
    if (lua_getglobal(script->lua, call == SCRIPT_INITIALIZE ? "Initialize" : "Control") !=
        LUA_TFUNCTION) {
        lua_pop(script->lua, 1);
        snprintf(script->reason, sizeof script->reason, "%s: has no function Control any more",
                 script->name);
        return call == SCRIPT_INITIALIZE ? STATUS_OK : STATUS_INVALID;
    }
    script->axes = axes;
    begin_budget(script);
    const int code = lua_pcall(script->lua, 0, 0, 0);
    script->axes = NULL;
    memcpy(axes->speed_rad_s, script->speed_rad_s, sizeof axes->speed_rad_s);
    return code == LUA_OK ? STATUS_OK : failed(script);
}

const char *script_reason(const struct script *script)
{
    return script->reason;
}
