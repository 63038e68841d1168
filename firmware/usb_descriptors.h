/* What a host asks of a serial port with its own USB, whichever chip it has: Universal Serial Bus 2.0, chapter 9, and its
   class of communication devices 1.2. Whoever includes this names the endpoints NOTIFY, FROM_HOST and TO_HOST, the
   numbers VENDOR and PRODUCT, and as STORED the attribute of constants that stay in flash. */
#pragma once

#include <stdint.h>

enum { DEVICE = 1, CONFIGURATION = 2, STRING = 3, INTERFACE = 4, ENDPOINT = 5, CLASS_INTERFACE = 0x24 };
enum { BULK = 2, INTERRUPTS = 3, IN = 0x80, PIECE = 64, NOTIFY_PIECE = 16 };

#define WORD(n) (uint8_t)(n), (uint8_t)((n) >> 8)

static const uint8_t device[] STORED = {
    18, DEVICE, WORD(0x0200), 2 /* communication */, 0, 0, PIECE,
    WORD(VENDOR), WORD(PRODUCT), WORD(0x0100), 1, 2, 3, 1,
};

#define CONFIGURATION_SIZE 67
static const uint8_t configuration[CONFIGURATION_SIZE] STORED = {
    9, CONFIGURATION, WORD(CONFIGURATION_SIZE), 2, 1, 0, 0x80 /* power from the bus */, 50 /* 100 mA */,
    9, INTERFACE, 0, 0, 1, 2, 2, 0, 0, /* communication, abstract control */
    5, CLASS_INTERFACE, 0, WORD(0x0110),
    5, CLASS_INTERFACE, 1, 0, 1,
    4, CLASS_INTERFACE, 2, 2, /* line coding and line state */
    5, CLASS_INTERFACE, 6, 0, 1,
    7, ENDPOINT, IN | NOTIFY, INTERRUPTS, WORD(NOTIFY_PIECE), 64,
    9, INTERFACE, 1, 0, 2, 10, 0, 0, 0, /* data */
    7, ENDPOINT, FROM_HOST, BULK, WORD(PIECE), 0,
    7, ENDPOINT, IN | TO_HOST, BULK, WORD(PIECE), 0,
};

static const uint8_t english[] STORED = { 4, STRING, WORD(0x0409) };

struct request {
    uint8_t type, what;
    uint16_t value, index, length;
};
