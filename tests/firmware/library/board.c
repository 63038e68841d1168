/* The program around the library, for its tests: contacts in a table, a clock that a read advances, a line in memory. */
#include "library/oche.h"

enum { SENT = 4096, HEARD = 4096, BYTE_US = 10, WAITING = 32 };

uint32_t nets[8]; /* for each row what it reaches, as oche_low tells it */
uint32_t pressed;
uint8_t own_epoch;
uint32_t micros;
uint8_t sent[SENT];
uint32_t sent_at[SENT]; /* when its stop bit ends */
uint32_t sent_count;
uint32_t high; /* how often a row was freed that was not low, or driven twice */

static uint8_t heard[HEARD];
static uint32_t heard_head, heard_tail, line_end;
static uint32_t low_rows;

void oche_row(uint8_t row, bool low)
{
    high += (low_rows >> row & 1) == low;
    low_rows = low ? low_rows | 1u << row : low_rows & ~(1u << row);
}

uint32_t oche_low(void)
{
    uint32_t all = pressed;
    for (uint8_t row = 0; row < 8; ++row)
        if (low_rows >> row & 1)
            all |= nets[row];
    return all;
}

uint32_t oche_micros(void) { return micros++; }

uint8_t oche_write(const uint8_t *data, uint8_t length)
{
    uint8_t taken = 0;
    if ((int32_t)(line_end - micros) < 0)
        line_end = micros;
    while (taken < length && line_end - micros < WAITING * BYTE_US && sent_count < SENT) {
        line_end += BYTE_US;
        sent_at[sent_count] = line_end;
        sent[sent_count++] = data[taken++];
    }
    return taken;
}

int16_t oche_read(void) { return heard_head == heard_tail ? -1 : heard[heard_tail++ % HEARD]; }

uint8_t oche_start(uint8_t identity[8])
{
    for (uint8_t n = 0; n < 8; ++n)
        identity[n] = (uint8_t)("oche lib"[n]);
    return own_epoch;
}

void hear(uint8_t byte) { heard[heard_head++ % HEARD] = byte; }

/* Until a time, or until a whole frame was sent. */
void run_until(uint32_t until)
{
    while ((int32_t)(until - micros) > 0 && !(sent_count && !sent[sent_count - 1]))
        oche_step();
}
