/* RP2040: Raspberry Pi Pico and boards like it. */
#pragma once

#include <stdint.h>

#include "registers.h"
#include "strip.h"

#define PART 4

/* Serial on GP0 and GP1, or over the chip's own USB. `make pico COLS=16` takes the inputs' pins for columns. */
#define ROWS 8
#ifndef COLS
#define COLS 10
#endif

/* Rows: GP2 to GP9. Columns: GP10 on; behind GP22 follow GP26 to GP28. Inputs: the pins that are left of these. */
#define FIRST_ROW 2
#define FIRST_COLUMN 10
#if COLS == 16
#define INPUTS 0
#elif COLS == 10
#define INPUTS 6
#define STRIP
#else
#error "COLS is 10 or 16"
#endif
#define LAMP_PIN 25

#define SENSED_PINS ((uint32_t)0x1c7ffc00) /* GP10 to GP22, GP26 to GP28 */
#define COLUMN_PINS (COLS == 16 ? SENSED_PINS : (uint32_t)0x3ff << FIRST_COLUMN)

#define KEPT __attribute__((section(".noinit")))

static inline void row_low(uint8_t n) { PINS_DRIVEN = (uint32_t)1 << (FIRST_ROW + n); }
static inline void row_free(uint8_t n) { PINS_FREE = (uint32_t)1 << (FIRST_ROW + n); }

/* The 16 pins that are sensed, one bit each, in their order. */
static inline uint16_t low_pins(void)
{
    uint32_t low = ~PINS_IN;
    return (uint16_t)((low >> 10 & 0x1fff) | (low >> 13 & 0xe000));
}

static inline uint16_t low_columns(void) { return low_pins() & (uint16_t)((1ul << COLS) - 1); }

#ifdef STRIP
#define LAMPS (1ul << LAMP_PIN | strip_lamp)
static inline uint16_t low_inputs(void) { return (uint16_t)(low_pins() >> COLS & ~strip_inputs); }
#else
#define LAMPS (1ul << LAMP_PIN)
static inline uint16_t low_inputs(void) { return 0; }
#endif

/* The pull-ups are on from the start: a pin that is driven low is stronger. */
static inline void pull_up(void) { PINS_FREE = COLUMN_PINS; }
static inline void pull_down(void) { PINS_DRIVEN = COLUMN_PINS; }

static inline uint8_t halves(void) { return (uint8_t)(TIMER_US << 1); }
static inline uint16_t ticks(void) { return (uint16_t)(TIMER_US >> 6); }

static inline void lamp(uint8_t on)
{
    if (on)
        PINS_HIGH = LAMPS;
    else
        PINS_LOW = LAMPS;
}

void chip_begin(void);

/* Twice what is meant: the chip counts two for each tick (erratum RP2040-E1). */
static inline void watchdog_feed(void) { WATCHDOG_LOAD = 2 * 250000; }
static inline void watchdog_begin(void)
{
    watchdog_feed();
    WATCHDOG_CONTROL = 1ul << 30;
}
