// RoboPlus motion files: lines `word=values`, then the two bytes of a sum; doc/bioloid.md.
//
// The sum may be any two bytes: a line break, a zero, half a line. So the file is read whole, and
// its end is looked at first: what follows the last page and is no longer than a sum, is one.
#include <errno.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/file_kind.h"
#include "base/log.h"
#include "base/trouble.h"
#include "model/movement_private.h"

#define LINE_MAX_B 1024
#define FILE_MAX_B (4 << 20) // ten times what MOVEMENTS_MAX pages can hold
#define POSITION_MAX 1023
#define POSITION_MIDDLE 512
#define RANGE_RAD (300 * 3.14159265358979323846 / 180) // of 1023 steps
#define COMPLIANCE_MAX 7                               // exponents of 2^n
#define REPEAT_MAX 255
#define TIME_MAX_S 60
#define NUMBER_MAX_B 64
#define SUM_B 2          // of a file, behind its pages
#define SUM_UTF8_MAX_B 6 // written by an editor: each byte may have become three
#define PAGE_END "page_end"
#define BYTE_ORDER_MARK "\xef\xbb\xbf" // RoboPlus writes it

struct mtn {
    const char *path;
    unsigned line;
    struct movements **movements;
    struct movement *page; // that has begun; NULL: none
    uint32_t enabled;
    double speed; // divides the page's times
    bool played;  // its play_param has been read
    enum status status;
};

static void refuse(struct mtn *mtn, const char *format, ...) __attribute__((format(printf, 2, 3)));
static void refuse(struct mtn *mtn, const char *format, ...)
{
    char text[256];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    log_error("%s:%u: %s", mtn->path, mtn->line, text);
    mtn->status = STATUS_INVALID;
}

// RoboPlus writes numbers as its user's country does: with a point, or with a comma.
static bool parse_number(const char *text, size_t length, double *number)
{
    char plain[NUMBER_MAX_B], *end;
    if (length >= sizeof plain)
        return false;
    memcpy(plain, text, length);
    plain[length] = '\0';
    char *comma = strchr(plain, ',');
    if (comma != NULL && strchr(plain, '.') == NULL)
        *comma = '.';
    errno = 0;
    *number = strtod(plain, &end);
    return end == plain + length && errno == 0;
}

// The next number of *text within the bounds. False: refused.
static bool read_number(struct mtn *mtn, const char **text, const char *what, double least,
                        double most, double *number)
{
    *text += strspn(*text, " \t");
    const size_t length = strcspn(*text, " \t");
    if (length == 0) {
        refuse(mtn, "%s is missing; add it to the line", what);
        return false;
    }
    if (!parse_number(*text, length, number) || !(*number >= least && *number <= most)) {
        refuse(mtn, "'%.*s': %s must be a number from %g to %g; correct it",
               length < 20 ? (int)length : 20, *text, what, least, most);
        return false;
    }
    *text += length;
    return true;
}

static bool read_whole(struct mtn *mtn, const char **text, const char *what, double most,
                       double *number)
{
    if (!read_number(mtn, text, what, 0, most, number))
        return false;
    if (*number == floor(*number))
        return true;
    refuse(mtn, "%g: %s must be a whole number; correct it", *number, what);
    return false;
}

static bool at_end(struct mtn *mtn, const char *text)
{
    text += strspn(text, " \t");
    if (*text == '\0')
        return true;
    refuse(mtn, "'%.20s': is more than belongs into this line; remove it", text);
    return false;
}

static bool in_page(struct mtn *mtn, const char *word)
{
    if (mtn->page == NULL)
        refuse(mtn, "%s outside of a page; write page_begin before it", word);
    return mtn->page != NULL;
}

static void read_enable(struct mtn *mtn, const char *text)
{
    mtn->enabled = 0;
    for (unsigned i = 0; i < MOVEMENT_SERVOS; i++) {
        double on;
        if (!read_whole(mtn, &text, "an entry of enable", 1, &on))
            return;
        if (on > 0 && i > 0)
            mtn->enabled |= 1u << i;
    }
    (void)at_end(mtn, text);
}

static void read_begin(struct mtn *mtn, const char *text)
{
    (void)text;
    if (mtn->page != NULL) {
        refuse(mtn, "page_begin within a page; write page_end before it");
        return;
    }
    mtn->page = movements_add(mtn->movements);
    mtn->played = false;
    if (mtn->page == NULL && *mtn->movements != NULL && (*mtn->movements)->count == MOVEMENTS_MAX)
        refuse(mtn, "more than %d pages; remove some", MOVEMENTS_MAX);
    else if (mtn->page == NULL)
        mtn->status = STATUS_NO_MEMORY;
}

