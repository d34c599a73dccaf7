// can: what is true of a bus only on the kernel's CAN interfaces, where programs that know nothing
// of this project take part; and of ports outside any cell.
#include "tests/unit/common/unit.h"

#include "can_cell.h"

#include "can/line.h"
#include "can/page.h"
#include "clock/clock.h"

#include <linux/can/error.h>
#include <net/if.h>
#include <sys/ioctl.h>
#include <sys/socket.h>

static void turn(const char *interface, bool up)
{
    struct ifreq request = {.ifr_flags = up ? IFF_UP : 0};
    snprintf(request.ifr_name, sizeof request.ifr_name, "%s", interface);
    const int sock = socket(AF_INET, SOCK_DGRAM, 0);
    ck_assert_int_eq(ioctl(sock, SIOCSIFFLAGS, &request), 0);
    close(sock);
}

// Another program on the interface.
static struct can_line *open_stranger_at(const char *interface)
{
    struct can_line *line;
    static const struct can_filter all = {0};
    ck_assert_int_eq(can_line_open(interface, &line), STATUS_OK);
    ck_assert_int_eq(can_line_listen(line, &all, 1, CAN_ERR_MASK), STATUS_OK);
    return line;
}

static struct can_line *open_stranger(void)
{
    return open_stranger_at("can0");
}

static bool run(const char *command)
{
    char line[256];
    snprintf(line, sizeof line, "PATH=$PATH:/sbin:/usr/sbin; %s", command);
    return system(line) == 0;
}

static struct canfd_frame plain(uint32_t id, uint8_t length, uint8_t fill)
{
    struct canfd_frame frame = {.can_id = id, .len = length};
    memset(frame.data, fill, length);
    return frame;
}

// ---- without interfaces -------------------------------------------------------------------------

START_TEST(the_words_for_media_are_known_and_others_are_not)
{
    enum link_choice choice = LINK_SOCKETCAN;
    ck_assert(link_parse("auto", LINK_SOCKETCAN, &choice) && choice == LINK_AUTO);
    ck_assert(link_parse("embedded", LINK_SOCKETCAN, &choice) && choice == LINK_EMBEDDED);
    ck_assert(link_parse("socketcan", LINK_SOCKETCAN, &choice) && choice == LINK_SOCKETCAN);
    ck_assert(!link_parse("vcan", LINK_SOCKETCAN, &choice) &&
              !link_parse("", LINK_SOCKETCAN, &choice));
    ck_assert(link_parse("veth", LINK_VETH, &choice) && choice == LINK_VETH);
    ck_assert(!link_parse("veth", LINK_SOCKETCAN, &choice));
}
END_TEST

START_TEST(without_an_interface_a_port_outside_a_cell_is_refused)
{
    struct can_port *port;
    unsetenv("UKEMI_CELL");
    const enum status status = can_open("nocan7", "host", &port);
    ck_assert_msg(status == STATUS_NOT_FOUND || status == STATUS_UNSUPPORTED, "%s",
                  status_text(status));
    ck_assert_ptr_null(port);
}
END_TEST

START_TEST(a_bus_whose_interface_is_missing_cannot_be_opened)
{
    struct can_bus *bus = new_bus(), *other;
    struct can_port *port;
    const struct can_bus_config config = {.bitrates = {1000000, 0}, .medium = CAN_SOCKET};
    ck_assert_int_eq(can_bus_create(cell, "nocan7", &config), STATUS_OK);
    ck_assert_int_ne(can_bus_open("nocan7", &other), STATUS_OK);
    ck_assert_int_ne(can_open("nocan7", "host", &port), STATUS_OK);
    char path[80];
    snprintf(path, sizeof path, "%s/buses/nocan7", cell);
    unlink(path);
    end_bus(bus);
}
END_TEST

// ---- a bus on an interface ----------------------------------------------------------------------

