// The vendor's SDK, unchanged, as a client of servos behind a pseudo-terminal: built by
// tests/system/servos.sh where $DYNAMIXEL_SDK is a copy of its sources.
//
//   dynamixel_sdk PATH TRANSACTIONS SERVOS      prints the errors, and the time of each transaction
//
// The SDK waits 34 ms of real time for an answer. It looks for bytes, then at the clock; a process
// that does not run in between finds an answer missing, or calls a part of one incorrect. Whatever
// took so long is late and no error, if that is rare: at most 1 % of the transactions. What comes
// then is thrown away, as it would be taken for the next one's answer.
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#include "dynamixel_sdk.h"

#define PROTOCOL 1
#define GOAL 30
#define POSITION 36
#define MODEL_AX12 12
#define PATIENCE_S 0.034 // of the SDK
#define QUIET_MS 50      // without a byte: nothing comes any more
#define QUIET_WAITS_MAX 200

static int errors, late;

static double now_s(void)
{
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return (double)time.tv_sec + 1e-9 * (double)time.tv_nsec;
}

static void sleep_ms(long ms)
{
    const struct timespec time = {ms / 1000, ms % 1000 * 1000000};
    nanosleep(&time, NULL);
}

// Throws away what comes, until nothing does.
static void drain(int port)
{
    uint8_t bytes[256];
    int i = 0;
    do
        sleep_ms(QUIET_MS);
    while (readPort(port, bytes, sizeof bytes) > 0 && i++ < QUIET_WAITS_MAX);
}

static void expect(int holds, const char *what)
{
    errors += !holds;
    if (!holds)
        fprintf(stderr, "%s\n", what);
}

int main(int argc, char **argv)
{
    const int port = portHandler(argc > 3 ? argv[1] : "");
    const int wanted = argc > 3 ? atoi(argv[2]) : 0, servos = argc > 3 ? atoi(argv[3]) : 1;
    packetHandler();
    if (!openPort(port) || !setBaudRate(port, 1000000))
        return 2;
    const double from_s = now_s();
    for (int id = 1; id <= servos; id++) {
        expect(pingGetModelNum(port, PROTOCOL, (uint8_t)id) == MODEL_AX12, "ping: not an AX-12");
        write1ByteTxRx(port, PROTOCOL, (uint8_t)id, 5, 0);
        expect(getLastTxRxResult(port, PROTOCOL) == COMM_SUCCESS, "write: no answer");
    }
    ping(port, PROTOCOL, (uint8_t)(servos + 1));
    expect(getLastTxRxResult(port, PROTOCOL) == COMM_RX_TIMEOUT, "ping: nobody is there");
    const int group = groupSyncWrite(port, PROTOCOL, GOAL, 2);
    for (int id = 1; id <= servos; id++)
        groupSyncWriteAddParam(group, (uint8_t)id, (uint32_t)(500 + id), 2);
    groupSyncWriteTxPacket(group);
    for (int n = 0; n < wanted; n++) {
        const uint8_t id = (uint8_t)(n % servos + 1);
        const double asked_s = now_s();
        const int goal = read2ByteTxRx(port, PROTOCOL, id, GOAL);
        const int result = getLastTxRxResult(port, PROTOCOL);
        if (result != COMM_SUCCESS && now_s() - asked_s > PATIENCE_S) {
            late++;
            drain(port);
            continue;
        }
        expect(result == COMM_SUCCESS, getTxRxResult(PROTOCOL, result));
        expect(getLastRxPacketError(port, PROTOCOL) == 0 && goal == 500 + id, "read: wrong");
    }
    for (int id = 1; id <= servos; id++) {
        const int position = read2ByteTxRx(port, PROTOCOL, (uint8_t)id, POSITION);
        if (wanted >= 1000) // they have had the time
            expect(abs(position - 500 - id) <= 5, "a servo has not reached its goal");
    }
    const double s = now_s() - from_s;
    factoryReset(port, PROTOCOL, 2, 0);
    expect(getLastTxRxResult(port, PROTOCOL) == COMM_SUCCESS, "reset: no answer");
    expect(late * 100 <= wanted, "more than 1 % of the answers were late");
    printf("%d errors, %d late; %d transactions, %.0f us each\n", errors, late, wanted,
           1e6 * s / (wanted + 1));
    closePort(port);
    return errors != 0;
}
