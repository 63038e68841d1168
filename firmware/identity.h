/* Eight bytes that are this board's own, made at its first start and kept in the EEPROM. */
#pragma once

#include <stdint.h>

extern uint8_t identity[8];

void identity_begin(void);