START_TEST(strangers_hear_both_sides_and_error_frames)
{
    struct can_bus *bus = new_bus();
    struct can_port *host = open_host();
    struct can_line *stranger = open_stranger();
    const unsigned board = add_node(bus);
    struct canfd_frame heard;
    const struct can_frame request = data_frame(0x01, 3, 5), reply = data_frame(0x60, 8, 6);
    ck_assert_int_eq(can_send(host, &request, instant_ns(0)), STATUS_OK);
    can_bus_advance(bus, instant_ns(200000));
    ck_assert_int_eq(can_line_read(stranger, &heard, NULL, 1000000000), STATUS_OK);
    ck_assert_uint_eq(heard.can_id, 0x01);
    ck_assert_uint_eq(heard.len, 3);
    const unsigned slot =
        disturb((struct can_disturbance){.kind = CAN_DISTURB_CORRUPT, .node = 4, .seed = 1});
    ck_assert_int_eq(can_bus_send(bus, board, &reply, instant_ns(200000)), STATUS_OK);
    can_bus_advance(bus, instant_ns(300000));
    calm(slot);
    can_bus_advance(bus, instant_ns(900000));
    ck_assert_int_eq(can_line_read(stranger, &heard, NULL, 1000000000), STATUS_OK);
    ck_assert_uint_eq(heard.can_id, CAN_ERR_FLAG | CAN_ERR_PROT | CAN_ERR_BUSERROR);
    while (can_line_read(stranger, &heard, NULL, 0) == STATUS_OK && heard.can_id & CAN_ERR_FLAG)
        ;
    ck_assert_uint_eq(heard.can_id, 0x60);
    ck_assert_uint_eq(heard.data[7], 6);
    can_line_close(stranger);
    can_close(host);
    end_bus(bus);
}
END_TEST

START_TEST(strangers_frames_arbitrate_as_a_node_called_outside)
{
    struct can_bus *bus = new_bus();
    struct can_port *host = open_host();
    struct can_line *stranger = open_stranger();
    struct log log = {0};
    can_bus_listen(bus, record, &log);
    (void)add_node(bus);
    const struct can_frame first = data_frame(0x100, 8, 1), second = data_frame(0x102, 8, 1);
    const struct canfd_frame foreign = plain(0x101, 4, 9);
    can_bus_advance(bus, instant_ns(1000));
    ck_assert_int_eq(can_send(host, &first, instant_ns(1000)), STATUS_OK);
    ck_assert_int_eq(can_send(host, &second, instant_ns(1000)), STATUS_OK);
    ck_assert_int_eq(can_line_write(stranger, &foreign), STATUS_OK);
    can_bus_advance(bus, instant_ns(1000000));
    ck_assert_uint_eq(log.count, 3);
    for (unsigned i = 0; i < 3; i++)
        ck_assert_uint_eq(log.frame[i].frame.can_id, 0x100 + i);
    ck_assert_int_eq(log.sender[1], CAN_BUS_FROM_STRANGER);
    ck_assert_uint_eq(node_report("outside").sent, 1);
    struct can_stamped got; // the host hears it too, at its end on the wire
    ck_assert_int_eq(can_receive(host, &got), STATUS_OK);
    ck_assert_uint_eq(got.frame.can_id, 0x101);
    ck_assert_int_eq(got.time.ns, log.frame[1].time.ns);
    ck_assert_int_eq(can_receive(host, &got), STATUS_EMPTY);
    can_line_close(stranger);
    can_close(host);
    end_bus(bus);
}
END_TEST

