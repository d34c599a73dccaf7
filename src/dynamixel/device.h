// An AX-12 as its host sees it: the control table, and what it answers to packets.
//
// Pure: bytes come in with their time, an answer goes out. What moves the servo reads the table and
// writes its present values (dxl_get, dxl_put). Real-time safe.
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include "dynamixel/packet.h"

// The control table: X(NAME, address, bytes, lowest, highest, initial, access). EEPROM survives a
// loss of power, RAM does not. Sources: AX-12 manual (Robotis, 2006).
#define DXL_CONTROL_TABLE(X)                                                                       \
    X(MODEL, 0, 2, 0, 65535, 12, EEPROM_READ)                                                      \
    X(FIRMWARE, 2, 1, 0, 255, 24, EEPROM_READ)                                                     \
    X(ID, 3, 1, 0, 253, 1, EEPROM)                                                                 \
    X(BAUD, 4, 1, 0, 254, 1, EEPROM)           /* 2 MHz / (value + 1) */                           \
    X(RETURN_DELAY, 5, 1, 0, 254, 250, EEPROM) /* 2 us */                                          \
    X(CW_LIMIT, 6, 2, 0, 1023, 0, EEPROM)                                                          \
    X(CCW_LIMIT, 8, 2, 0, 1023, 1023, EEPROM)                                                      \
    X(TEMPERATURE_LIMIT, 11, 1, 0, 150, 70, EEPROM) /* degrees Celsius */                          \
    X(VOLTAGE_MIN, 12, 1, 50, 250, 60, EEPROM)      /* 0.1 V */                                    \
    X(VOLTAGE_MAX, 13, 1, 50, 250, 140, EEPROM)                                                    \
    X(TORQUE_MAX, 14, 2, 0, 1023, 1023, EEPROM)                                                    \
    X(STATUS_LEVEL, 16, 1, 0, 2, 2, EEPROM)                                                        \
    X(ALARM_LED, 17, 1, 0, 127, 36, EEPROM) /* bits of enum dxl_error */                           \
    X(SHUTDOWN, 18, 1, 0, 127, 36, EEPROM)                                                         \
    X(TORQUE_ON, 24, 1, 0, 1, 0, RAM)                                                              \
    X(LED, 25, 1, 0, 1, 0, RAM)                                                                    \
    X(CW_MARGIN, 26, 1, 0, 254, 1, RAM)                                                            \
    X(CCW_MARGIN, 27, 1, 0, 254, 1, RAM)                                                           \
    X(CW_SLOPE, 28, 1, 1, 254, 32, RAM)                                                            \
    X(CCW_SLOPE, 29, 1, 1, 254, 32, RAM)                                                           \
    X(GOAL, 30, 2, 0, 1023, 512, RAM)                                                              \
    X(SPEED, 32, 2, 0, 2047, 0, RAM) /* 0.111 rpm; 0: no limit. Above 1023: only of a wheel */     \
    X(TORQUE_LIMIT, 34, 2, 0, 1023, 1023, RAM)                                                     \
    X(POSITION, 36, 2, 0, 1023, 512, RAM_READ)                                                     \
    X(PRESENT_SPEED, 38, 2, 0, 2047, 0, RAM_READ) /* bit 10: clockwise */                          \
    X(LOAD, 40, 2, 0, 2047, 0, RAM_READ)          /* bit 10: clockwise */                          \
    X(VOLTAGE, 42, 1, 0, 255, 120, RAM_READ)                                                       \
    X(TEMPERATURE, 43, 1, 0, 255, 25, RAM_READ)                                                    \
    X(REGISTERED, 44, 1, 0, 1, 0, RAM_READ)                                                        \
    X(MOVING, 46, 1, 0, 1, 0, RAM_READ)                                                            \
    X(LOCK, 47, 1, 0, 1, 0, RAM)                                                                   \
    X(PUNCH, 48, 2, 0, 1023, 32, RAM)

#define DXL_TABLE_B 50u
#define DXL_RAM_FIRST 24u
#define DXL_CLOCKWISE 1024u // in present speed and load

enum dxl_access { DXL_EEPROM_READ, DXL_EEPROM, DXL_RAM_READ, DXL_RAM };

enum dxl_register { // addresses
#define DXL_REGISTER_ENUM(name, address, bytes, lowest, highest, initial, access)                  \
    DXL_##name = (address),
    DXL_CONTROL_TABLE(DXL_REGISTER_ENUM)
#undef DXL_REGISTER_ENUM
};

struct dxl_row {
    const char *name;
    uint8_t address, bytes;
    uint16_t lowest, highest, initial;
    enum dxl_access access;
};
// The row that covers an address, or NULL.
const struct dxl_row *dxl_row_at(unsigned address);

struct dxl_device {
    uint8_t table[DXL_TABLE_B];
    uint8_t alarms; // bits of enum dxl_error that hold now; in every answer
    uint8_t registered_first, registered_count, registered[DXL_TABLE_B]; // by REG_WRITE
    struct dxl_decoder decoder;
    uint64_t heard, broken, answered; // packets for it, with a wrong sum, answers
};

struct dxl_answer {
    unsigned length; // 0: none
    duration delay;  // from the end of the request's last byte
    uint8_t byte[DXL_PACKET_MAX_B];
};

// As from the factory, but for its number.
void dxl_device_start(struct dxl_device *device, uint8_t id);
// After a loss of power: RAM has its initial values, EEPROM stays.
void dxl_device_power(struct dxl_device *device);
// The EEPROM's contents are gone: as from the factory.
void dxl_device_forget(struct dxl_device *device);

// Takes a byte whose stop bit ended at t. An answer has a length.
void dxl_device_hear(struct dxl_device *device, uint8_t byte, instant t, struct dxl_answer *answer);

// Registers by their address; put writes them whatever their access and range.
unsigned dxl_get(const struct dxl_device *device, enum dxl_register reg);
void dxl_put(struct dxl_device *device, enum dxl_register reg, unsigned value);
unsigned dxl_bitrate_bit_s(const struct dxl_device *device);
// Both angle limits are 0.
bool dxl_is_wheel(const struct dxl_device *device);
