// dynamixel: packets, the control table, byte times, collisions, and a host that is never fooled.
#include "tests/unit/common/unit.h"

#include <string.h>

#include "dynamixel/host.h"
#include "dynamixel/line_private.h"

#define MS 1000000
#define BYTE_NS 10000

// ---- packets ------------------------------------------------------------------------------------

START_TEST(packets_have_the_bytes_of_the_manual)
{
    // AX-12 manual, 3-2 and 3-5: read two bytes from address 43 of device 1; write 1 to id FE.
    static const uint8_t read[] = {0xFF, 0xFF, 1, 4, 2, 0x2B, 1, 0xCC};
    uint8_t bytes[DXL_PACKET_MAX_B];
    const struct dxl_packet packet = {.id = 1, .code = DXL_READ, .count = 2, .parameter = {43, 1}};
    ck_assert_uint_eq(dxl_encode(&packet, bytes), sizeof read);
    ck_assert_mem_eq(bytes, read, sizeof read);
    static const uint8_t write[] = {0xFF, 0xFF, 0xFE, 4, 3, 3, 1, 0xF6};
    const struct dxl_packet rename = {
        .id = DXL_BROADCAST, .code = DXL_WRITE, .count = 2, .parameter = {3, 1}};
    ck_assert_uint_eq(dxl_encode(&rename, bytes), sizeof write);
    ck_assert_mem_eq(bytes, write, sizeof write);
}
END_TEST

static enum dxl_decoded decode_all(struct dxl_decoder *decoder, const uint8_t *bytes,
                                   unsigned count, struct dxl_packet *packet)
{
    enum dxl_decoded last = DXL_MORE;
    for (unsigned i = 0; i < count; i++)
        last = dxl_decode(decoder, bytes[i], instant_ns(i * BYTE_NS), packet);
    return last;
}

START_TEST(a_decoder_finds_packets_after_rubbish_and_long_headers)
{
    static const uint8_t bytes[] = {7, 0xFF, 3, 0xFF, 0xFF, 0xFF, 5, 2, 1, 0xF7};
    struct dxl_decoder decoder = {0};
    struct dxl_packet packet;
    ck_assert_int_eq(decode_all(&decoder, bytes, sizeof bytes, &packet), DXL_WHOLE);
    ck_assert_uint_eq(packet.id, 5);
    ck_assert_uint_eq(packet.code, DXL_PING);
    ck_assert_uint_eq(packet.count, 0);
}
END_TEST

START_TEST(a_wrong_sum_is_seen_and_a_gap_discards)
{
    uint8_t bytes[] = {0xFF, 0xFF, 5, 2, 1, 0xF6};
    struct dxl_decoder decoder = {0};
    struct dxl_packet packet;
    ck_assert_int_eq(decode_all(&decoder, bytes, sizeof bytes, &packet), DXL_BROKEN);
    bytes[5] = 0xF7;
    ck_assert_int_eq(decode_all(&decoder, bytes, 5, &packet), DXL_MORE);
    ck_assert_int_eq(dxl_decode(&decoder, bytes[5], instant_ns(150 * MS), &packet), DXL_MORE);
}
END_TEST

START_TEST(every_packet_survives_coding)
{
    for (unsigned count = 0; count <= DXL_PARAMETERS_MAX; count++) {
        struct dxl_packet packet = {.id = (uint8_t)(count % 254), .code = 3}, back = {0};
        uint8_t bytes[DXL_PACKET_MAX_B];
        struct dxl_decoder decoder = {0};
        packet.count = (uint8_t)count;
        memset(packet.parameter, 0xFF, count);
        const unsigned length = dxl_encode(&packet, bytes);
        ck_assert_uint_eq(length, count + DXL_OVERHEAD_B);
        ck_assert_int_eq(decode_all(&decoder, bytes, length, &back), DXL_WHOLE);
        ck_assert_uint_eq(back.count, count);
        ck_assert_mem_eq(back.parameter, packet.parameter, count);
    }
}
END_TEST

// ---- a line with devices, and a host that sees its answers --------------------------------------

#define DEVICES 19

static struct dxl_line *line;
static struct dxl_port *port;
static struct dxl_host host;
static struct dxl_device device[DEVICES];
static instant now;
static unsigned bursts;
static instant burst_start[256], burst_end[256];

static void note(void *context, const struct dxl_burst *burst)
{
    (void)context;
    burst_start[bursts % 256] = burst->start;
    burst_end[bursts++ % 256] = burst->end;
}