START_TEST(a_flood_from_outside_is_bounded_and_counted_and_the_host_still_hears_its_board)
{
    struct can_bus *bus = new_bus();
    struct can_port *host = open_host();
    struct can_line *stranger = open_stranger();
    const unsigned board = add_node(bus);
    const struct can_frame reply = data_frame(0x60, 8, 6);
    for (unsigned i = 0; i < 200; i++)
        ck_assert_int_eq(can_line_write(stranger, &(struct canfd_frame){.can_id = i, .len = 1}),
                         STATUS_OK);
    can_bus_advance(bus, instant_ns(1000));
    ck_assert_int_eq(can_bus_send(bus, board, &reply, instant_ns(1000)), STATUS_OK);
    struct can_stamped got;
    unsigned foreign = 0, own = 0;
    for (unsigned look = 1; look < 2000 && foreign + node_report("outside").lost < 200; look++) {
        can_bus_advance(bus, instant_s(look));
        while (can_receive(host, &got) == STATUS_OK)
            *(got.frame.can_id == 0x60 && got.frame.can_dlc == 8 ? &own : &foreign) += 1;
        usleep(look); // a busy kernel delivers 64 frames at once, and the others when it can
    }
    ck_assert_uint_eq(own, 1);
    ck_assert_uint_eq(foreign + node_report("outside").lost, 200);
    ck_assert_uint_ge(foreign, CAN_BUS_QUEUE_MAX);
    can_line_close(stranger);
    can_close(host);
    end_bus(bus);
}
END_TEST

#define FLOOD 5000 // frames: many times what a socket's buffer holds

static void flood(struct can_line *stranger, uint32_t id)
{
    for (unsigned i = 0; i < FLOOD; i++) {
        const struct canfd_frame frame = plain(id, 1, (uint8_t)i);
        ck_assert_int_eq(can_line_write(stranger, &frame), STATUS_OK);
    }
}

START_TEST(strangers_crowd_out_neither_a_reply_nor_a_request)
{
    struct can_bus *bus = new_bus();
    struct can_port *host = open_host();
    struct can_line *stranger = open_stranger();
    struct log log = {0};
    can_bus_listen(bus, record, &log);
    const unsigned board = add_node(bus);
    const struct can_filter only = {0x60, CAN_SFF_MASK | CAN_EFF_FLAG | CAN_RTR_FLAG};
    ck_assert_int_eq(can_listen(host, &only, 1, CAN_ERR_MASK), STATUS_OK);
    const struct can_frame request = data_frame(0x01, 3, 5), reply = data_frame(0x60, 8, 6);
    struct can_stamped got;
    for (int64_t round = 0; round < 3; round++) {
        const instant t = instant_ns(round * 20000000 + 1000);
        flood(stranger, 0x7FF);
        ck_assert_int_eq(can_send(host, &request, t), STATUS_OK);
        const unsigned before = log.count;
        can_bus_advance(bus, instant_add(t, duration_ms(1)));
        unsigned requests = 0;
        for (unsigned i = before; i < log.count; i++)
            requests += log.sender[i] == CAN_BUS_FROM_HOST && log.frame[i].frame.can_id == 0x01;
        ck_assert_uint_eq(requests, 1);
        flood(stranger, 0x7FF);
        ck_assert_int_eq(can_bus_send(bus, board, &reply, instant_add(t, duration_ms(1))),
                         STATUS_OK);
        can_bus_advance(bus, instant_add(t, duration_ms(10)));
        ck_assert_int_eq(can_receive(host, &got), STATUS_OK);
        ck_assert_uint_eq(got.frame.can_id, 0x60);
        ck_assert_int_eq(can_receive(host, &got), STATUS_EMPTY);
    }
    struct can_health health;
    can_health(host, &health);
    const struct can_node_report outside = node_report("outside");
    ck_assert_uint_eq(health.lost, 0);
    ck_assert_uint_eq(health.unwanted, outside.sent);
    ck_assert_uint_eq(outside.sent + outside.lost, 6 * FLOOD); // every frame is accounted for
    can_line_close(stranger);
    can_close(host);
    end_bus(bus);
}
END_TEST

