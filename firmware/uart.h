/* The line: bytes out and in by interrupts, or over the part's own USB while a host has that open. */
#pragma once

#include <stdint.h>

void uart_begin(void);

/* Bytes that can be sent now without waiting. */
uint8_t uart_room(void);

/* Sends; there must be room. */
void uart_send(const uint8_t *data, uint8_t length);

/* The next byte that came, or -1. */
int16_t uart_take(void);
