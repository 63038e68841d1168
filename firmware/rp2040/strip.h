/* A strip of WS2812 on GP28, and a plain LED on GP27: inputs 5 and 4, until a host says that they are lights. */
#pragma once

#include <stdbool.h>
#include <stdint.h>

extern uint16_t strip_inputs; /* a bit for each input whose pin is taken */
extern uint32_t strip_lamp;   /* the plain LED's pin as a bit, 0 if there is none */

void strip_begin(uint8_t leds, bool plain);

/* The last frame is out, and the LEDs show it. */
bool strip_ready(void);

void strip_put(uint8_t place, uint32_t colour);

/* DMA feeds a state machine of the PIO: the processor scans on. */
void strip_send(uint8_t leds);
