#include "strip.h"

#include "chip.h"

#ifdef STRIP

#include "lights.h"

#define STRIP_PIN 28
#define PLAIN_PIN 27
enum { STRIP_INPUT = 1 << 5, PLAIN_INPUT = 1 << 4 };

uint16_t strip_inputs;
uint32_t strip_lamp;

static uint32_t colours[MOST_LEDS];
static uint16_t sent_at, busy_for;

/* Ten ticks of 0.125 us a bit. While there is nothing to send it waits in the first line, with the pin low. High is 0.375
   us for a 0 and 0.75 us for a 1: within the bounds of WS2812, WS2812B and SK6812. */
static const uint16_t program[] = {
    0x6221, /* out x, 1     [2] */
    0xe201, /* set pins, 1  [2] */
    0xa201, /* mov pins, x  [2] */
    0xe000, /* set pins, 0 */
};
enum { SET_PIN_OUT = 0xe081, LINES = sizeof program / sizeof *program };

static void machine_begin(void)
{
    PIO_CONTROL = 0;
    for (uint32_t n = 0; n < LINES; ++n)
        PIO_PROGRAM(n) = program[n];
    PIO_DIVISOR = 15 << 16 | 160 << 8; /* 125 MHz / 15.625 = 8 MHz */
    PIO_WRAP = (LINES - 1) << 12;
    PIO_SHIFT = 24u << 25 | PIO_PULLS; /* to the left, 24 bits of each word */
    PIO_PINS = 1 << 26 | 1 << 20 | STRIP_PIN << 5 | STRIP_PIN;
    PIO_RUN = SET_PIN_OUT;
    PIO_CONTROL = 1 << 4 | 1 << 0;
    DMA_TO = PIO_FIFO;
}

void strip_begin(uint8_t leds, bool plain)
{
    if (leds && !(strip_inputs & STRIP_INPUT)) {
        strip_inputs |= STRIP_INPUT;
        machine_begin();
        PAD(STRIP_PIN) = PAD_INPUT | PAD_4_MA;
        PIN_CONTROL(STRIP_PIN) = BY_PIO;
    }
    if (plain && !(strip_inputs & PLAIN_INPUT)) {
        strip_inputs |= PLAIN_INPUT;
        strip_lamp = 1ul << PLAIN_PIN;
        PINS_LOW = strip_lamp;
        PINS_DRIVEN = strip_lamp;
    }
}

bool strip_ready(void)
{
    return !(DMA_CONTROL & DMA_BUSY) && (uint16_t)(ticks() - sent_at) >= busy_for;
}

void strip_put(uint8_t place, uint32_t colour) { colours[place] = colour; }

void strip_send(uint8_t leds)
{
    sent_at = ticks();
    busy_for = leds / 2 + 10; /* 30 us for each, and more than 0.3 ms of silence, in 64 us */
    DMA_FROM = (uint32_t)colours;
    DMA_COUNT = leds;
    DMA_CONTROL = DMA_TO_PIO;
}

#endif