START_TEST(a_bus_outlives_its_interface_going_down_and_up)
{
    struct can_bus *bus = new_bus();
    struct can_port *host = open_host();
    struct log log = {0};
    can_bus_listen(bus, record, &log);
    const unsigned board = add_node(bus);
    const struct can_frame request = data_frame(0x01, 3, 5), reply = data_frame(0x60, 8, 6);
    struct can_stamped got;
    struct can_health health;
    for (unsigned round = 0; round < 5; round++) {
        turn("can0", false);
        const instant t = instant_ns((int64_t)round * 10000000 + 1000);
        ck_assert_int_eq(can_send(host, &request, t), STATUS_SYSTEM);
        ck_assert_int_eq(can_bus_send(bus, board, &reply, t), STATUS_OK);
        can_bus_advance(bus, instant_add(t, duration_ms(1)));
        ck_assert_int_eq(can_receive(host, &got), STATUS_EMPTY);
        ck_assert_uint_eq(log.count, 3 * round + 1); // the board's; nobody on the host's side heard
        turn("can0", true);
        ck_assert_int_eq(can_send(host, &request, instant_add(t, duration_ms(1))), STATUS_OK);
        can_bus_advance(bus, instant_add(t, duration_ms(2)));
        ck_assert_uint_eq(log.count, 3 * round + 2); // what was refused is not sent later
        ck_assert_int_eq(can_bus_send(bus, board, &reply, instant_add(t, duration_ms(2))),
                         STATUS_OK);
        can_bus_advance(bus, instant_add(t, duration_ms(3)));
        ck_assert_int_eq(can_receive(host, &got), STATUS_OK);
        ck_assert_int_eq(can_receive(host, &got), STATUS_EMPTY);
    }
    can_health(host, &health);
    ck_assert_uint_ge(health.outages, 5);
    can_close(host);
    end_bus(bus);
}
END_TEST

START_TEST(a_frame_of_a_sender_killed_before_the_interface_is_dropped_when_it_comes_back)
{
    struct can_bus *bus = new_bus();
    struct can_port *host = open_host();
    struct log log = {0};
    can_bus_listen(bus, record, &log);
    (void)add_node(bus);
    const struct can_frame orphan = data_frame(0x01, 3, 1), frame = data_frame(0x02, 3, 2);
    // Announced and never written: as a write that another network namespace swallows.
    struct can_page *page;
    ck_assert_int_eq(can_meddle_open(cell, "can0", &page), STATUS_OK);
    const struct can_stamped announced = {.frame = orphan};
    ck_assert(can_ring_put(&page->host[0].transmit, &announced));
    can_meddle_close(page);
    can_close(host);
    host = open_host();
    ck_assert_int_eq(can_send(host, &frame, instant_ns(0)), STATUS_OK);
    can_bus_advance(bus, instant_ns(1000000));
    ck_assert_uint_eq(log.count, 1);
    ck_assert_uint_eq(log.frame[0].frame.can_id, 0x02);
    can_close(host);
    end_bus(bus);
}
END_TEST

// Who sent what another program has written to the interface.
static int written_by(struct can_bus_config config)
{
    static struct log log;
    config.bitrates = (struct can_bitrates){1000000, 0};
    struct can_bus *bus = new_bus_with(config);
    struct can_line *program = open_stranger();
    const struct canfd_frame frame = plain(0x11, 6, 1);
    log.count = 0;
    can_bus_listen(bus, record, &log);
    (void)add_node(bus);
    ck_assert_int_eq(can_line_write(program, &frame), STATUS_OK);
    for (unsigned k = 1; log.count == 0 && k < 100000; k++)
        can_bus_advance(bus, instant_ns(k * 10000));
    ck_assert_uint_eq(log.count, 1);
    can_line_close(program);
    end_bus(bus);
    return log.sender[0];
}