static void set_up(void)
{
    unsigned node;
    ck_assert_int_eq(dxl_line_open_alone(1000000, &line), STATUS_OK);
    for (unsigned i = 0; i < DEVICES; i++) {
        dxl_device_start(&device[i], (uint8_t)(i + 1));
        dxl_put(&device[i], DXL_RETURN_DELAY, 0);
        ck_assert_int_eq(dxl_line_add_device(line, &device[i], &node), STATUS_OK);
    }
    ck_assert_int_eq(dxl_line_port(line, "host", &port), STATUS_OK);
    dxl_line_listen(line, note, NULL);
    dxl_host_start(&host, port, duration_us(500));
    now = instant_ns(0);
    bursts = 0;
}

static void tear_down(void)
{
    dxl_port_close(port);
    dxl_line_close(line);
}

// Looks when it says so, until the request has ended.
static enum status finish(enum status status, struct dxl_packet *answer)
{
    ck_assert_int_eq(status, STATUS_OK);
    for (unsigned i = 0; i < 100; i++) {
        now = instant_max(now, dxl_host_next(&host));
        dxl_line_advance(line, now);
        status = dxl_host_look(&host, answer);
        if (status != STATUS_EMPTY)
            return status;
    }
    ck_abort_msg("the request never ends");
}

START_TEST(requests_and_answers_take_their_bytes_to_the_nanosecond)
{
    struct dxl_packet answer;
    for (unsigned delay = 0; delay <= 250; delay += 125) {
        bursts = 0;
        dxl_put(&device[1], DXL_RETURN_DELAY, delay);
        const instant at = now;
        ck_assert_int_eq(finish(dxl_host_read(&host, 2, DXL_POSITION, 6, now), &answer), STATUS_OK);
        ck_assert_uint_eq(answer.count, 6);
        ck_assert_uint_eq(dxl_word(answer.parameter), 512);
        ck_assert_uint_eq(bursts, 2);
        ck_assert_int_eq(instant_sub(burst_end[0], at).ns, 8 * BYTE_NS);
        ck_assert_int_eq(instant_sub(burst_start[1], burst_end[0]).ns, delay * 2000);
        ck_assert_int_eq(instant_sub(burst_end[1], burst_start[1]).ns, 12 * BYTE_NS);
    }
}
END_TEST

START_TEST(nineteen_servos_are_written_and_read_207_or_70_times_a_second)
{
    // A sync-write of goal and speed is 103 bytes; a read of six bytes 8 + 12.
    static const int64_t cycle_ns[] = {103 * BYTE_NS + 19 * 20 * BYTE_NS,
                                       103 * BYTE_NS + 19 * (20 * BYTE_NS + 500000)};
    for (unsigned k = 0; k < 2; k++) {
        uint8_t parts[DEVICES * 5] = {0};
        struct dxl_packet answer;
        for (unsigned i = 0; i < DEVICES; i++) {
            parts[5 * i] = (uint8_t)(i + 1);
            dxl_put_word(parts + 5 * i + 1, 100 * (k + 1) + i);
            dxl_put(&device[i], DXL_RETURN_DELAY, 250 * k);
        }
        dxl_host_start(&host, port, duration_us(500 * k));
        const instant start = now;
        ck_assert_int_eq(
            finish(dxl_host_sync_write(&host, DXL_GOAL, 4, parts, DEVICES, now), &answer),
            STATUS_OK);
        for (uint8_t id = 1; id <= DEVICES; id++)
            ck_assert_int_eq(finish(dxl_host_read(&host, id, DXL_POSITION, 6, now), &answer),
                             STATUS_OK);
        ck_assert_int_eq(instant_sub(now, start).ns, cycle_ns[k]);
        for (unsigned i = 0; i < DEVICES; i++) {
            ck_assert_uint_eq(dxl_get(&device[i], DXL_GOAL), 100 * (k + 1) + i);
            ck_assert_uint_eq(dxl_get(&device[i], DXL_TORQUE_ON), 1);
        }
    }
}
END_TEST

