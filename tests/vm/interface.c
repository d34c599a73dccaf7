// Fault of the tests on SocketCAN: takes the interface of a bus down, and up again.
//
//   interface apply|undo interface-down interface=NAME ...
#include <net/if.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/socket.h>

static bool is_up(const struct ifreq *request)
{
    return (request->ifr_flags & IFF_UP) != 0;
}

int main(int argc, char **argv)
{
    struct ifreq request = {0};
    for (int i = 1; i < argc; i++)
        if (strncmp(argv[i], "interface=", 10) == 0)
            snprintf(request.ifr_name, sizeof request.ifr_name, "%.15s", argv[i] + 10);
    const bool up = argc > 1 && strcmp(argv[1], "undo") == 0;
    const int sock = socket(AF_INET, SOCK_DGRAM, 0);
    bool proven = ioctl(sock, SIOCGIFFLAGS, &request) == 0 && is_up(&request) != up;
    request.ifr_flags = (short)(request.ifr_flags ^ IFF_UP);
    proven = proven && ioctl(sock, SIOCSIFFLAGS, &request) == 0 &&
             ioctl(sock, SIOCGIFFLAGS, &request) == 0 && is_up(&request) == up;
    printf("proven=%d evidence=%s is %s\n", proven, request.ifr_name,
           !proven ? "not what it should be"
           : up    ? "up"
                   : "down");
    return 0;
}