// The name may hold blanks, or be empty.
static void read_name(struct mtn *mtn, const char *text)
{
    if (!in_page(mtn, "name"))
        return;
    if (strlen(text) >= MOVEMENT_NAME_MAX)
        refuse(mtn, "name=%.40s: is too long; use at most %d letters", text, MOVEMENT_NAME_MAX - 1);
    else
        memcpy(mtn->page->name, text, strlen(text) + 1);
}

static void read_compliance(struct mtn *mtn, const char *text)
{
    if (!in_page(mtn, "compliance"))
        return;
    for (unsigned i = 0; i < MOVEMENT_SERVOS; i++) {
        double exponent;
        if (!read_whole(mtn, &text, "a compliance", COMPLIANCE_MAX, &exponent))
            return;
        mtn->page->slope[i] = 1u << (unsigned)exponent;
    }
    (void)at_end(mtn, text);
}

static void read_play(struct mtn *mtn, const char *text)
{
    double next, leave, repeat, speed, acceleration;
    if (!in_page(mtn, "play_param") ||
        !read_whole(mtn, &text, "the next page", MOVEMENTS_MAX, &next) ||
        !read_whole(mtn, &text, "the exit page", MOVEMENTS_MAX, &leave) ||
        !read_whole(mtn, &text, "the number of repetitions", REPEAT_MAX, &repeat) ||
        !read_number(mtn, &text, "the speed", 0.01, 100, &speed) ||
        !read_number(mtn, &text, "the acceleration", 0, 255, &acceleration) || !at_end(mtn, text))
        return;
    mtn->page->next = (unsigned)next;
    mtn->page->exit = (unsigned)leave;
    mtn->page->repeat = repeat < 1 ? 1 : (unsigned)repeat;
    mtn->speed = speed;
    mtn->played = true;
}

static void read_step(struct mtn *mtn, const char *text)
{
    if (!in_page(mtn, "step"))
        return;
    if (!mtn->played) {
        refuse(mtn, "step before play_param; write play_param= before the first step");
        return;
    }
    if (mtn->page->step_count == MOVEMENT_STEPS_MAX) {
        refuse(mtn, "more than %d steps in a page; begin another", MOVEMENT_STEPS_MAX);
        return;
    }
    struct movement_step *step = &mtn->page->step[mtn->page->step_count];
    for (unsigned i = 0; i < MOVEMENT_SERVOS; i++) {
        double position;
        if (!read_whole(mtn, &text, "a position", POSITION_MAX, &position))
            return;
        step->angle_rad[i] = (position - POSITION_MIDDLE) * RANGE_RAD / POSITION_MAX;
        step->velocity_rad_s[i] = NAN;
    }
    step->servos = mtn->enabled;
    if (!read_number(mtn, &text, "the pause", 0, TIME_MAX_S, &step->pause_s) ||
        !read_number(mtn, &text, "the time", 0.001, TIME_MAX_S, &step->duration_s) ||
        !at_end(mtn, text))
        return;
    step->pause_s /= mtn->speed;
    step->duration_s /= mtn->speed;
    mtn->page->step_count++;
}

static void read_end(struct mtn *mtn, const char *text)
{
    (void)text;
    if (!in_page(mtn, "page_end"))
        return;
    if (mtn->page->repeat == 0)
        mtn->page->repeat = 1;
    mtn->page = NULL;
}

static void read_nothing(struct mtn *mtn, const char *text)
{
    (void)mtn, (void)text;
}

static void read_line(struct mtn *mtn, const char *line)
{
    static const struct {
        const char *word;
        void (*read)(struct mtn *mtn, const char *text);
        bool has_value;
    } words[] = {{"type", read_nothing, true},
                 {"version", read_nothing, true},
                 {"enable", read_enable, true},
                 {"motor_type", read_nothing, true},
                 {"page_begin", read_begin, false},
                 {"name", read_name, true},
                 {"compliance", read_compliance, true},
                 {"play_param", read_play, true},
                 {"step", read_step, true},
                 {PAGE_END, read_end, false}};
    const size_t length = strcspn(line, "= \t");
    if (line[strspn(line, " \t")] == '\0')
        return;
    for (size_t i = 0; i < sizeof words / sizeof words[0]; i++) {
        if (strlen(words[i].word) != length || memcmp(words[i].word, line, length) != 0)
            continue;
        const char *text = line + length;
        if (words[i].has_value && *text++ != '=') {
            refuse(mtn, "%s without a value; write %s=...", words[i].word, words[i].word);
            return;
        }
        words[i].read(mtn, text);
        return;
    }
    refuse(mtn, "'%.20s': is not a word of a motion file; correct it", line);
}

