#include "chip.h"
#include "line.h"
#include "persistent.h"

/* A power of two; the longest frame takes 32. */
#define OUT 64
static uint8_t out[OUT], head, tail;

uint8_t identity[8];
static uint8_t epoch;

void identity_begin(void) { epoch = oche_start(identity); }

uint8_t next_epoch(void) { return epoch; }

void line_begin(void) { }

static void flush(void)
{
    while (head != tail) {
        uint8_t at = tail % OUT, length = (uint8_t)(head - tail);
        if (length > OUT - at)
            length = (uint8_t)(OUT - at);
        uint8_t taken = oche_write(out + at, length);
        tail = (uint8_t)(tail + taken);
        if (taken < length)
            return;
    }
}

uint8_t line_room(void)
{
    flush();
    return (uint8_t)(OUT - (uint8_t)(head - tail));
}

void line_send(const uint8_t *data, uint8_t length)
{
    while (length--)
        out[head++ % OUT] = *data++;
    flush();
}

int16_t line_take(void)
{
    flush();
    return oche_read();
}
