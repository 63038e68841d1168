#include "protocol.h"

#include "chip.h"
#include "crc.h"
#include "edges.h"
#include "lights.h"
#include "line.h"
#include "persistent.h"
#include "scan.h"

/* See PROTOCOL.md for every number here. */
enum { VERSION = 1, MAJOR = 1, MINOR = 2, TICK_US = 64 };

enum { HELLO = 0x01, HEARTBEAT = 0x02, EDGE = 0x10 };             /* board to host */
enum { ASK = 0x81, ACKNOWLEDGE = 0x82, SETTING = 0x83, LAMP = 0x84 }; /* host to board */
enum { RELEASE = 1, SETTLE = 2, BEAT = 3, RING = 4, RING_FIRST = 5 }; /* settings */

enum { LONGEST_OUT = 28, LONGEST_IN = 24 };

#define MS(n) ((uint16_t)((n) * 1000UL / TICK_US))
#define SOONEST MS(30)
#define LATEST MS(1000)
#define TRIES 8 /* on a bad line; after that nobody is there */

static uint8_t sent;           /* the edge that is sent next */
static uint8_t fresh;          /* the first that was never sent */
static uint16_t wait = SOONEST; /* how long an acknowledgement is waited for */
static uint8_t tries;
static uint16_t asked_at;      /* since when */
static bool greeted;           /* the host has acknowledged in this epoch, so that it knows the sequence */
static bool hello_due = true;
static uint16_t beat = MS(1000), beat_at;
static uint16_t rejected, again;
static uint8_t resets;

static uint8_t frame[LONGEST_IN], length;
static bool spoilt;

/* ---- out ---- */

static void put_frame(const uint8_t *payload, uint8_t size)
{
    uint8_t coded[LONGEST_OUT + 4];
    uint8_t *code = coded, *end = coded + 1;
    uint16_t crc = 0xffff;
    for (uint8_t n = 0; n < size + 2; ++n) {
        uint8_t byte;
        if (n < size) {
            byte = payload[n];
            crc = crc_step(crc, byte);
        } else {
            byte = n == size ? (uint8_t)crc : (uint8_t)(crc >> 8);
        }
        if (byte) {
            *end++ = byte;
        } else {
            *code = (uint8_t)(end - code);
            code = end++;
        }
    }
    *code = (uint8_t)(end - code);
    *end++ = 0;
    line_send(coded, (uint8_t)(end - coded));
}

static uint8_t *put_word(uint8_t *to, uint16_t word)
{
    *to++ = (uint8_t)word;
    *to++ = (uint8_t)(word >> 8);
    return to;
}

static uint8_t *put_place(uint8_t *to)
{
    *to++ = edges_epoch;
    *to++ = edges_first;
    *to++ = edges_next;
    return put_word(put_word(to, (uint16_t)now), (uint16_t)(now >> 16));
}

static void send_hello(void)
{
    uint8_t payload[LONGEST_OUT] = { HELLO, VERSION, PART, ROWS, COLS, INPUTS, MAJOR, MINOR, TICK_US };
    uint8_t *end = put_place(payload + 9);
    for (uint8_t n = 0; n < 8; ++n)
        *end++ = identity[n];
    put_frame(payload, (uint8_t)(end - payload));
}

static void send_heartbeat(void)
{
    uint8_t payload[LONGEST_OUT] = { HEARTBEAT };
    uint8_t *end = put_place(payload + 1);
    end = put_word(end, rejected);
    end = put_word(end, again);
    end = put_word(end, edges_waited);
    end = put_word(end, scan_ghosts);
    *end++ = resets;
    *end++ = scan_settle / 2;
    put_frame(payload, (uint8_t)(end - payload));
}

static void send_edge(uint8_t sequence)
{
    const struct edge *edge = edges_at(sequence);
    uint8_t payload[] = { EDGE | (edge->kind & 3), sequence,      edge->contact,
                          edge->time[0],           edge->time[1], edge->time[2] };
    put_frame(payload, sizeof payload);
}

/* How far may be sent: to the end, or while nobody answers the oldest alone, so that a host that comes back is found. */
static uint8_t limit(void)
{
    if (!greeted || edges_first == edges_next)
        return edges_first;
    return tries < TRIES ? edges_next : edges_first + 1;
}