// Whether pages name pages that are there.
static void check_pages(struct mtn *mtn)
{
    const struct movements *movements = *mtn->movements;
    if (mtn->page != NULL)
        refuse(mtn, "the last page has no end; add page_end");
    if (movements == NULL || movements->count == 0) {
        refuse(mtn, "holds no page; add page_begin ... page_end");
        return;
    }
    for (unsigned i = 0; i < movements->count; i++) {
        const struct movement *page = &movements->movement[i];
        const unsigned wrong = page->next > movements->count ? page->next : page->exit;
        if (wrong > movements->count)
            refuse(mtn, "page %u, '%s', goes on with page %u; there are %u", i + 1, page->name,
                   wrong, movements->count);
    }
}

// ---- the file -----------------------------------------------------------------------------------

// The next line at text, without its break; its length. *next: what follows.
static size_t cut_line(const char *text, const char *end, const char **next)
{
    const char *feed = memchr(text, '\n', (size_t)(end - text));
    size_t length = (size_t)((feed != NULL ? feed : end) - text);
    *next = feed != NULL ? feed + 1 : end;
    while (length > 0 && text[length - 1] == '\r')
        length--;
    return length;
}

// A byte, or what became of it when an editor wrote the file as UTF-8.
static unsigned characters(const char *text, const char *end)
{
    unsigned count = 0;
    for (; text < end; text++)
        count += (*text & 0xc0) != 0x80 || count == 0;
    return count;
}

static bool is_sum(const char *text, const char *end)
{
    while (text < end && strchr("\r\n", *text) != NULL) // holds for a zero, too
        text++;
    while (text < end && strchr("\r\n", end[-1]) != NULL)
        end--;
    return end - text <= SUM_B || (end - text <= SUM_UTF8_MAX_B && characters(text, end) <= SUM_B);
}

// Where the words end: behind the last page, if only a sum follows.
static const char *words_end(const char *text, const char *end)
{
    const char *behind = NULL, *next;
    for (const char *at = text; at < end; at = next) {
        const size_t length = cut_line(at, end, &next);
        if (length >= strlen(PAGE_END) && memcmp(at, PAGE_END, strlen(PAGE_END)) == 0)
            behind = next;
    }
    return behind != NULL && is_sum(behind, end) ? behind : end;
}

static void read_lines(struct mtn *mtn, const char *text, const char *end)
{
    char line[LINE_MAX_B];
    const char *next;
    for (; mtn->status == STATUS_OK && text < end; text = next) {
        const size_t length = cut_line(text, end, &next);
        mtn->line++;
        if (length >= sizeof line || memchr(text, '\0', length) != NULL) {
            refuse(mtn, "is longer than %d characters, or holds a zero; correct it",
                   LINE_MAX_B - 2);
            return;
        }
        memcpy(line, text, length);
        line[length] = '\0';
        read_line(mtn, line);
    }
}

static void read_text(struct mtn *mtn, const char *text, size_t size_B)
{
    const char *end = text + size_B;
    if (size_B >= strlen(BYTE_ORDER_MARK) &&
        memcmp(text, BYTE_ORDER_MARK, strlen(BYTE_ORDER_MARK)) == 0)
        text += strlen(BYTE_ORDER_MARK);
    read_lines(mtn, text, words_end(text, end));
    if (mtn->status == STATUS_OK)
        check_pages(mtn);
}

static FILE *open_file(const char *path)
{
    const char *special = file_special(path);
    if (special != NULL) {
        log_error("%s:1: %s", path, special);
        return NULL;
    }
    FILE *file = fopen(path, "rb");
    if (file == NULL) {
        (void)trouble_note(errno);
        log_error("%s:1: cannot be read: %s; name another file", path, strerror(errno));
    }
    return file;
}

enum status movements_read_mtn(const char *path, struct movements **movements)
{
    struct mtn mtn = {.path = path, .movements = movements, .status = STATUS_OK, .speed = 1};
    FILE *file = open_file(path);
    char *text = file != NULL ? trouble_malloc(FILE_MAX_B) : NULL;
    if (file == NULL)
        return STATUS_INVALID;
    const size_t size_B = text != NULL ? fread(text, 1, FILE_MAX_B, file) : 0;
    if (text == NULL)
        mtn.status = STATUS_NO_MEMORY;
    else if (size_B == FILE_MAX_B)
        refuse(&mtn, "is longer than %d bytes; name a motion file", FILE_MAX_B - 1);
    else
        read_text(&mtn, text, size_B);
    free(text);
    (void)fclose(file); // only read
    if (mtn.status != STATUS_OK) {
        free(*movements);
        *movements = NULL;
    }
    return mtn.status;
}