START_TEST(what_no_board_has_sent_is_of_the_host_that_knows_the_interface_only)
{
    ck_assert_int_eq(written_by((struct can_bus_config){.host = "controller"}),
                     CAN_BUS_FROM_STRANGER);
    ck_assert_int_eq(
        written_by((struct can_bus_config){.host = "controller", .host_outside = true}),
        CAN_BUS_FROM_HOST);
}
END_TEST

// ---- a port outside a cell ----------------------------------------------------------------------

static struct can_port *open_plain(void)
{
    struct can_port *port;
    unsetenv("UKEMI_CELL");
    ck_assert_int_eq(can_open("can0", "host", &port), STATUS_OK);
    return port;
}

// What was written to the kernel may take until its own threads have run.
static enum status receive_soon(struct can_port *port, struct can_stamped *got)
{
    enum status status;
    for (unsigned k = 0; (status = can_receive(port, got)) == STATUS_EMPTY && k < 100000; k++)
        ;
    return status;
}

START_TEST(a_port_outside_a_cell_exchanges_frames_of_all_kinds_with_the_clocks_time)
{
    struct clk *clk;
    struct can_port *port = open_plain();
    ck_assert_int_eq(clk_join(&clk), STATUS_OK);
    struct can_line *stranger = open_stranger();
    struct canfd_frame heard, all[] = {plain(0x123, 8, 1), plain(0x1ABCDEF0 | CAN_EFF_FLAG, 2, 2),
                                       plain(0x321 | CAN_RTR_FLAG, 0, 0), plain(0x55, 48, 3)};
    all[3].flags = CANFD_FDF | CANFD_BRS;
    const instant before = clk_now(clk);
    for (unsigned i = 0; i < 4; i++) {
        struct can_stamped got;
        ck_assert_int_eq(can_line_write(stranger, &all[i]), STATUS_OK);
        ck_assert_int_eq(receive_soon(port, &got), STATUS_OK);
        ck_assert_uint_eq(got.fd.can_id, all[i].can_id);
        ck_assert_uint_eq(got.fd.len, all[i].len);
        ck_assert_uint_eq(got.fd.flags, all[i].flags);
        ck_assert_mem_eq(got.fd.data, all[i].data, all[i].len);
        ck_assert(!instant_before(clk_now(clk), got.time));
        ck_assert(!instant_before(got.time, before));
    }
    const struct can_frame own = data_frame(0x77, 5, 4);
    ck_assert_int_eq(can_send(port, &own, clk_now(clk)), STATUS_OK);
    ck_assert_int_eq(can_send_fd(port, &all[3], clk_now(clk)), STATUS_OK);
    ck_assert_int_eq(can_line_read(stranger, &heard, NULL, 1000000000), STATUS_OK);
    ck_assert_uint_eq(heard.can_id, 0x77);
    ck_assert_int_eq(can_line_read(stranger, &heard, NULL, 1000000000), STATUS_OK);
    ck_assert_uint_eq(heard.len, 48);
    can_line_close(stranger);
    can_close(port);
    clk_leave(clk);
}
END_TEST

START_TEST(a_port_outside_a_cell_filters_and_tells_its_health_from_error_frames)
{
    struct can_port *port = open_plain();
    struct can_line *stranger = open_stranger();
    const struct can_filter only = {.can_id = 0x60, .can_mask = CAN_SFF_MASK};
    ck_assert_int_eq(can_listen(port, &only, 1, 0), STATUS_OK);
    const struct canfd_frame other = plain(0x61, 1, 1), wanted = plain(0x60, 1, 2);
    struct canfd_frame passive = plain(CAN_ERR_FLAG | CAN_ERR_CRTL, CAN_ERR_DLC, 0);
    passive.data[1] = CAN_ERR_CRTL_TX_PASSIVE;
    passive.data[6] = 130;
    ck_assert_int_eq(can_line_write(stranger, &other), STATUS_OK);
    ck_assert_int_eq(can_line_write(stranger, &passive), STATUS_OK);
    ck_assert_int_eq(can_line_write(stranger, &wanted), STATUS_OK);
    struct can_stamped got;
    ck_assert_int_eq(receive_soon(port, &got), STATUS_OK);
    ck_assert_uint_eq(got.frame.can_id, 0x60);
    struct can_health health;
    can_health(port, &health);
    ck_assert_uint_eq(health.state, CAN_PASSIVE);
    ck_assert_uint_eq(health.transmit_errors, 130);
    ck_assert_int_eq(can_receive(port, &got), STATUS_EMPTY);
    can_line_close(stranger);
    can_close(port);
}
END_TEST

