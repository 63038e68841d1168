/* What the portable files ask of a chip. A folder for each kind of chip has it all:

   in its chip.h, for the compiler to put in place:
     PART, ROWS, COLS, INPUTS    what the hello says of the board
     KEPT                        for variables that a reset leaves as they are
     row_low(n), row_free(n)     a row is driven low, or not at all
     low_columns(), low_inputs() a bit for each that reads low
     pull_up(), pull_down()      columns are inputs with pull-ups, or discharged
     halves(), ticks()           time in half us, 8 bits, and in 64 us, 16 bits; both wrap
     lamp(on)
     STRIP                       if it has one, and with it strip_begin, strip_ready, strip_put, strip_send: rp2040/strip.h
     chip_begin()                what a boot loader left is undone; pins and clocks are as above, interrupts off
     watchdog_begin(), watchdog_feed()   the chip is reset when it is not fed for 250 ms
   in its own files: line.h (bytes out and in), and persistent.h (identity and epoch, which survive the power). */
#pragma once

#include <stdint.h>

#if defined(OCHE_LIBRARY)
#include "library/chip.h"
#elif defined(__AVR__)
#include "avr/chip.h"
#elif defined(__arm__)
#include "rp2040/chip.h"
#else
#error "there is no folder for this chip; build the library, with -DOCHE_LIBRARY: see library/oche.h"
#endif

#if ROWS > 8 || COLS > 16 || INPUTS > 16
#error "a contact is four bits of row and four of column: at most 8 rows, 16 columns and 16 inputs"
#endif
