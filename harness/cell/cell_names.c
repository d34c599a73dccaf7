// Names in a cell: of itself, of its users, of protocols. The machine's own files are not for it:
// what they say differs from machine to machine.
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "harness/cell/cell_private.h"

// Users as in doc/reference/cell.md, "Who it is". Names are looked for here alone: there is no
// server of names, and nobody shall wait for one.
static const struct {
    const char *path, *text;
} files[] = {
    {"/etc/hosts", "127.0.0.1 localhost " CELL_HOST "\n"
                   "::1 localhost ip6-localhost ip6-loopback\n"},
    {"/etc/hostname", CELL_HOST "\n"},
    {"/etc/machine-id", "ce110000ce110000ce110000ce110000\n"},
    {"/etc/nsswitch.conf", "passwd: files\ngroup: files\nshadow: files\nhosts: files\n"
                           "networks: files\nprotocols: files\nservices: files\n"},
    {"/etc/passwd", "root:x:0:0:root:/tmp:/bin/sh\n"
                    "daemon:x:1:1:daemon:/usr/sbin:/usr/sbin/nologin\n"
                    "user1000:x:1000:1000::/tmp:/bin/sh\n"
                    "nobody:x:65534:65534:nobody:/tmp:/bin/sh\n"},
    {"/etc/group", "root:x:0:\ndaemon:x:1:\ntty:x:5:\ndialout:x:20:user1000\n"
                   "user1000:x:1000:\nnogroup:x:65534:\n"},
    {"/etc/protocols", "ip 0 IP\nicmp 1 ICMP\nigmp 2 IGMP\ntcp 6 TCP\nudp 17 UDP\nipv6 41 IPv6\n"
                       "ipv6-icmp 58 IPv6-ICMP\nsctp 132 SCTP\n"},
    {"/etc/services", "echo 7/tcp\necho 7/udp\ndiscard 9/tcp sink null\ndiscard 9/udp sink null\n"
                      "ftp 21/tcp\nssh 22/tcp\ntelnet 23/tcp\ntime 37/tcp\ntime 37/udp\n"
                      "domain 53/tcp\ndomain 53/udp\ntftp 69/udp\nhttp 80/tcp www\n"
                      "sunrpc 111/tcp portmapper\nsunrpc 111/udp portmapper\nntp 123/udp\n"
                      "snmp 161/udp\nldap 389/tcp\nhttps 443/tcp\nsyslog 514/udp\n"
                      "mqtt 1883/tcp\npostgresql 5432/tcp\n"},
};

static bool shows_the_machines(const struct cell_request *request, const char *path)
{
    for (unsigned i = 0; i < request->visible_count; i++)
        if (strcmp(request->visible[i], path) == 0)
            return true;
    return false;
}

static bool write_file(const char *path, const char *text)
{
    const int file = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0644);
    const size_t size_B = strlen(text);
    const bool written =
        file >= 0 && fchmod(file, 0644) == 0 && write(file, text, size_B) == (ssize_t)size_B;
    if (file >= 0)
        close(file);
    return written;
}

int cell_write_names(struct cell *cell)
{
    (void)mkdir("./etc", 0755);
    for (size_t i = 0; i < sizeof files / sizeof files[0]; i++) {
        char path[64];
        snprintf(path, sizeof path, ".%s", files[i].path);
        if (!shows_the_machines(cell->request, files[i].path) && !write_file(path, files[i].text))
            return cell_give_up(cell, "cannot make the cell's %s", files[i].path);
    }
    return 0;
}
