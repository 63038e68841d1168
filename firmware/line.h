/* The line: bytes out and in, without waiting. */
#pragma once

#include <stdint.h>

void line_begin(void);

/* Bytes that can be sent now. */
uint8_t line_room(void);

/* Sends; there must be room. */
void line_send(const uint8_t *data, uint8_t length);

/* The next byte that came, or -1. */
int16_t line_take(void);