START_TEST(a_write_past_the_table_or_out_of_range_writes_nothing)
{
    struct dxl_packet answer;
    static const struct {
        uint8_t first, count, bytes[4], errors;
    } wrong[] = {
        {48, 4, {1, 0, 1, 0}, DXL_ERROR_RANGE},                   // past the end
        {200, 1, {1}, DXL_ERROR_RANGE},                           // far past it
        {DXL_GOAL, 2, {0, 4}, DXL_ERROR_RANGE | DXL_ERROR_ANGLE}, // 1024
        {DXL_POSITION, 2, {1, 0}, DXL_ERROR_RANGE},               // can only be read
        {45, 1, {1}, DXL_ERROR_RANGE},                            // reserved
        {DXL_LED, 2, {2, 1}, DXL_ERROR_RANGE},                    // the first of two is wrong
        {DXL_STATUS_LEVEL, 1, {3}, DXL_ERROR_RANGE},
    };
    for (size_t i = 0; i < sizeof wrong / sizeof wrong[0]; i++) {
        struct dxl_device before = device[0];
        ck_assert_int_eq(
            finish(dxl_host_write(&host, 1, wrong[i].first, wrong[i].bytes, wrong[i].count, now),
                   &answer),
            STATUS_OK);
        ck_assert_uint_eq(answer.code, wrong[i].errors);
        ck_assert_mem_eq(device[0].table, before.table, DXL_TABLE_B);
    }
    dxl_put(&device[0], DXL_CW_LIMIT, 300);
    ck_assert_int_eq(finish(dxl_host_write(&host, 1, DXL_GOAL, (uint8_t[]){1, 0}, 2, now), &answer),
                     STATUS_OK);
    ck_assert_uint_eq(answer.code, DXL_ERROR_ANGLE);
    ck_assert_uint_eq(dxl_get(&device[0], DXL_GOAL), 512);
}
END_TEST

START_TEST(all_instructions_do_what_the_manual_says)
{
    struct dxl_packet answer;
    ck_assert_int_eq(finish(dxl_host_ping(&host, 3, now), &answer), STATUS_OK);
    ck_assert_uint_eq(answer.code, 0);
    ck_assert_int_eq(finish(dxl_host_ping(&host, 99, now), &answer), STATUS_TIMEOUT);
    const uint8_t goal[] = {44, 1};
    ck_assert_int_eq(finish(dxl_host_reg_write(&host, 1, DXL_GOAL, goal, 2, now), &answer),
                     STATUS_OK);
    ck_assert_uint_eq(dxl_get(&device[0], DXL_GOAL), 512);
    ck_assert_uint_eq(dxl_get(&device[0], DXL_REGISTERED), 1);
    ck_assert_int_eq(finish(dxl_host_action(&host, DXL_BROADCAST, now), &answer), STATUS_OK);
    ck_assert_uint_eq(dxl_get(&device[0], DXL_GOAL), 300);
    ck_assert_uint_eq(dxl_get(&device[0], DXL_REGISTERED), 0);
    ck_assert_int_eq(finish(dxl_host_action(&host, 1, now), &answer), STATUS_OK);
    ck_assert_uint_eq(answer.code, DXL_ERROR_INSTRUCTION); // nothing is registered
    ck_assert_int_eq(finish(dxl_host_reset(&host, 3, now), &answer), STATUS_OK);
    ck_assert_uint_eq(dxl_get(&device[2], DXL_ID), 1);
    ck_assert_uint_eq(dxl_get(&device[2], DXL_RETURN_DELAY), 250);
}
END_TEST

START_TEST(the_status_return_level_says_what_is_answered)
{
    static const enum status answered[3][3] = {
        {STATUS_OK, STATUS_TIMEOUT, STATUS_TIMEOUT},
        {STATUS_OK, STATUS_OK, STATUS_TIMEOUT},
        {STATUS_OK, STATUS_OK, STATUS_OK},
    };
    struct dxl_packet answer;
    for (unsigned level = 0; level < 3; level++) {
        dxl_put(&device[0], DXL_STATUS_LEVEL, level);
        ck_assert_int_eq(finish(dxl_host_ping(&host, 1, now), &answer), answered[level][0]);
        ck_assert_int_eq(finish(dxl_host_read(&host, 1, 0, 2, now), &answer), answered[level][1]);
        ck_assert_int_eq(finish(dxl_host_ping(&host, 1, now), &answer), STATUS_OK);
        ck_assert_int_eq(finish(dxl_host_write(&host, 1, DXL_LED, (uint8_t[]){1}, 1, now), &answer),
                         answered[level][2]);
        ck_assert_uint_eq(dxl_get(&device[0], DXL_LED), 1);
        dxl_put(&device[0], DXL_LED, 0);
    }
}
END_TEST

