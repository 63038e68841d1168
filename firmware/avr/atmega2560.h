/* ATmega2560: Arduino Mega. Serial over USB by the board's own chip, on pins 0 and 1. */
#pragma once

#define PART 2

#define ROWS 8
#define COLS 16
#define INPUTS 8

/* Pins 22 to 29. */
#define ROW_PINS PIN(A, 0), PIN(A, 1), PIN(A, 2), PIN(A, 3), PIN(A, 4), PIN(A, 5), PIN(A, 6), PIN(A, 7)

/* Columns 0 to 7: pins 37 down to 30. Columns 8 to 15: pins 49 down to 42. Inputs 0 to 7: A8 to A15. */
/* Columns and inputs are pulled up; to measure their rise the columns are discharged first. */
static inline void pull_up(void)
{
    DDRC = DDRL = 0;
    PORTC = PORTL = PORTK = 0xff;
}

static inline void pull_down(void)
{
    PORTC = PORTL = 0;
    DDRC = DDRL = 0xff;
}

static inline uint16_t low_columns(void)
{
    uint8_t c = ~PINC, l = ~PINL;
    return c | (uint16_t)l << 8;
}

static inline uint16_t low_inputs(void) { return (uint8_t)~PINK; }

/* Pin 13, which has the board's own lamp. */
static inline void lamp_begin(void) { DDRB |= _BV(7); }
static inline void lamp(uint8_t on)
{
    if (on)
        PORTB |= _BV(7);
    else
        PORTB &= ~_BV(7);
}

static inline void part_begin(void) {}

#define UART_DATA UDR0
#define UART_STATUS UCSR0A
#define UART_CONTROL UCSR0B
#define UART_FORMAT UCSR0C
#define UART_RATE UBRR0
#define UART_RECEIVED USART0_RX_vect
#define UART_EMPTY USART0_UDRE_vect