void protocol_send(void)
{
    uint16_t clock = (uint16_t)now;
    if (sent != limit()) {
        if (line_room() >= 10) {
            if (sent == edges_first)
                asked_at = clock;
            if (sent == fresh)
                ++fresh;
            else
                ++again;
            send_edge(sent++);
        }
        return;
    }
    if (greeted && edges_first != edges_next && (uint16_t)(clock - asked_at) >= wait) {
        sent = edges_first;
        if (tries < TRIES)
            ++tries;
        else
            wait = wait < LATEST / 2 ? wait * 2 : LATEST;
        return;
    }
    bool due = (uint16_t)(clock - beat_at) >= beat;
    if ((!due && !hello_due) || line_room() < LONGEST_OUT + 4)
        return;
    if (hello_due || !greeted)
        send_hello();
    else
        send_heartbeat();
    hello_due = false;
    beat_at = clock;
}

/* ---- in ---- */

static void acknowledged(uint8_t next, bool gap)
{
    uint8_t before = edges_first;
    uint8_t ahead = (uint8_t)(sent - next);
    if (!edges_acknowledge(next)) {
        ++rejected;
        return;
    }
    if (!greeted || gap || ahead > EDGES) {
        /* What was sent behind a gap is sent again: a host may take them in their order alone. */
        sent = next;
    }
    if ((uint8_t)(fresh - next) > EDGES)
        fresh = next; /* sent before a reset */
    if (!greeted || gap || next != before || tries) {
        wait = SOONEST;
        tries = 0;
        asked_at = (uint16_t)now;
    }
    greeted = true;
}

static void set(uint8_t which, uint16_t value)
{
    if (which == RELEASE && value >= 1 && value <= 60)
        scan_release = (uint8_t)((value * 125 + 31) / 32);
    else if (which == SETTLE && value >= 2 && value <= 120)
        scan_set_settle((uint8_t)value);
    else if (which == BEAT && value >= 100 && value <= 4000)
        beat = (uint16_t)(value * 125UL / 8);
    else if (!(which == RING && lights_set_ring(value)) && !(which == RING_FIRST && lights_set_first(value)))
        ++rejected;
}

static void heard(uint8_t size)
{
    /* What is longer than known here comes from a newer host: the part that is known counts. */
    if (frame[0] == ASK && size >= 2)
        hello_due = scan_measure = true; /* a host opens its port: the foils may be others than at the start */
    else if (frame[0] == ACKNOWLEDGE && size >= 4 && frame[1] == edges_epoch)
        acknowledged(frame[2], frame[3] & 1);
    else if (frame[0] == SETTING && size >= 4)
        set(frame[1], frame[2] | (uint16_t)frame[3] << 8);
    else if (frame[0] == LAMP && size >= 2)
        lights_say(frame + 1, size - 1);
    else
        ++rejected;
}

static void frame_end(void)
{
    uint8_t to = 0, at = 0;
    uint16_t crc = 0xffff;
    bool good = !spoilt;
    while (good && at < length) {
        uint8_t code = frame[at++];
        if ((uint8_t)(code - 1) > (uint8_t)(length - at))
            good = false;
        for (uint8_t n = 1; good && n < code; ++n)
            frame[to++] = frame[at++];
        if (good && at < length)
            frame[to++] = 0;
    }
    for (uint8_t n = 0; good && n + 2 < to; ++n)
        crc = crc_step(crc, frame[n]);
    if (good && to >= 3 && frame[to - 2] == (uint8_t)crc && frame[to - 1] == (uint8_t)(crc >> 8))
        heard(to - 2);
    else if (length || spoilt)
        ++rejected;
    length = 0;
    spoilt = false;
}

void protocol_hear(void)
{
    int16_t byte;
    while ((byte = line_take()) >= 0) {
        if (byte == 0)
            frame_end();
        else if (length == LONGEST_IN)
            spoilt = true;
        else
            frame[length++] = (uint8_t)byte;
    }
}

void protocol_begin(uint8_t since_power)
{
    resets = since_power;
    sent = fresh = edges_first;
    beat_at = (uint16_t)now;
}
