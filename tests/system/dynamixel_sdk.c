// The vendor's SDK, unchanged, as a client of servos behind a pseudo-terminal: built by
// tests/system/servos.sh where $DYNAMIXEL_SDK is a copy of its sources.
//
//   dynamixel_sdk PATH TRANSACTIONS SERVOS      prints the errors, and the time of each transaction
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#include "dynamixel_sdk.h"

#define PROTOCOL 1
#define GOAL 30
#define POSITION 36
#define MODEL_AX12 12

static int errors;

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
    struct timespec from, to;
    packetHandler();
    if (!openPort(port) || !setBaudRate(port, 1000000))
        return 2;
    clock_gettime(CLOCK_MONOTONIC, &from);
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
        const int goal = read2ByteTxRx(port, PROTOCOL, id, GOAL);
        expect(getLastTxRxResult(port, PROTOCOL) == COMM_SUCCESS, "read: no answer");
        expect(getLastRxPacketError(port, PROTOCOL) == 0 && goal == 500 + id, "read: wrong");
    }
    for (int id = 1; id <= servos; id++) {
        const int position = read2ByteTxRx(port, PROTOCOL, (uint8_t)id, POSITION);
        if (wanted >= 1000) // they have had the time
            expect(abs(position - 500 - id) <= 5, "a servo has not reached its goal");
    }
    clock_gettime(CLOCK_MONOTONIC, &to);
    factoryReset(port, PROTOCOL, 2, 0);
    expect(getLastTxRxResult(port, PROTOCOL) == COMM_SUCCESS, "reset: no answer");
    const double s = (double)(to.tv_sec - from.tv_sec) + 1e-9 * (double)(to.tv_nsec - from.tv_nsec);
    printf("%d errors; %d transactions, %.0f us each\n", errors, wanted, 1e6 * s / (wanted + 1));
    closePort(port);
    return errors != 0;
}