START_TEST(a_port_outside_a_cell_reads_no_stranger_and_counts_what_found_its_buffer_full)
{
    struct can_port *port = open_plain();
    struct can_line *stranger = open_stranger();
    const struct can_filter only = {0x60, CAN_SFF_MASK | CAN_EFF_FLAG | CAN_RTR_FLAG};
    ck_assert_int_eq(can_listen(port, &only, 1, CAN_ERR_MASK), STATUS_OK);
    const struct canfd_frame wanted = plain(0x60, 1, 2);
    struct can_stamped got;
    struct can_health health;
    flood(stranger, 0x7FF);
    ck_assert_int_eq(can_line_write(stranger, &wanted), STATUS_OK);
    ck_assert_int_eq(receive_soon(port, &got), STATUS_OK); // the first that is there
    ck_assert_uint_eq(got.frame.can_id, 0x60);
    can_health(port, &health);
    ck_assert_uint_eq(health.lost, 0);
    flood(stranger, 0x60);
    unsigned received = 0;
    while (can_receive(port, &got) == STATUS_OK)
        received++;
    can_health(port, &health);
    ck_assert_uint_le(received, CAN_LINE_READS_MAX);
    ck_assert_uint_gt(health.lost, 0);
    ck_assert_uint_eq(received + health.lost, FLOOD);
    can_line_close(stranger);
    can_close(port);
}
END_TEST

START_TEST(a_port_outside_a_cell_outlives_its_interface_going_down_and_being_made_anew)
{
    struct can_port *port = open_plain();
    const struct can_frame frame = data_frame(0x77, 5, 4);
    struct can_stamped got;
    struct can_health health;
    turn("can0", false);
    ck_assert_int_eq(can_send(port, &frame, instant_ns(0)), STATUS_SYSTEM);
    ck_assert_int_eq(can_receive(port, &got), STATUS_EMPTY);
    turn("can0", true);
    ck_assert_int_eq(can_send(port, &frame, instant_ns(0)), STATUS_OK);
    ck_assert_int_eq(run("ip link delete can0"), true);
    ck_assert_int_eq(can_send(port, &frame, instant_ns(0)), STATUS_SYSTEM);
    ck_assert_int_eq(can_receive(port, &got), STATUS_EMPTY);
    char reason[160] = "";
    ck_assert_int_eq(link_create_vcan("can0", reason, sizeof reason), STATUS_OK);
    ck_assert_int_eq(can_send(port, &frame, instant_ns(0)), STATUS_OK);
    struct can_line *stranger = open_stranger();
    const struct canfd_frame foreign = plain(0x60, 1, 2);
    ck_assert_int_eq(can_line_write(stranger, &foreign), STATUS_OK);
    ck_assert_int_eq(receive_soon(port, &got), STATUS_OK);
    can_health(port, &health);
    ck_assert_uint_eq(health.outages, 2);
    can_line_close(stranger);
    can_close(port);
}
END_TEST

