/* AVR: the part that this is built for, and its pins. */
#pragma once

#include <avr/io.h>
#include <avr/wdt.h>
#include <stdint.h>

#define KEPT __attribute__((section(".noinit")))

struct pin {
    volatile uint8_t *direction;
    uint8_t mask;
};
#define PIN(port, bit) { &DDR##port, _BV(bit) }

#if defined(__AVR_ATmega328P__)
#include "atmega328p.h"
#elif defined(__AVR_ATmega2560__)
#include "atmega2560.h"
#elif defined(__AVR_ATmega32U4__)
#include "atmega32u4.h"
#else
#error "there is no pin map for this part; write one in avr/"
#endif

static inline struct pin row_pin(uint8_t n)
{
    static const struct pin pins[ROWS] = { ROW_PINS };
    return pins[n];
}

/* Low or not at all: driven both ways, two contacts in a column would short two pins. */
static inline void row_low(uint8_t n)
{
    struct pin pin = row_pin(n);
    *pin.direction |= pin.mask;
}

static inline void row_free(uint8_t n)
{
    struct pin pin = row_pin(n);
    *pin.direction &= ~pin.mask;
}

static inline uint8_t halves(void) { return TCNT0; }
static inline uint16_t ticks(void) { return TCNT1; }

void chip_begin(void);

static inline void watchdog_begin(void) { wdt_enable(WDTO_250MS); }
static inline void watchdog_feed(void) { wdt_reset(); }
