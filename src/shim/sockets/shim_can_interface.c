// Interfaces of CAN: a bus of the cell's seems to be one.
#include <dirent.h>
#include <linux/sockios.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>

#include "shim/sockets/shim_can_private.h"

static char buses[BUSES_MAX][IFNAMSIZ];

// In the order of their names, so that all processes count them alike.
static void know_buses(void)
{
    char path[4096];
    struct dirent **entries = NULL;
    snprintf(path, sizeof path, "%s/buses", getenv("UKEMI_CELL"));
    const int count = scandir(path, &entries, NULL, alphasort);
    unsigned known = 0;
    for (int i = 0; i < count; i++) {
        const char *const name = entries[i]->d_name;
        if (name[0] != '.' && strlen(name) < IFNAMSIZ && known < BUSES_MAX)
            memcpy(buses[known++], name, strlen(name) + 1);
        free(entries[i]);
    }
    free(entries);
}

unsigned shim_can_index(const char *name)
{
    const int error = errno;
    if (buses[0][0] == '\0')
        know_buses();
    errno = error;
    for (unsigned i = 0; i < BUSES_MAX; i++)
        if (buses[i][0] != '\0' && strncmp(buses[i], name, IFNAMSIZ) == 0)
            return FIRST_INDEX + i;
    return 0;
}

PUBLIC unsigned if_nametoindex(const char *name)
{
    const unsigned index = shim_on() ? shim_can_index(name) : 0;
    return index != 0 ? index : NEXT(if_nametoindex)(name);
}

const char *shim_can_name(int index)
{
    const unsigned i = (unsigned)index - FIRST_INDEX;
    return i < BUSES_MAX && buses[i][0] != '\0' ? buses[i] : NULL;
}

PUBLIC char *if_indextoname(unsigned index, char name[IFNAMSIZ])
{
    const char *found = shim_on() ? shim_can_name((int)index) : NULL;
    return found != NULL ? memcpy(name, found, IFNAMSIZ) : NEXT(if_indextoname)(index, name);
}

// What is asked about an interface that is a bus. False: another one.
static bool answer_interface(unsigned long request, struct ifreq *asked)
{
    if (request == SIOCGIFNAME) {
        const char *name = shim_can_name(asked->ifr_ifindex);
        if (name != NULL)
            memcpy(asked->ifr_name, name, IFNAMSIZ);
        return name != NULL;
    }
    const unsigned index =
        request == SIOCGIFINDEX || request == SIOCGIFMTU ? shim_can_index(asked->ifr_name) : 0;
    if (index == 0)
        return false;
    if (request == SIOCGIFINDEX)
        asked->ifr_ifindex = (int)index;
    else
        asked->ifr_mtu = CANFD_MTU;
    return true;
}

PUBLIC int ioctl(int descriptor, unsigned long request, ...)
{
    va_list arguments;
    va_start(arguments, request);
    void *argument = va_arg(arguments, void *);
    va_end(arguments);
    if (shim_on() && answer_interface(request, argument))
        return 0;
    struct timespec stamp;
    if (shim_on() && shim_is_stamp_request(request) && shim_can_stamp_of_last(descriptor, &stamp)) {
        if (request == SIOCGSTAMP_OLD || request == SIOCGSTAMP_NEW)
            stamp.tv_nsec /= 1000; // a timeval
        memcpy(argument, &stamp, sizeof stamp);
        return 0;
    }
    if (shim_on() && shim_is_stamp_request(request)) { // as on a socket that has received nothing
        errno = ENOENT;
        return -1;
    }
    return (int)KERNEL(SYS_ioctl, descriptor, request, argument);
}
