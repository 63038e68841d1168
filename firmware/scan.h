/* The matrix: which contacts are closed, one row at a time. */
#pragma once

#include <stdbool.h>
#include <stdint.h>

extern uint8_t scan_release; /* how long a contact must stay open, in 256 us, at most 240 */
extern uint8_t scan_settle;  /* how long a column is given to rise, in half us */
extern bool scan_measure;    /* at the end of this pass the rise is measured, and `scan_settle` set by it */
extern uint16_t scan_ghosts;

/* How long a column is given to rise by a host, in us: the rise is measured no more. */
void scan_set_settle(uint8_t us);

/* `kept`: what was closed before the reset is known, and is not reported again. */
void scan_begin(bool kept);

/* Drives the next row, judges what the last one read while this one settles, and runs `meanwhile`.
   True when it was the last row of a pass. */
bool scan_step(void (*meanwhile)(void));
