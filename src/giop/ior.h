// References to objects (IOR), also as text "IOR:...": where an object is, in profiles of IIOP and
// of ERIOP. What other profiles say is skipped. Pure; no allocation.
#pragma once

#include "base/status.h"
#include "giop/cdr.h"

#define IOR_KEY_MAX_B 64u
#define IOR_TEXT_MAX 1024 // of what ior_text writes
#define IOR_PROFILES_MAX 8u

#define IOR_TAG_IIOP 0u
#define IOR_TAG_ERIOP 0x556B4552u // ours: not registered, private use

struct ior_profile {
    uint32_t tag;
    uint8_t minor;      // of GIOP: 0 to 2
    char host[64];      // IIOP: numeric
    uint16_t port;      // IIOP
    uint8_t address[6]; // ERIOP: the host's
    uint8_t channel;    // ERIOP: one of its servers
    uint8_t key[IOR_KEY_MAX_B];
    uint32_t key_B;
};

struct ior {
    char type[128]; // "IDL:Module/Interface:1.0"
    struct ior_profile profile[IOR_PROFILES_MAX];
    unsigned profile_count;
};

// "IOR:" and hexadecimal digits. INVALID: anything else, or an IOR that is not sound.
enum status ior_read(const char *text, struct ior *ior) MUST_CHECK;
// TOO_LARGE.
enum status ior_text(const struct ior *ior, char text[IOR_TEXT_MAX]) MUST_CHECK;
// Its first profile of that kind; NULL: none.
const struct ior_profile *ior_find(const struct ior *ior, uint32_t tag);