START_TEST(ram_is_lost_with_power_and_eeprom_is_not)
{
    dxl_put(&device[0], DXL_TORQUE_MAX, 500);
    dxl_put(&device[0], DXL_LED, 1);
    dxl_device_power(&device[0]);
    ck_assert_uint_eq(dxl_get(&device[0], DXL_LED), 0);
    ck_assert_uint_eq(dxl_get(&device[0], DXL_TORQUE_LIMIT), 500);
    dxl_device_forget(&device[0]);
    ck_assert_uint_eq(dxl_get(&device[0], DXL_TORQUE_MAX), 1023);
}
END_TEST

START_TEST(answers_at_the_same_time_are_anded)
{
    // Twins answer a read at once: what is 1 at both stays 1, the others' ones are lost.
    uint8_t request[DXL_PACKET_MAX_B];
    struct dxl_byte heard[32];
    const struct dxl_packet read = {.id = 1, .code = DXL_READ, .count = 2, .parameter = {30, 1}};
    dxl_put(&device[1], DXL_ID, 1);
    dxl_put(&device[0], DXL_GOAL, 0xF3);
    dxl_put(&device[1], DXL_GOAL, 0x3F);
    const unsigned length = dxl_encode(&read, request);
    ck_assert_int_eq(dxl_port_send(port, request, length, now), STATUS_OK);
    dxl_line_advance(line, instant_ns(MS));
    ck_assert_uint_eq(dxl_port_receive(port, heard, 32), 7);
    ck_assert_uint_eq(heard[5].value, 0x33);
    ck_assert_uint_eq(heard[6].value, (uint8_t)(~(1 + 3 + 0xF3) & ~(1 + 3 + 0x3F)));
}
END_TEST

START_TEST(a_device_at_another_rate_neither_hears_nor_is_heard)
{
    struct dxl_packet answer;
    dxl_put(&device[0], DXL_BAUD, 3); // 500 kbit/s
    ck_assert_int_eq(finish(dxl_host_ping(&host, 1, now), &answer), STATUS_TIMEOUT);
    ck_assert_uint_eq(device[0].heard, 0);
    ck_assert_int_eq(finish(dxl_host_ping(&host, 2, now), &answer), STATUS_OK);
    dxl_put(&device[0], DXL_BAUD, 1);
    ck_assert_int_eq(finish(dxl_host_ping(&host, 1, now), &answer), STATUS_OK);
}
END_TEST

START_TEST(the_host_takes_no_answer_of_another_device_or_length)
{
    // Somebody speaks as devices 1 and 3 would, while device 3 is about to answer.
    static const struct dxl_packet lie[] = {{.id = 1, .count = 2, .parameter = {7, 7}},
                                            {.id = 3, .count = 3, .parameter = {7, 7, 7}}};
    for (size_t i = 0; i < 2; i++) {
        struct dxl_port *liar;
        struct dxl_packet answer;
        uint8_t bytes[DXL_PACKET_MAX_B];
        ck_assert_int_eq(dxl_line_port(line, "liar", &liar), STATUS_OK);
        dxl_put(&device[2], DXL_RETURN_DELAY, 250);
        const unsigned length = dxl_encode(&lie[i], bytes);
        ck_assert_int_eq(dxl_port_send(liar, bytes, length, instant_add(now, duration_us(100))),
                         STATUS_OK);
        ck_assert_int_eq(finish(dxl_host_read(&host, 3, DXL_GOAL, 2, now), &answer), STATUS_OK);
        ck_assert_uint_eq(answer.id, 3);
        ck_assert_uint_eq(dxl_word(answer.parameter), 512);
        ck_assert_uint_eq(host.statistics.foreign, i + 1);
        dxl_port_close(liar);
    }
}
END_TEST

// ---- disturbances -------------------------------------------------------------------------------

static unsigned disturb(struct dxl_disturbance what)
{
    unsigned slot;
    what.share_ppm = what.share_ppm != 0 ? what.share_ppm : 1000000;
    ck_assert_int_eq(dxl_meddle_put(line->page, &what, &slot), STATUS_OK);
    return slot;
}

static void calm(unsigned slot)
{
    ck_assert_int_eq(dxl_meddle_take(line->page, slot), STATUS_OK);
}

static enum status read_goal(uint8_t id, struct dxl_packet *answer)
{
    return finish(dxl_host_read(&host, id, DXL_GOAL, 2, now), answer);
}

