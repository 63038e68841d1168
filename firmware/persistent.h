/* What stays in a board without power: its identity and its epoch. */
#pragma once

#include <stdint.h>

extern uint8_t identity[8]; /* this board's own, the same for ever */

void identity_begin(void);

/* Another number than the last one, which it is kept in place of. */
uint8_t next_epoch(void);
