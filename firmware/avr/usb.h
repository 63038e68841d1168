/* A serial line over the part's own USB, where it has one: a CDC device, as an Arduino's sketches are. */
#pragma once

#include <stdbool.h>
#include <stdint.h>

/* After the identity is known: it is the serial number. */
void usb_begin(void);

/* A host has configured us. Until then, and without a USB, the line is the one of the two pins. */
bool usb_up(void);

uint8_t usb_room(void);
void usb_send(const uint8_t *data, uint8_t length);
int16_t usb_take(void);