START_TEST(a_port_outside_a_cell_takes_any_interface_by_name_and_talks_to_the_far_end_of_a_pair)
{
    ck_assert(run("ip link add near0 type vxcan peer name far0 && ip link set near0 up && "
                  "ip link set far0 up"));
    unsetenv("UKEMI_CELL");
    struct can_port *port;
    ck_assert_int_eq(can_open("near0", "host", &port), STATUS_OK);
    struct can_line *far = open_stranger_at("far0");
    const struct can_frame request = data_frame(0x01, 3, 5);
    const struct canfd_frame reply = plain(0x60, 8, 6);
    struct canfd_frame heard;
    struct can_stamped got;
    ck_assert_int_eq(can_send(port, &request, instant_ns(0)), STATUS_OK);
    ck_assert_int_eq(can_line_read(far, &heard, NULL, 1000000000), STATUS_OK);
    ck_assert_uint_eq(heard.can_id, 0x01);
    ck_assert_uint_eq(heard.len, 3);
    ck_assert_uint_eq(can_unsent(port), 0);
    ck_assert_int_eq(can_line_write(far, &reply), STATUS_OK);
    ck_assert_int_eq(receive_soon(port, &got), STATUS_OK);
    ck_assert_uint_eq(got.frame.can_id, 0x60);
    ck_assert_uint_eq(got.frame.data[7], 6);
    can_line_close(far);
    can_close(port);
}
END_TEST

START_TEST(a_port_outside_a_cell_knows_of_frames_that_wait_in_the_interfaces_queue)
{
    struct can_port *port = open_plain();
    const struct can_frame frame = data_frame(0x77, 5, 4);
    ck_assert_uint_eq(can_unsent(port), 0);
    // One frame at once, then one each 1.28 s.
    if (!run("tc qdisc add dev can0 root tbf rate 100bit burst 16 limit 10000 2>/dev/null")) {
        printf("no slow queue here\n");
        can_close(port);
        return;
    }
    for (unsigned i = 0; i < 3; i++)
        ck_assert_int_eq(can_send(port, &frame, instant_ns(0)), STATUS_OK);
    const unsigned waiting = can_unsent(port);
    ck_assert_msg(waiting == 1 || waiting == 2, "%u frames wait", waiting);
    for (unsigned k = 0; k < 600 && can_unsent(port) > 0; k++)
        usleep(100000);
    ck_assert_uint_eq(can_unsent(port), 0);
    can_close(port);
}
END_TEST

int main(void)
{
    const TTest *const anywhere[] = {the_words_for_media_are_known_and_others_are_not,
                                     without_an_interface_a_port_outside_a_cell_is_refused,
                                     a_bus_whose_interface_is_missing_cannot_be_opened};
    const TTest *const with_interfaces[] = {
        what_no_board_has_sent_is_of_the_host_that_knows_the_interface_only,
        strangers_hear_both_sides_and_error_frames,
        strangers_frames_arbitrate_as_a_node_called_outside,
        a_flood_from_outside_is_bounded_and_counted_and_the_host_still_hears_its_board,
        strangers_crowd_out_neither_a_reply_nor_a_request,
        a_bus_outlives_its_interface_going_down_and_up,
        a_frame_of_a_sender_killed_before_the_interface_is_dropped_when_it_comes_back,
        a_port_outside_a_cell_exchanges_frames_of_all_kinds_with_the_clocks_time,
        a_port_outside_a_cell_filters_and_tells_its_health_from_error_frames,
        a_port_outside_a_cell_reads_no_stranger_and_counts_what_found_its_buffer_full,
        a_port_outside_a_cell_outlives_its_interface_going_down_and_being_made_anew,
        a_port_outside_a_cell_takes_any_interface_by_name_and_talks_to_the_far_end_of_a_pair,
        a_port_outside_a_cell_knows_of_frames_that_wait_in_the_interfaces_queue};
    Suite *suite = suite_create("can-socket");
    add_tests(suite, "anywhere", NULL, anywhere, sizeof anywhere / sizeof anywhere[0]);
    if (interfaces_possible())
        add_tests(suite, "on interfaces", use_interfaces, with_interfaces,
                  sizeof with_interfaces / sizeof with_interfaces[0]);
    return run_suite(suite);
}
