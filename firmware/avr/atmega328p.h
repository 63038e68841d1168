/* ATmega328P: Arduino Uno, Nano, Pro Mini. Serial over USB by the board's own chip, on D0 and D1. */
#pragma once

#define PART 1

/* 8 x 10 takes every pin. `make COLS=8` leaves A4 and A5 for a button and a miss sensor. */
#define ROWS 8
#ifndef COLS
#define COLS 10
#endif

/* D2 to D9. */
#define ROW_PINS PIN(D, 2), PIN(D, 3), PIN(D, 4), PIN(D, 5), PIN(D, 6), PIN(D, 7), PIN(B, 0), PIN(B, 1)

/* Columns 0 to 3: D10 to D13. Columns 4 on: A0 on. */
/* Columns and inputs are pulled up; to measure their rise the columns are discharged first. */
static inline void pull_up(void)
{
    DDRB &= ~0x3c;
    DDRC = 0;
    PORTB |= 0x3c;
    PORTC |= 0x3f;
}

static inline void pull_down(void)
{
    PORTB &= ~0x3c;
    PORTC &= ~(0x3f >> (10 - COLS));
    DDRB |= 0x3c;
    DDRC |= 0x3f >> (10 - COLS);
}

static inline uint16_t low_columns(void)
{
    uint8_t b = ~PINB, c = ~PINC;
    return (uint16_t)((b >> 2) & 0x0f) | (uint16_t)(c & (0x3f >> (10 - COLS))) << 4;
}

#if COLS == 10
#define INPUTS 0
static inline uint16_t low_inputs(void) { return 0; }
#elif COLS == 8
#define INPUTS 2
static inline uint16_t low_inputs(void) { return (uint8_t)~PINC >> 4 & 0x03; }
#else
#error "COLS is 10 or 8: pins of columns that a board has not got are left open"
#endif

/* No pin is left for a lamp. */
static inline void lamp_begin(void) {}
static inline void lamp(uint8_t on) { (void)on; }

static inline void part_begin(void) {}

#define UART_DATA UDR0
#define UART_STATUS UCSR0A
#define UART_CONTROL UCSR0B
#define UART_FORMAT UCSR0C
#define UART_RATE UBRR0
#define UART_RECEIVED USART_RX_vect
#define UART_EMPTY USART_UDRE_vect
