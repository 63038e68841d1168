/* A serial line over the chip's own USB: a CDC device, looked at between two rows. */
#pragma once

#include <stdbool.h>
#include <stdint.h>

/* After the identity is known: it is the serial number. */
void usb_begin(void);

/* Answers what the host has asked. */
void usb_poll(void);

/* A host has configured us. */
bool usb_up(void);

uint8_t usb_room(void);
void usb_send(const uint8_t *data, uint8_t length);
int16_t usb_take(void);
