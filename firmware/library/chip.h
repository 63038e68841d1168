/* A chip whose pins, clock and line are those of a program: see oche.h. */
#pragma once

#include <stdint.h>

#include "oche.h"

#if !defined(ROWS) || !defined(COLS)
#error "say how many: -DROWS=8 -DCOLS=10, and -DINPUTS=2 if there are any"
#endif
#ifndef INPUTS
#define INPUTS 0
#endif
#ifndef PART
#define PART 255
#endif
/* For the compiler's own word for memory that a reset leaves as it is; without it what waits is lost in a reset. */
#ifndef KEPT
#define KEPT
#endif

static inline void row_low(uint8_t n) { oche_row(n, true); }
static inline void row_free(uint8_t n) { oche_row(n, false); }
static inline uint16_t low_columns(void) { return (uint16_t)(oche_low() & ((1ul << COLS) - 1)); }
static inline uint16_t low_inputs(void) { return (uint16_t)(oche_low() >> 16 & ((1ul << INPUTS) - 1)); }

/* The rise of the columns is not measured: SETTLE_US counts, or what a host sets. */
static inline void pull_up(void) { }
static inline void pull_down(void) { }

static inline uint8_t halves(void) { return (uint8_t)(oche_micros() << 1); }
static inline uint16_t ticks(void) { return (uint16_t)(oche_micros() >> 6); }

static inline void lamp(uint8_t on) { (void)on; }
static inline void chip_begin(void) { }
static inline void watchdog_begin(void) { }
static inline void watchdog_feed(void) { }
