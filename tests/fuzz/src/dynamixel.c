// Bytes on a line, from its host and from somebody who speaks as servos would, and disturbances
// with any fields. Whatever comes, an advance ends at its time, registers hold what they may, what
// can only be read stays, and a host takes no answer but of the device and the length it asked for.
#include "tests/fuzz/fuzz.h"

#include "dynamixel/host.h"
#include "dynamixel/line.h"
#include "dynamixel/line_private.h"

#define DEVICES 3
#define TURNS_MAX 64
#define ADVANCE_NS_MAX 2000000

static struct dxl_device device[DEVICES];
static struct dxl_line *line;
static instant now, last_end;

static void listen(void *context, const struct dxl_burst *burst)
{
    (void)context;
    fuzz_check(!instant_before(burst->end, last_end) && !instant_before(now, burst->end));
    fuzz_check(burst->length > 0 && burst->sender < DEVICES);
    last_end = burst->end;
}

// Registers are as dxl_device_start and permitted writes leave them.
static void check_tables(void)
{
    for (unsigned d = 0; d < DEVICES; d++)
        for (unsigned address = 0; address < DXL_TABLE_B; address++) {
            const struct dxl_row *row = dxl_row_at(address);
            if (row == NULL) {
                fuzz_check(device[d].table[address] == 0);
                continue;
            }
            const unsigned value = dxl_get(&device[d], row->address);
            fuzz_check(value >= row->lowest && value <= row->highest);
            fuzz_check(row->access != DXL_EEPROM_READ || value == row->initial);
        }
}

static void speak(struct fuzz_input *input, struct dxl_port *port, bool as_packet)
{
    uint8_t bytes[DXL_PACKET_MAX_B];
    unsigned length = fuzz_u8(input) % 24;
    if (as_packet) {
        struct dxl_packet packet = {.id = fuzz_u8(input), .code = fuzz_u8(input)};
        packet.count = (uint8_t)length;
        fuzz_take(input, packet.parameter, length);
        length = dxl_encode(&packet, bytes);
    } else {
        fuzz_take(input, bytes, length);
    }
    (void)!dxl_port_send(port, bytes, length, instant_add(now, duration_ns(fuzz_u16(input))));
}

static void ask(struct fuzz_input *input, struct dxl_host *host)
{
    uint8_t bytes[16] = {0};
    const uint8_t what = fuzz_u8(input), id = fuzz_u8(input) % 4, first = fuzz_u8(input);
    fuzz_take(input, bytes, 4);
    const uint8_t count = what >> 3 & 7;
    enum status status = STATUS_OK;
    switch (what & 7) {
    case 0:
        status = dxl_host_ping(host, id, now);
        break;
    case 1:
        status = dxl_host_write(host, id, first, bytes, count, now);
        break;
    case 2:
        status = dxl_host_reg_write(host, id, first, bytes, count, now);
        break;
    case 3:
        status = dxl_host_action(host, id, now);
        break;
    case 4:
        status = dxl_host_sync_write(host, first, 1, bytes, count, now);
        break;
    default:
        status = dxl_host_read(host, id, first, count, now);
        break;
    }
    fuzz_check(status == STATUS_OK || status == STATUS_BUSY || status == STATUS_INVALID ||
               status == STATUS_FULL);
}

static void look(struct dxl_host *host)
{
    struct dxl_packet answer = {0};
    const struct dxl_packet request = host->request;
    const unsigned expected = host->expected;
    if (dxl_host_look(host, &answer) != STATUS_OK || request.id == DXL_BROADCAST)
        return;
    fuzz_check(answer.id == request.id);
    fuzz_check(answer.count == expected || (answer.count == 0 && answer.code != 0));
}

static void disturb(struct fuzz_input *input, struct dxl_page *page)
{
    struct dxl_disturbance what = {.node = DXL_ANY_NODE, .share_ppm = 1000000, .burst = 1};
    unsigned slot = fuzz_u8(input);
    what.kind = slot % DXL_DISTURB_REGISTER; // from there on tables may hold anything
    what.count = slot >> 4;
    what.delay_ns = 1000 * (int64_t)fuzz_u16(input);
    what.seed = fuzz_u8(input);
    if (slot & 8)
        what.node = slot >> 5;
    if (dxl_meddle_put(page, &what, &slot) != STATUS_OK)
        (void)!dxl_meddle_take(page, what.seed % DXL_DISTURBANCES_MAX);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct fuzz_input input = {.data = data, .size = size};
    struct dxl_port *port, *liar;
    struct dxl_page *page;
    struct dxl_host host;
    now = last_end = instant_ns(0);
    fuzz_check(dxl_line_open_alone(1000000, &line) == STATUS_OK);
    page = line->page;
    fuzz_check(dxl_line_port(line, "host", &port) == STATUS_OK);
    fuzz_check(dxl_line_port(line, "liar", &liar) == STATUS_OK);
    for (unsigned i = 0, node; i < DEVICES; i++) {
        dxl_device_start(&device[i], (uint8_t)(i + 1));
        fuzz_check(dxl_line_add_device(line, &device[i], &node) == STATUS_OK);
    }
    dxl_line_listen(line, listen, NULL);
    dxl_host_start(&host, port, duration_us(500));
    for (unsigned i = 0; i < TURNS_MAX && fuzz_more(&input); i++) {
        const uint8_t turn = fuzz_u8(&input);
        if (turn & 1)
            ask(&input, &host);
        if (turn & 2)
            speak(&input, turn & 4 ? liar : port, (turn & 8) != 0);
        if (turn & 16)
            disturb(&input, page);
        now = instant_add(now, duration_ns(turn & 32 ? fuzz_u16(&input) : ADVANCE_NS_MAX));
        dxl_line_advance(line, now);
        fuzz_check(dxl_port_time(port).ns == now.ns);
        look(&host);
        check_tables();
    }
    dxl_port_close(liar);
    dxl_port_close(port);
    dxl_line_close(line);
    return 0;
}
