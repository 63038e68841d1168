/* What the four stand-ins have in common: an Arduino Uno with 8 drive lines and 10 sense lines, a serial line, a pause.

   They are written from the grammar of the dialects and copied from nobody. They look at their contacts as quickly as
   our own firmware does, which is quicker than the boards in the field: what a comparison shows is the dialect alone. */
#pragma once

#include <avr/interrupt.h>
#include <avr/io.h>
#include <avr/sleep.h>
#include <util/delay.h>

#define DRIVES 8
#define SENSES 10

static void begin(void)
{
    /* As pinMode does for each pin of a sketch, and the core for its timers. */
    DDRB = DDRC = DDRD = 0;
    TIMSK0 = TIMSK1 = 0;
    PORTB |= 0x3c;
    PORTC |= 0x3f;
    _delay_us(20);
    UCSR0A = _BV(U2X0);
    UBRR0 = (F_CPU + BAUD * 4) / (BAUD * 8) - 1;
    UCSR0B = _BV(TXEN0);
    sei();
}

/* A bit for each sense line that reads as closed while this drive line is low. */
static uint16_t look(uint8_t drive)
{
    volatile uint8_t *direction = drive < 6 ? &DDRD : &DDRB;
    uint8_t pin = drive < 6 ? _BV(drive + 2) : _BV(drive - 6);
    *direction |= pin;
    _delay_us(3);
    uint8_t b = ~PINB, c = ~PINC;
    *direction &= ~pin;
    _delay_us(11);
    return (b >> 2 & 0x0f) | (uint16_t)(c & 0x3f) << 4;
}

static inline void say(char character)
{
    while (!(UCSR0A & _BV(UDRE0)))
        ;
    UDR0 = (uint8_t)character;
}

static inline void say_text(const char *text)
{
    while (*text)
        say(*text++);
}

static inline void say_number(uint8_t number)
{
    if (number >= 10)
        say((char)('0' + number / 10));
    say((char)('0' + number % 10));
}

EMPTY_INTERRUPT(TIMER1_COMPA_vect)

/* Deaf for so long, at most four seconds. */
static inline void pause(uint16_t ms)
{
    TCCR1B = 0;
    TCNT1 = 0;
    OCR1A = (uint16_t)(ms * 125UL / 8);
    TIFR1 = _BV(OCF1A);
    TIMSK1 = _BV(OCIE1A);
    TCCR1B = _BV(CS12) | _BV(CS10); /* 64 us */
    sleep_enable();
    cli();
    while (TCNT1 < OCR1A) {
        /* What comes between these two is seen after the sleep has begun, and ends it. */
        sei();
        sleep_cpu();
        cli();
    }
    sei();
    TIMSK1 = 0;
}
