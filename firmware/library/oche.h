/* The scanner and its protocol as a library, for a chip that has no folder here: an ESP32, or anything with a C compiler.

   `make library` builds liboche.a for the compiler CC. A program calls oche_begin once, and oche_step again and again;
   it provides the six functions below. All of them return at once, and none is called from an interrupt. */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* ---- the library ---- */

void oche_begin(void);

/* Scans one row, and sends and hears what there is: 10 to 130 us. Call it without a pause: a contact that closes between
   two calls is seen, one that closes and opens again is not. */
void oche_step(void);

/* ---- what the program provides ---- */

/* Drives a row low, or lets go of it: open drain, never high. Rows count from 0. */
void oche_row(uint8_t row, bool low);

/* What reads low now: bit n is column n, bit 16 + n is input n. Both have pull-ups. */
uint32_t oche_low(void);

/* Microseconds since any moment; wraps from 2^32 - 1 to 0. */
uint32_t oche_micros(void);

/* Writes to the host as much as it can without waiting, from none to all. Returns how many bytes it took. */
uint8_t oche_write(const uint8_t *data, uint8_t length);

/* The next byte from the host, or -1. */
int16_t oche_read(void);

/* Called by oche_begin. Fills in eight bytes that are this board's own and never change, and returns another number than
   it did at the start before: count in memory that survives the power. */
uint8_t oche_start(uint8_t identity[8]);

#ifdef __cplusplus
}
#endif
