#include "line.h"

#include "chip.h"
#include "usb.h"

#ifndef BAUD
#define BAUD 1000000
#endif
#define CLOCK 125000000

/* The chip's own ring has 32 bytes each way. Between two rows, the longest time that nobody looks, 15 come. */
#define OUT 64
static uint8_t out[OUT], head, tail;

void line_begin(void)
{
    /* In 64ths: 4.2.7.1. */
    uint32_t divisor = (CLOCK * 4ull + BAUD / 2) / BAUD;
    UART_WHOLE = divisor >> 6;
    UART_PARTS = divisor & 63;
    UART_FORMAT = 3 << 5 | 1 << 4; /* 8 bits, with the rings */
    UART_CONTROL = 1 << 9 | 1 << 8 | 1 << 0;
    for (uint32_t pin = 0; pin < 2; ++pin) {
        PAD(pin) = PAD_INPUT | PAD_SCHMITT | PAD_4_MA | PAD_PULL_UP;
        PIN_CONTROL(pin) = BY_UART;
    }
    usb_begin();
}

static void send(void)
{
    while (head != tail && !(UART_FLAGS & UART_FULL))
        UART_DATA = out[tail++ % OUT];
}

uint8_t line_room(void)
{
    usb_poll();
    if (usb_up())
        return usb_room();
    send();
    return OUT - (uint8_t)(head - tail);
}

void line_send(const uint8_t *data, uint8_t length)
{
    if (usb_up()) {
        usb_send(data, length);
        return;
    }
    while (length--)
        out[head++ % OUT] = *data++;
    send();
}

int16_t line_take(void)
{
    usb_poll();
    if (usb_up())
        return usb_take();
    send();
    return UART_FLAGS & UART_EMPTY ? -1 : (int16_t)(UART_DATA & 0xff);
}
