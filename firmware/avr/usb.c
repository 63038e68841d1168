#include "usb.h"

#include "chip.h"

#ifdef HAS_USB

#include <avr/interrupt.h>
#include <avr/pgmspace.h>
#include <avr/wdt.h>

#include "persistent.h"

enum { NOTIFY = 1, FROM_HOST = 2, TO_HOST = 3 }; /* endpoints */

/* The numbers of the Arduino that it runs on, which its sketches have too. */
#define VENDOR 0x2341
#define PRODUCT USB_PRODUCT
#define STORED PROGMEM
#include "usb_descriptors.h"

static const char names[][12] PROGMEM = { "oche", "oche-matrix" };

static struct {
    uint32_t rate;
    uint8_t rest[3];
} coding = { 1000000, { 0, 0, 8 } };

static volatile uint8_t configured;
/* The host has set the device up, possibly not for the first time: what waits is half a frame to it. */
static volatile bool renewed;

/* A power of two; the longest frame takes 32. No interrupt touches it. */
#define OUT 64
static uint8_t out[OUT], head, tail;

/* ---- requests, in the interrupt ---- */

/* False when the host has changed its mind or gone away: nobody waits for it here, darts come. */
static bool wait_for(uint8_t flag)
{
    for (uint16_t tries = 20000; tries; --tries) {
        uint8_t state = UEINTX;
        if (state & flag)
            return true;
        if (state & _BV(RXSTPI))
            return false;
    }
    return false;
}

static void done(void) { UEINTX = (uint8_t)~_BV(TXINI); }

/* Sends what was asked for, in pieces; from flash, or from memory. */
static void answer(const uint8_t *data, uint8_t size, uint16_t wanted, bool flash)
{
    bool whole = false;
    if (size > wanted)
        size = (uint8_t)wanted;
    while (!whole) {
        if (!wait_for(_BV(TXINI) | _BV(RXOUTI)) || UEINTX & _BV(RXOUTI))
            return;
        uint8_t piece = size > PIECE ? PIECE : size;
        /* A last piece that is full is followed by an empty one, unless it is all that was asked for. */
        whole = piece < PIECE || piece == wanted;
        for (uint8_t n = 0; n < piece; ++n, ++data)
            UEDATX = flash ? pgm_read_byte(data) : *data;
        size -= piece;
        wanted -= piece;
        done();
    }
}

/* 1 and 2 are names, 3 the identity in hexadecimal, as it is in the host's /dev/serial/by-id. */
static void answer_string(uint8_t number, uint16_t wanted)
{
    static const char digits[] PROGMEM = "0123456789abcdef";
    uint8_t text[2 + 2 * 16] = { 0, STRING };
    uint8_t size = 2;
    if (number == 3) {
        for (uint8_t n = 0; n < 16; ++n, size += 2)
            text[size] = pgm_read_byte(&digits[n & 1 ? identity[n / 2] & 15 : identity[n / 2] >> 4]);
    } else {
        for (const char *at = names[number - 1]; pgm_read_byte(at); ++at, size += 2)
            text[size] = pgm_read_byte(at);
    }
    text[0] = size;
    answer(text, size, wanted, false);
}

static bool answer_descriptor(const struct request *asked)
{
    uint8_t number = (uint8_t)asked->value;
    switch (asked->value >> 8) {
    case DEVICE:
        answer(device, sizeof device, asked->length, true);
        return true;
    case CONFIGURATION:
        answer(configuration, sizeof configuration, asked->length, true);
        return true;
    case STRING:
        if (number == 0)
            answer(english, sizeof english, asked->length, true);
        else if (number <= 3)
            answer_string(number, asked->length);
        return number <= 3;
    }
    return false;
}

static void endpoint(uint8_t number, uint8_t kind, uint8_t size)
{
    UENUM = number;
    UECONX = _BV(EPEN);
    UECFG0X = kind;
    UECFG1X = size | _BV(ALLOC);
}

static void configure(uint8_t value)
{
    endpoint(NOTIFY, INTERRUPTS << 6 | _BV(EPDIR), _BV(EPSIZE0));
    endpoint(FROM_HOST, BULK << 6, _BV(EPSIZE1) | _BV(EPSIZE0));
    endpoint(TO_HOST, BULK << 6 | _BV(EPDIR), _BV(EPSIZE1) | _BV(EPSIZE0));
    UERST = 0x1e;
    UERST = 0;
    UENUM = 0;
    renewed = true;
    configured = value;
}

/* Of endpoints 0 to 3, with or without the bit of the direction, as the configuration has them. */
static bool has_endpoint(uint16_t index)
{
    return !(index & 0x7f) || (configured && (index == (IN | NOTIFY) || index == FROM_HOST || index == (IN | TO_HOST)));
}

/* Halts an endpoint, or ends its halt, after which it counts from the start. The one for requests is never halted. */
static void halt(uint8_t number, bool halted)
{
    UENUM = number;
    if (number)
        UECONX = (halted ? _BV(STALLRQ) : _BV(STALLRQC) | _BV(RSTDT)) | _BV(EPEN);
    UENUM = 0;
}

static bool is_halted(uint8_t number)
{
    UENUM = number;
    bool halted = number && UECONX & _BV(STALLRQ);
    UENUM = 0;
    return halted;
}

static void answer_word(uint8_t word, const struct request *asked)
{
    uint8_t data[2] = { word, 0 };
    answer(data, 2, asked->length, false);
}

/* Closing the port at 1200 baud asks for the boot loader, as with every Leonardo: it looks for this word after a bite of
   the watchdog, in one of two places. */