START_TEST(what_disturbs_packets_is_seen_counted_and_goes_again)
{
    static const struct {
        struct dxl_disturbance what;
        enum status reads;
    } table[] = {
        {{.kind = DXL_DISTURB_LOSE, .node = DXL_ANY_NODE}, STATUS_TIMEOUT},
        {{.kind = DXL_DISTURB_LOSE, .node = DXL_HOSTS_MAX + 1}, STATUS_TIMEOUT},
        {{.kind = DXL_DISTURB_DELAY, .node = DXL_HOSTS_MAX + 1, .delay_ns = 2 * MS},
         STATUS_TIMEOUT},
        {{.kind = DXL_DISTURB_TRUNCATE, .node = DXL_HOSTS_MAX + 1, .count = 2}, STATUS_TIMEOUT},
        {{.kind = DXL_DISTURB_LOW, .node = DXL_ANY_NODE}, STATUS_TIMEOUT},
        {{.kind = DXL_DISTURB_CUT, .node = DXL_ANY_NODE}, STATUS_TIMEOUT},
        {{.kind = DXL_DISTURB_MUTE, .node = DXL_HOSTS_MAX + 1}, STATUS_TIMEOUT},
        {{.kind = DXL_DISTURB_REGISTER,
          .node = DXL_HOSTS_MAX + 1,
          .address = DXL_BAUD,
          .value = 34},
         STATUS_TIMEOUT},
        {{.kind = DXL_DISTURB_FORGET, .node = DXL_HOSTS_MAX + 1}, STATUS_TIMEOUT},
        {{.kind = DXL_DISTURB_LOSE, .node = DXL_HOSTS_MAX}, STATUS_OK}, // another one's answers
    };
    for (size_t i = 0; i < sizeof table / sizeof table[0]; i++) {
        struct dxl_packet answer;
        ck_assert_int_eq(read_goal(2, &answer), STATUS_OK);
        const unsigned slot = disturb(table[i].what);
        ck_assert_msg(read_goal(2, &answer) == table[i].reads, "kind %u", table[i].what.kind);
        const bool hit = dxl_meddle_count(line->page, slot).hit > 0;
        ck_assert_msg(hit == (table[i].reads == STATUS_TIMEOUT), "kind %u", table[i].what.kind);
        calm(slot);
        now = instant_add(now, duration_ms(5)); // what was late has come
        dxl_line_advance(line, now);
        ck_assert_msg(read_goal(2, &answer) == STATUS_OK, "after kind %u", table[i].what.kind);
        ck_assert_uint_eq(dxl_word(answer.parameter), 512);
    }
}
END_TEST

static unsigned read_word(uint8_t id, uint8_t address)
{
    struct dxl_packet answer;
    ck_assert_int_eq(finish(dxl_host_read(&host, id, address, 2, now), &answer), STATUS_OK);
    ck_assert_uint_eq(answer.count, 2);
    return dxl_word(answer.parameter);
}

START_TEST(readings_that_are_stuck_repeat_the_first_of_each_register)
{
    dxl_put(&device[1], DXL_POSITION, 100);
    dxl_put(&device[1], DXL_LOAD, 7);
    dxl_put(&device[2], DXL_POSITION, 300);
    const unsigned slot =
        disturb((struct dxl_disturbance){.kind = DXL_DISTURB_STICK, .node = DXL_HOSTS_MAX + 1});
    ck_assert_uint_eq(read_word(2, DXL_POSITION), 100);
    ck_assert_uint_eq(read_word(2, DXL_LOAD), 7);
    ck_assert_uint_eq(dxl_meddle_count(line->page, slot).hit, 0); // as they would be without it
    dxl_put(&device[1], DXL_POSITION, 101);
    dxl_put(&device[1], DXL_LOAD, 8);
    dxl_put(&device[2], DXL_POSITION, 301);
    ck_assert_uint_eq(read_word(2, DXL_LOAD), 7);
    ck_assert_uint_eq(read_word(2, DXL_POSITION), 100);
    ck_assert_uint_eq(read_word(3, DXL_POSITION), 301); // another one's
    ck_assert_uint_eq(dxl_meddle_count(line->page, slot).hit, 2);
    calm(slot);
    dxl_line_advance(line, now);
    ck_assert_uint_eq(read_word(2, DXL_POSITION), 101);
    unsigned none;
    const struct dxl_disturbance of_host = {
        .kind = DXL_DISTURB_STICK, .node = 0, .share_ppm = 1000000};
    ck_assert_int_eq(dxl_meddle_put(line->page, &of_host, &none), STATUS_INVALID);
}
END_TEST

