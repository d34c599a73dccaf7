#include "dynamixel/pty.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <termios.h>
#include <time.h>
#include <unistd.h>

#define PORT_NAME "pty"
#define HEARD_MAX 256u
#define READS_MAX 64         // of a packet each: more than the line takes at once
#define BUSY_NS 20000        // how often to look while an answer may come
#define ATTENTIVE_NS 3000000 // how long one may come after something was written

struct dxl_pty {
    struct dxl_port *port;
    int master, slave; // the slave is kept open, so that the master outlives its clients
    instant written;   // when something was written last
    unsigned held;     // bytes that the line had no room for
    uint8_t hold[DXL_PACKET_MAX_B];
    char path[PATH_MAX];
};

// A raw terminal without echo. False: errno says why.
static bool open_terminal(struct dxl_pty *pty)
{
    struct termios settings;
    const char *name;
    pty->slave = -1;
    pty->master = posix_openpt(O_RDWR | O_NOCTTY | O_NONBLOCK | O_CLOEXEC);
    if (pty->master < 0 || grantpt(pty->master) != 0 || unlockpt(pty->master) != 0 ||
        (name = ptsname(pty->master)) == NULL)
        return false;
    pty->slave = open(name, O_RDWR | O_NOCTTY | O_CLOEXEC);
    if (pty->slave < 0 || tcgetattr(pty->slave, &settings) != 0)
        return false;
    cfmakeraw(&settings);
    return tcsetattr(pty->slave, TCSANOW, &settings) == 0 && symlink(name, pty->path) == 0;
}

static void close_files(struct dxl_pty *pty)
{
    if (pty->slave >= 0)
        close(pty->slave);
    if (pty->master >= 0)
        close(pty->master);
}

enum status dxl_pty_open(const char *path, struct dxl_line *line, struct dxl_pty **pty)
{
    *pty = NULL;
    struct dxl_pty *opened = calloc(1, sizeof *opened);
    if (opened == NULL)
        return STATUS_NO_MEMORY;
    opened->written = instant_ns(-ATTENTIVE_NS);
    enum status status = dxl_line_port(line, PORT_NAME, &opened->port);
    if (status != STATUS_OK) {
        free(opened);
        return status;
    }
    const int length = snprintf(opened->path, sizeof opened->path, "%s", path);
    errno = ENAMETOOLONG;
    if (length < (int)sizeof opened->path && open_terminal(opened)) {
        *pty = opened;
        return STATUS_OK;
    }
    const int why = errno;
    close_files(opened);
    dxl_port_close(opened->port);
    free(opened);
    errno = why;
    return STATUS_SYSTEM;
}

void dxl_pty_close(struct dxl_pty *pty)
{
    if (pty == NULL)
        return;
    unlink(pty->path);
    close_files(pty);
    dxl_port_close(pty->port);
    free(pty);
}

static void carry_out(struct dxl_pty *pty, instant now)
{
    for (unsigned i = 0; i < READS_MAX; i++) {
        if (pty->held == 0) {
            const ssize_t got = read(pty->master, pty->hold, sizeof pty->hold);
            if (got <= 0)
                return;
            pty->held = (unsigned)got;
            pty->written = now;
        }
        if (dxl_port_send(pty->port, pty->hold, pty->held, now) != STATUS_OK)
            return; // later
        pty->held = 0;
    }
}

static void carry_in(struct dxl_pty *pty)
{
    struct dxl_byte heard[HEARD_MAX];
    uint8_t bytes[HEARD_MAX];
    unsigned count;
    while ((count = dxl_port_receive(pty->port, heard, HEARD_MAX)) > 0) {
        for (unsigned i = 0; i < count; i++)
            bytes[i] = heard[i].value;
        if (write(pty->master, bytes, count) < 0)
            return; // nobody reads: a serial port loses it, too
    }
}

void dxl_pty_carry(struct dxl_pty *pty, instant now)
{
    carry_out(pty, now);
    carry_in(pty);
}

void dxl_pty_await(struct dxl_pty *pty, instant now, duration at_most)
{
    struct pollfd file = {.fd = pty->master, .events = POLLIN};
    const bool attentive = instant_sub(now, pty->written).ns < ATTENTIVE_NS;
    if (attentive && at_most.ns > BUSY_NS)
        at_most.ns = BUSY_NS;
    const struct timespec time = {.tv_nsec = at_most.ns > 0 ? at_most.ns : 0};
    (void)ppoll(&file, 1, &time, NULL);
}