static void to_boot_loader(void)
{
    *(volatile uint16_t *)0x0800 = 0x7777;
    *(volatile uint16_t *)(RAMEND - 1) = 0x7777;
    UDCON = _BV(DETACH);
    wdt_enable(WDTO_120MS);
    for (;;)
        ;
}

static void handle_request(const struct request *asked)
{
    switch (asked->type << 8 | asked->what) {
    /* A suspended bus needs nothing: contacts are scanned on, and edges wait for the host. A part that slept would miss
       darts, and one that wakes its host would do so for every dart that is pulled; the standard has both as options. */
    case 0x8000: /* status: powered by the bus, wakes nobody */
        answer_word(0, asked);
        return;
    case 0x8100:
        if (!configured || asked->index > 1)
            break;
        answer_word(0, asked);
        return;
    case 0x8200:
        if (!has_endpoint(asked->index))
            break;
        answer_word(is_halted(asked->index & 7), asked);
        return;
    case 0x0005: /* address */
        done();
        if (wait_for(_BV(TXINI)))
            UDADDR = (uint8_t)asked->value | _BV(ADDEN);
        return;
    case 0x8006:
        if (answer_descriptor(asked))
            return;
        break;
    case 0x8008: {
        uint8_t value = configured;
        answer(&value, 1, asked->length, false);
        return;
    }
    case 0x0009: /* there is one configuration, and none */
        if (asked->value > 1)
            break;
        configure((uint8_t)asked->value);
        done();
        return;
    case 0x0201:
    case 0x0203:
        if (asked->value || !has_endpoint(asked->index))
            break;
        halt(asked->index & 7, asked->what == 3);
        done();
        return;
    case 0x810a:
        if (!configured || asked->index > 1)
            break;
        answer_word(0, asked);
        return;
    case 0x010b: /* the only setting that an interface has */
        if (!configured || asked->value || asked->index > 1)
            break;
        done();
        return;
    case 0x2123: /* break */
        done();
        return;
    case 0x2120: /* line coding */
        if (!wait_for(_BV(RXOUTI)))
            return;
        for (uint8_t n = 0; n < 7; ++n)
            ((uint8_t *)&coding)[n] = UEDATX;
        UEINTX = (uint8_t)~_BV(RXOUTI);
        done();
        return;
    case 0xa121:
        answer((const uint8_t *)&coding, 7, asked->length, false);
        return;
    case 0x2122: /* line state */
        done();
        if (coding.rate == 1200 && !(asked->value & 1))
            to_boot_loader();
        return;
    }
    UECONX = _BV(STALLRQ) | _BV(EPEN);
}

ISR(USB_COM_vect)
{
    uint8_t chosen = UENUM;
    UENUM = 0;
    if (UEINTX & _BV(RXSTPI)) {
        struct request asked;
        for (uint8_t n = 0; n < sizeof asked; ++n)
            ((uint8_t *)&asked)[n] = UEDATX;
        UEINTX = (uint8_t)~(_BV(RXSTPI) | _BV(RXOUTI) | _BV(TXINI));
        handle_request(&asked);
    }
    UENUM = chosen;
}

ISR(USB_GEN_vect)
{
    uint8_t chosen = UENUM, what = UDINT;
    UDINT = 0;
    if (what & _BV(EORSTI)) {
        configured = 0;
        endpoint(0, 0, _BV(EPSIZE1) | _BV(EPSIZE0));
        UEIENX = _BV(RXSTPE);
    }
    UENUM = chosen;
}

/* ---- data, outside of it ---- */

/* Drops what waits for a host that has set the device up again. */
static void renew(void)
{
    if (renewed) {
        renewed = false;
        tail = head;
    }
}

/* What waits goes out as soon as the last piece was fetched. Never a full piece: it would want an empty one after it. */
static void flush(void)
{
    if (head == tail)
        return;
    UENUM = TO_HOST;
    if (!(UEINTX & _BV(TXINI)))
        return;
    for (uint8_t n = 0; n < PIECE - 1 && tail != head; ++n)
        UEDATX = out[tail++ & (OUT - 1)];
    /* The bit of RXOUTI would throw the piece away again: in this direction it is KILLBK. */
    UEINTX = (uint8_t)~(_BV(TXINI) | _BV(NAKINI) | _BV(RXOUTI) | _BV(FIFOCON));
}

void usb_begin(void)
{
    /* A boot loader with its own USB may have left it on. */
    USBCON = 0;
    UDIEN = UDINT = 0;
    UHWCON = _BV(UVREGE);
    USBCON = _BV(USBE) | _BV(FRZCLK);
    PLLCSR = _BV(PINDIV) | _BV(PLLE);
    for (uint16_t tries = 60000; tries && !(PLLCSR & _BV(PLOCK)); --tries)
        ;
    USBCON = _BV(USBE) | _BV(OTGPADE);
    UDCON = 0;
    UDIEN = _BV(EORSTE);
}

bool usb_up(void) { return configured != 0; }

uint8_t usb_room(void)
{
    renew();
    return OUT - (uint8_t)(head - tail);
}

void usb_send(const uint8_t *data, uint8_t length)
{
    while (length--)
        out[head++ & (OUT - 1)] = *data++;
    flush();
}

int16_t usb_take(void)
{
    flush();
    UENUM = FROM_HOST;
    if (!(UEINTX & _BV(RXOUTI)))
        return -1;
    int16_t byte = UEINTX & _BV(RWAL) ? UEDATX : -1;
    if (!(UEINTX & _BV(RWAL)))
        UEINTX = (uint8_t)~(_BV(RXOUTI) | _BV(NAKOUTI) | _BV(FIFOCON));
    return byte;
}

#endif
