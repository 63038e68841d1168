/* ATmega32U4: Arduino Leonardo, Micro. Serial over its own USB, or on pins 0 and 1 where no host has set that up. */
#pragma once

#define PART 3

#define HAS_USB
#define USB_PRODUCT 0x8036 /* Leonardo */

#define ROWS 8
#define COLS 10
#define INPUTS 3

/* Pins 3, 2, 4, 12, 6, 5, 7, 13. */
#define ROW_PINS PIN(D, 0), PIN(D, 1), PIN(D, 4), PIN(D, 6), PIN(D, 7), PIN(C, 6), PIN(E, 6), PIN(C, 7)

/* Columns 0 to 3: pins 8 to 11. Columns 4 to 9: A5, A4, A3, A2, A1, A0. Inputs: SCK, MOSI, MISO of the ISP header. */
/* Columns and inputs are pulled up; to measure their rise the columns are discharged first. */
static inline void pull_up(void)
{
    DDRB &= ~0xf0;
    DDRF &= ~0xf3;
    PORTB |= 0xfe;
    PORTF |= 0xf3;
}

static inline void pull_down(void)
{
    PORTB &= ~0xf0;
    PORTF &= ~0xf3;
    DDRB |= 0xf0;
    DDRF |= 0xf3;
}

static inline uint16_t low_columns(void)
{
    uint8_t b = ~PINB, f = ~PINF;
    return (b >> 4) | (uint16_t)(f & 0x03) << 4 | (uint16_t)(f & 0xf0) << 2;
}

static inline uint16_t low_inputs(void) { return (uint8_t)~PINB >> 1 & 0x07; }

/* The lamp of the receive line. It is lit when low, and shares no port with a column. */
static inline void lamp_begin(void)
{
    DDRD |= _BV(5);
    PORTD |= _BV(5);
}
static inline void lamp(uint8_t on)
{
    if (on)
        PORTD &= ~_BV(5);
    else
        PORTD |= _BV(5);
}

/* Four columns are on the pins of the debug port, which must be told twice within four cycles to let go. */
static inline void part_begin(void)
{
    uint8_t off = MCUCR | _BV(JTD);
    MCUCR = off;
    MCUCR = off;
}

#define UART_DATA UDR1
#define UART_STATUS UCSR1A
#define UART_CONTROL UCSR1B
#define UART_FORMAT UCSR1C
#define UART_RATE UBRR1
#define UART_RECEIVED USART1_RX_vect
#define UART_EMPTY USART1_UDRE_vect
