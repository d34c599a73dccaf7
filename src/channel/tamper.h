// What can go wrong between processes: a page by which a fault asks whoever stands between them.
//
// - Of a channel that a scenario's fault strikes, the interposer (faults/interposer.c). The writer
//   puts its frames into a channel of the same name in a folder of its own, and the interposer
//   passes them on to the readers. The page has the channel's name.
// - Of sockets, the library that is preloaded into shimmed programs (src/shim). The page is
//   TAMPER_SOCKETS.
//
// A fault's program puts a tampering in and takes it out again; who obeys it also counts. Every
// decision follows from the seed and the order of frames or calls, so a trial repeats. A cell whose
// scenario has no such fault has no page. Not real-time.
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include "base/status.h"
#include "clock/clock.h"

#define TAMPERINGS_MAX 16 // of one page, at once
#define TAMPER_SOCKETS "@sockets"
#define TAMPER_NAME_MAX 48

enum tampering_kind {
    TAMPER_NONE,
    TAMPER_DROP,      // nobody gets the frame
    TAMPER_DELAY,     // it comes `delay_ns` later; others pass it
    TAMPER_DUPLICATE, // it comes 1 + `amount` times
    TAMPER_REORDER,   // it comes after the `amount` frames that follow it
    TAMPER_FREEZE,    // the first frame that was hit comes in its place
    TAMPER_CORRUPT,   // `amount` bits of it are flipped, which ones the seed says
    TAMPER_TRUNCATE,  // only the first `amount` bytes of it come
    TAMPER_SET,       // its field says `value`
    TAMPER_ADD,       // its field says so much more
    TAMPER_NOISE,     // its field has normal noise of the standard deviation `value`
    TAMPER_SWAP,      // its field and the other one change places
    TAMPER_THIN,      // only the first of each `amount` frames comes
    TAMPER_FORGE,     // none is touched; every `delay_ns` a copy of the newest comes besides, whose
                      // field says `value`
    // By the page's layout of the frame:
    TAMPER_STALE,   // the first frame that was hit comes in its place, with its own stamps
    TAMPER_SET_ALL, // all its real numbers say `value`
    TAMPER_ZERO,    // all its numbers but the stamps are zero
    // Sockets only; there DROP, DELAY, DUPLICATE and TRUNCATE are of what one call sends.
    TAMPER_REFUSE, // nobody is there: connections and datagrams are refused
    TAMPER_RESET,  // the connection is lost
    TAMPER_CUT,    // datagrams are lost, streams stand still, no connection can be made
    TAMPERING_KINDS
};

enum tampering_direction { // of sockets, as the process sees it that is struck
    TAMPER_OUT = 1,
    TAMPER_IN = 2,
    TAMPER_BOTH = 3
};

struct tampering {
    uint32_t kind;      // enum tampering_kind
    uint32_t share_ppm; // of the frames so many are hit, drawn by `seed`; 1000000: all
    uint32_t burst;     // frames in a row that a hit takes; at least 1
    uint32_t most;      // it hits so many frames and no more; 0: any number
    uint32_t amount;
    uint32_t field_offset_B, field_width_B; // a floating-point number of 4 or 8 bytes
    uint32_t direction;                     // enum tampering_direction
    uint32_t port;                          // of sockets: of either end; 0: any
    uint32_t other_offset_B;                // of TAMPER_SWAP: a number as wide
    double value;
    int64_t delay_ns;
    uint64_t seed;
    uint64_t tag;                  // whatever its author finds it by again
    char process[TAMPER_NAME_MAX]; // of sockets: that is struck
    char path[TAMPER_NAME_MAX];    // of sockets: of either end, "@name" an abstract one; "": any
};

// What the numbers of a frame are, for tamperings of all of them.
enum tamper_number_kind { TAMPER_REAL, TAMPER_WHOLE, TAMPER_STAMP };

struct tamper_number {
    uint32_t offset_B;
    uint16_t width_B;
    uint16_t kind; // enum tamper_number_kind
};

#define TAMPER_NUMBERS_MAX 4096

struct tamper_layout {
    uint32_t count;
    uint32_t repeated; // those from here on come again every `repeat_B`, to the end of the frame
    uint32_t repeat_B;
    uint32_t padding;
    struct tamper_number number[TAMPER_NUMBERS_MAX];
};

struct tampering_count {
    bool active;
    uint64_t hit;            // frames it acted on since it was put in
    uint64_t hit_when_taken; // `hit` when it was taken out
};

struct tamper_page; // opaque

// Makes the page `name` in the folder `cell`, for the lab. INVALID, SYSTEM.
enum status tamper_create(const char *cell, const char *name) MUST_CHECK;
// Opens it. The caller closes it. NOT_FOUND, CORRUPT, SYSTEM.
enum status tamper_open(const char *cell, const char *name, struct tamper_page **page) MUST_CHECK;
void tamper_close(struct tamper_page *page);

// The page's layout; nothing in it at first. Only the lab writes it, before anybody reads it.
struct tamper_layout *tamper_layout(struct tamper_page *page);

// The word that changes with every tampering put in or taken out, for clk_coordinator_watch, and
// the lab's number for it (channel_set_watch has the like).
const _Atomic uint64_t *tamper_changes(const struct tamper_page *page);
void tamper_set_watch(struct tamper_page *page, uint32_t watch_id);
// What to hand to clk_wait in order to sleep until it differs from `seen`.
struct clk_watch tamper_watch(const struct tamper_page *page, uint64_t seen);

// A fault's side. Put: INVALID: fields out of their ranges; FULL. *slot is where.
enum status tamper_put(struct tamper_page *page, const struct tampering *what,
                       unsigned *slot) MUST_CHECK;
// NOT_FOUND: there is none.
enum status tamper_take(struct tamper_page *page, unsigned slot) MUST_CHECK;
// The slot with the tampering of this tag, or -1: there was none, or its slot has been used again.
int tamper_find(const struct tamper_page *page, uint64_t tag);
struct tampering_count tamper_count(const struct tamper_page *page, unsigned slot);

// The side of those who obey. False: nothing is in the slot; *what is left alone.
bool tamper_get(const struct tamper_page *page, unsigned slot, struct tampering *what);
void tamper_note_hit(struct tamper_page *page, unsigned slot);
// Whether the next frame or call is hit, which is then noted. By processes that may share the slot.
bool tamper_draw(struct tamper_page *page, unsigned slot, const struct tampering *what);
