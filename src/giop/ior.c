#include "giop/ior.h"

#include <string.h>

#define BYTES_MAX 4096
#define COMPONENTS_MAX 64

static void read_iiop(struct cdr *in, struct ior_profile *profile)
{
    const uint8_t major = (uint8_t)cdr_get(in, 1), minor = (uint8_t)cdr_get(in, 1);
    in->bad |= major != 1;
    profile->minor = minor >= 2 ? 2 : minor;
    cdr_get_string(in, profile->host, sizeof profile->host);
    profile->port = (uint16_t)cdr_get(in, 2);
}

static void read_eriop(struct cdr *in, struct ior_profile *profile)
{
    in->bad |= cdr_get(in, 1) != 1;
    profile->minor = 2;
    cdr_get_bytes(in, profile->address, sizeof profile->address);
    profile->channel = (uint8_t)cdr_get(in, 1);
}

// A profile is an encapsulation: its byte order first, and aligned by itself. False: it is of
// another kind, or its key is longer than ours.
static bool read_profile(struct cdr *ior, struct ior_profile *profile)
{
    uint32_t size_B, key_B;
    *profile = (struct ior_profile){.tag = (uint32_t)cdr_get(ior, 4)};
    const uint8_t *bytes = cdr_see_octets(ior, &size_B);
    if (bytes == NULL || (profile->tag != IOR_TAG_IIOP && profile->tag != IOR_TAG_ERIOP))
        return false;
    struct cdr in = cdr_reader(bytes, size_B, size_B > 0 && bytes[0] == 1);
    (void)cdr_get_boolean(&in);
    (profile->tag == IOR_TAG_IIOP ? read_iiop : read_eriop)(&in, profile);
    const uint8_t *key = cdr_see_octets(&in, &key_B);
    ior->bad |= in.bad;
    if (in.bad || key_B > IOR_KEY_MAX_B)
        return false;
    memcpy(profile->key, key, key_B);
    profile->key_B = key_B;
    return true;
}

static int digit(char c)
{
    return c >= '0' && c <= '9'   ? c - '0'
           : c >= 'a' && c <= 'f' ? c - 'a' + 10
           : c >= 'A' && c <= 'F' ? c - 'A' + 10
                                  : -1;
}

// Returns the number of bytes; 0: not what an IOR looks like.
static size_t from_text(const char *text, uint8_t bytes[BYTES_MAX])
{
    size_t count = 0;
    if (strncmp(text, "IOR:", 4) != 0)
        return 0;
    for (text += 4; digit(text[0]) >= 0 && digit(text[1]) >= 0 && count < BYTES_MAX; text += 2)
        bytes[count++] = (uint8_t)(digit(text[0]) << 4 | digit(text[1]));
    return *text == '\0' || *text == '\n' ? count : 0;
}

enum status ior_read(const char *text, struct ior *ior)
{
    uint8_t bytes[BYTES_MAX];
    const size_t size_B = from_text(text, bytes);
    *ior = (struct ior){.profile_count = 0};
    if (size_B == 0)
        return STATUS_INVALID;
    struct cdr in = cdr_reader(bytes, size_B, bytes[0] == 1);
    (void)cdr_get_boolean(&in);
    cdr_get_string(&in, ior->type, sizeof ior->type);
    for (uint32_t left = cdr_get_count(&in, COMPONENTS_MAX, 8); left > 0; left--)
        if (ior->profile_count < IOR_PROFILES_MAX &&
            read_profile(&in, &ior->profile[ior->profile_count]))
            ior->profile_count++;
    return in.bad ? STATUS_INVALID : STATUS_OK;
}

// ---- writing ------------------------------------------------------------------------------------

static void put_profile(struct cdr *out, const struct ior_profile *profile)
{
    uint8_t bytes[256];
    struct cdr in = cdr_writer(bytes, sizeof bytes, true);
    cdr_put(&in, 1, 1); // little-endian
    cdr_put(&in, 1, 1); // version
    if (profile->tag == IOR_TAG_IIOP) {
        cdr_put(&in, profile->minor, 1);
        cdr_put_string(&in, profile->host);
        cdr_put(&in, profile->port, 2);
    } else {
        cdr_put_bytes(&in, profile->address, sizeof profile->address);
        cdr_put(&in, profile->channel, 1);
    }
    cdr_put(&in, profile->key_B, 4);
    cdr_put_bytes(&in, profile->key, profile->key_B);
    if (profile->tag == IOR_TAG_IIOP && profile->minor > 0)
        cdr_put(&in, 0, 4); // components
    out->bad |= in.bad;
    cdr_put(out, profile->tag, 4);
    cdr_put(out, in.at, 4);
    cdr_put_bytes(out, bytes, in.at);
}

enum status ior_text(const struct ior *ior, char text[IOR_TEXT_MAX])
{
    static const char digits[] = "0123456789abcdef";
    uint8_t bytes[(IOR_TEXT_MAX - 5) / 2];
    struct cdr out = cdr_writer(bytes, sizeof bytes, true);
    cdr_put(&out, 1, 1);
    cdr_put_string(&out, ior->type);
    cdr_put(&out, ior->profile_count, 4);
    for (unsigned i = 0; i < ior->profile_count; i++)
        put_profile(&out, &ior->profile[i]);
    if (out.bad)
        return STATUS_TOO_LARGE;
    memcpy(text, "IOR:", 4);
    for (size_t i = 0; i < out.at; i++) {
        text[4 + 2 * i] = digits[bytes[i] >> 4];
        text[5 + 2 * i] = digits[bytes[i] & 15];
    }
    text[4 + 2 * out.at] = '\0';
    return STATUS_OK;
}

const struct ior_profile *ior_find(const struct ior *ior, uint32_t tag)
{
    for (unsigned i = 0; i < ior->profile_count; i++)
        if (ior->profile[i].tag == tag)
            return &ior->profile[i];
    return NULL;
}
