/* What a board shows of its match: on a ring of WS2812 where the chip has one, and on a lamp. */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#define MOST_LEDS 240

/* The payload of a lamp frame after its type: see PROTOCOL.md. */
void lights_say(const uint8_t *data, uint8_t size);

/* The ring: how many LEDs, which way round, and whether a plain LED is on its own pin; false for what is out of bounds. */
bool lights_set_ring(uint16_t value);

/* The LED at which the 20 begins; false for what is out of bounds. */
bool lights_set_first(uint16_t value);

/* Called after each row. Computes at most one LED, so that no row waits for it. */
void lights_step(void);
