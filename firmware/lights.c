#include "lights.h"

#include "chip.h"
#include "edges.h"

/* A frame is shown every 65 ms. Nothing flashes more than twice a second: faster flashes can cause seizures. */
enum pattern { OFF, STEADY, SLOW, QUICK, RUNNING };

enum colour { BLACK, RED, GREEN, BLUE, PURPLE, WHITE, YELLOW, CYAN };
/* Instead of one colour: those of the frame, one for each number, or all of them at once. */
enum { SENT = 8, EVERY = 9 };

/* The words of PROTOCOL.md, in their order, and how each looks. This table is all there is to change. */
static const struct look {
    uint8_t ring, colour, lamp;
} looks[] = {
    { OFF, BLACK, OFF },       /* dark */
    { STEADY, SENT, OFF },     /* targets */
    { QUICK, SENT, QUICK },    /* hit */
    { RUNNING, BLUE, STEADY }, /* take-out */
    { RUNNING, CYAN, STEADY }, /* next player */
    { QUICK, RED, QUICK },     /* bust */
    { RUNNING, EVERY, SLOW },  /* won */
};
enum { DARK = 0, TAKEOUT = 3, WORDS = sizeof looks / sizeof *looks };

static uint8_t word, frames, frame_at;
static bool changed = true;

static bool lit(uint8_t pattern)
{
    switch (pattern) {
    case OFF:
        return false;
    case SLOW:
        return !(frames & 8);
    case QUICK:
        return !(frames & 4);
    default:
        return true;
    }
}

#ifdef STRIP

enum { NUMBERS = 20, TAIL = 7, REST = NUMBERS };

/* Colours as a WS2812 takes them, green first. A channel has at most 48 of 255, about 4 mA, and an LED about 8 mA:
   a USB port feeds 40. */
static const uint32_t palette[] = {
    [BLACK] = 0,          [RED] = 0x00300000,   [GREEN] = 0x30000000,  [BLUE] = 0x00003000,
    [PURPLE] = 0x00302000, [WHITE] = 0x20202000, [YELLOW] = 0x20300000, [CYAN] = 0x20002000,
};

static uint8_t sent[11]; /* four bits for each number, clockwise from the 20, then for all that have none */
static uint8_t leds, first, turn;
static bool anticlockwise;

static bool filling;
static uint8_t filled, place, number;
static uint16_t share;

static uint8_t colour_sent(uint8_t n) { return sent[n >> 1] >> (n & 1) * 4 & 7; }

static uint32_t colour_of(uint8_t n)
{
    const struct look *look = &looks[word];
    if (!lit(look->ring))
        return palette[BLACK];
    uint8_t behind = n >= turn ? n - turn : n + NUMBERS - turn;
    if (look->ring == RUNNING && look->colour != EVERY && behind >= TAIL)
        return palette[BLACK];
    if (look->colour == EVERY)
        return palette[behind % 7 + 1];
    if (look->colour != SENT)
        return palette[look->colour];
    uint8_t own = colour_sent(n);
    return own ? palette[own] : palette[colour_sent(REST)] >> 2 & 0x3f3f3f00;
}

static void begin_ring(void)
{
    turn = turn + 1 == NUMBERS ? 0 : turn + 1;
    filling = leds;
    filled = number = 0;
    share = 0;
    place = first < leds ? first : 0;
}

static void fill_one(void)
{
    strip_put(place, colour_of(number));
    if (anticlockwise)
        place = (place ? place : leds) - 1;
    else
        place = place + 1 == leds ? 0 : place + 1;
    for (share += NUMBERS; share >= leds; share -= leds)
        ++number;
    if (++filled == leds) {
        strip_send(leds);
        filling = false;
    }
}

bool lights_set_ring(uint16_t value)
{
    if ((value & 0xff) > MOST_LEDS || value >> 10)
        return false;
    filling = false;
    leds = (uint8_t)value;
    anticlockwise = value >> 8 & 1;
    strip_begin(leds, value >> 9 & 1);
    changed = true;
    return true;
}

bool lights_set_first(uint16_t value)
{
    if (value >= MOST_LEDS)
        return false;
    first = (uint8_t)value;
    return true;
}

#else

/* No ring. The settings are checked all the same. */
bool lights_set_ring(uint16_t value) { return (value & 0xff) <= MOST_LEDS && !(value >> 10); }
bool lights_set_first(uint16_t value) { return value < MOST_LEDS; }

#endif

void lights_say(const uint8_t *data, uint8_t size)
{
    /* A host older than 1.2 says on or off and no more. */
    word = size < 2 ? (data[0] ? TAKEOUT : DARK) : data[1] < WORDS ? data[1] : DARK;
#ifdef STRIP
    for (uint8_t n = 0; n < sizeof sent; ++n)
        sent[n] = n + 2 < size ? data[n + 2] : 0;
#endif
    frames = 0;
    changed = true;
}

void lights_step(void)
{
    uint8_t clock = (uint8_t)((uint16_t)now >> 8); /* 16 ms */
#ifdef STRIP
    if (filling) {
        fill_one();
        return;
    }
    if (leds && !strip_ready())
        return;
#endif
    if (!changed && (uint8_t)(clock - frame_at) < 4)
        return;
    if (!changed)
        ++frames;
    changed = false;
    frame_at = clock;
    lamp(lit(looks[word].lamp));
#ifdef STRIP
    begin_ring();
#endif
}
