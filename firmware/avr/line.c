#include "line.h"

#include <avr/interrupt.h>

#include "chip.h"
#include "usb.h"

#ifndef BAUD
#define BAUD 1000000
#endif

#define ON (_BV(7) | _BV(4) | _BV(3)) /* RXCIE, RXEN, TXEN: the same bits in every part */
#define UDRIE _BV(5)
#define U2X _BV(1)
#define EIGHT_BITS 0x06

/* Powers of two. An edge takes 10 bytes, the longest frame 32. A host that gets stored edges in a burst answers each
   piece that it reads: 128 bytes are 1.3 ms of the fastest line, and a row with all its frames takes half of that. */
#define OUT 64
#define IN 128

static uint8_t out[OUT], in[IN];
static volatile uint8_t out_head, out_tail, in_head, in_tail;

void line_begin(void)
{
    UART_STATUS = U2X;
    UART_RATE = (F_CPU + BAUD * 4) / (BAUD * 8) - 1;
    UART_FORMAT = EIGHT_BITS;
    UART_CONTROL = ON;
#ifdef HAS_USB
    usb_begin();
#endif
    sei();
}

uint8_t line_room(void)
{
#ifdef HAS_USB
    if (usb_up())
        return usb_room();
#endif
    return OUT - (uint8_t)(out_head - out_tail);
}

void line_send(const uint8_t *data, uint8_t length)
{
#ifdef HAS_USB
    if (usb_up()) {
        usb_send(data, length);
        return;
    }
#endif
    uint8_t head = out_head;
    while (length--)
        out[head++ & (OUT - 1)] = *data++;
    out_head = head;
    UART_CONTROL = ON | UDRIE;
}

int16_t line_take(void)
{
#ifdef HAS_USB
    if (usb_up())
        return usb_take();
#endif
    uint8_t tail = in_tail;
    if (tail == in_head)
        return -1;
    uint8_t byte = in[tail & (IN - 1)];
    in_tail = tail + 1;
    return byte;
}

ISR(UART_EMPTY)
{
    uint8_t tail = out_tail;
    if (tail == out_head) {
        /* Everything went out between the filling of the ring and the switching on. */
        UART_CONTROL = ON;
        return;
    }
    UART_DATA = out[tail & (OUT - 1)];
    out_tail = ++tail;
    if (tail == out_head)
        UART_CONTROL = ON;
}

ISR(UART_RECEIVED)
{
    uint8_t byte = UART_DATA;
    uint8_t head = in_head;
    /* A byte too many spoils its frame, which is then asked for again by nobody: the host repeats what matters. */
    if ((uint8_t)(head - in_tail) < IN) {
        in[head & (IN - 1)] = byte;
        in_head = head + 1;
    }
}
