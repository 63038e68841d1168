/* What goes over the line: see PROTOCOL.md. */
#pragma once

#include <stdbool.h>
#include <stdint.h>

void protocol_begin(uint8_t resets);

/* Sends what is to be sent, as far as there is room. */
void protocol_send(void);

/* Hears what the host has said since the last time. */
void protocol_hear(void);