START_TEST(a_late_answer_is_not_taken_for_that_to_a_newer_request)
{
    // The first answer comes when the second request is pending: to the same device, of the same
    // length, but of other registers.
    struct dxl_packet answer;
    const unsigned slot = disturb((struct dxl_disturbance){
        .kind = DXL_DISTURB_DELAY, .node = DXL_HOSTS_MAX + 1, .delay_ns = 900000, .burst = 1});
    dxl_put(&device[1], DXL_TORQUE_LIMIT, 77);
    ck_assert_int_eq(read_goal(2, &answer), STATUS_TIMEOUT);
    calm(slot);
    ck_assert_int_eq(finish(dxl_host_read(&host, 2, DXL_TORQUE_LIMIT, 2, now), &answer), STATUS_OK);
    ck_assert_uint_eq(dxl_word(answer.parameter), 77);
    ck_assert_uint_eq(host.statistics.suspects, 1);
}
END_TEST

START_TEST(corrupted_and_lengthened_packets_never_read_as_good_ones)
{
    static const enum dxl_disturbance_kind kinds[] = {DXL_DISTURB_CORRUPT, DXL_DISTURB_INSERT,
                                                      DXL_DISTURB_COLLIDE};
    for (size_t k = 0; k < 3; k++)
        for (unsigned seed = 0; seed < 100; seed++) {
            struct dxl_packet answer;
            const unsigned slot = disturb((struct dxl_disturbance){
                .kind = kinds[k], .node = DXL_HOSTS_MAX, .count = 3, .seed = seed});
            const enum status status = read_goal(1, &answer);
            ck_assert(status != STATUS_OK || dxl_word(answer.parameter) == 512);
            ck_assert_uint_gt(dxl_meddle_count(line->page, slot).hit, 0);
            calm(slot);
            now = instant_add(now, duration_ms(110)); // devices forget what was too short
            dxl_line_advance(line, now);
            ck_assert_int_eq(read_goal(1, &answer), STATUS_OK);
        }
}
END_TEST

// A sum of one byte cannot see everything: one reading in hundreds is wrong.
START_TEST(noise_breaks_packets_and_hardly_a_reading)
{
    unsigned good = 0, wrong = 0;
    (void)disturb((struct dxl_disturbance){
        .kind = DXL_DISTURB_NOISE, .node = DXL_ANY_NODE, .delay_ns = MS, .seed = 5});
    for (unsigned i = 0; i < 300; i++) {
        struct dxl_packet answer;
        const enum status status = read_goal((uint8_t)(i % DEVICES + 1), &answer);
        good += status == STATUS_OK && answer.code == 0;
        wrong += status == STATUS_OK && answer.code == 0 && dxl_word(answer.parameter) != 512;
    }

    ck_assert_uint_gt(good, 100);
    ck_assert_uint_lt(good, 300);
    ck_assert_uint_le(wrong, 3);
}
END_TEST

int main(void)
{
    const TTest *const tests[] = {
        packets_have_the_bytes_of_the_manual,
        a_decoder_finds_packets_after_rubbish_and_long_headers,
        a_wrong_sum_is_seen_and_a_gap_discards,
        every_packet_survives_coding,
        requests_and_answers_take_their_bytes_to_the_nanosecond,
        nineteen_servos_are_written_and_read_207_or_70_times_a_second,
        a_write_past_the_table_or_out_of_range_writes_nothing,
        all_instructions_do_what_the_manual_says,
        the_status_return_level_says_what_is_answered,
        ram_is_lost_with_power_and_eeprom_is_not,
        answers_at_the_same_time_are_anded,
        a_device_at_another_rate_neither_hears_nor_is_heard,
        the_host_takes_no_answer_of_another_device_or_length,
        what_disturbs_packets_is_seen_counted_and_goes_again,
        readings_that_are_stuck_repeat_the_first_of_each_register,
        a_late_answer_is_not_taken_for_that_to_a_newer_request,
        corrupted_and_lengthened_packets_never_read_as_good_ones,
        noise_breaks_packets_and_hardly_a_reading,
    };
    Suite *suite = suite_create("dynamixel");
    TCase *group = tcase_create("dynamixel");
    tcase_set_timeout(group, 120);
    tcase_add_checked_fixture(group, set_up, tear_down);
    for (size_t i = 0; i < sizeof tests / sizeof tests[0]; i++)
        tcase_add_test(group, tests[i]);
    suite_add_tcase(suite, group);
    return run_suite(suite);
}
