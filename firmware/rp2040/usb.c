#include "usb.h"

#include "chip.h"
#include "persistent.h"
#include "rom.h"

enum { NOTIFY = 1, DATA = 2, FROM_HOST = DATA, TO_HOST = DATA }; /* endpoints */

/* Raspberry Pi's numbers for a Pico that is a serial port. */
#define VENDOR 0x2e8a
#define PRODUCT 0x000a
#define STORED
#include "usb_descriptors.h"

/* The controller's memory and registers: RP2040 Datasheet, 4.1. Of each endpoint's two words and two bits the first is to the host. */
#define MEMORY 0x50100000
#define SETUP ((const volatile uint8_t *)MEMORY)
#define CONTROL(endpoint, from_host) REGISTER(MEMORY + 8 * (endpoint) + 4 * (from_host))
#define BUFFER(endpoint, from_host) REGISTER(MEMORY + 0x80 + 8 * (endpoint) + 4 * (from_host))
#define BYTES(offset) ((volatile uint8_t *)(MEMORY + (offset)))
enum { CONTROL_BYTES = 0x100, TO_HOST_BYTES = 0x180, FROM_HOST_BYTES = 0x1c0, NOTIFY_BYTES = 0x200 };
#define ADDRESS REGISTER(0x50110000)
#define MAIN REGISTER(0x50110040)
#define LINE 0x5011004c
#define LINE_STATUS REGISTER(0x50110050)
#define DONE REGISTER(0x50110058)
#define STALL_ONCE REGISTER(0x50110068)
#define MUXING REGISTER(0x50110074)
#define POWER REGISTER(0x50110078)
enum { FULL = 1 << 15, ODD = 1 << 13, STALL = 1 << 11, AVAILABLE = 1 << 10, LENGTH = 0x3ff };
enum { BUS_RESET = 1 << 19, SETUP_CAME = 1 << 17, PULL_UP = 1 << 16, TELL_CONTROL = 1 << 29 };
enum { SENT_CONTROL = 1 << 0, GOT_CONTROL = 1 << 1, SENT = 1 << 2 * DATA, GOT = 2 << 2 * DATA };

static const char *const names[] = { "oche", "oche-matrix" };

static uint8_t coding[7] = { 0x40, 0x42, 0x0f, 0, 0, 0, 8 }; /* 1000000 baud */
static uint8_t configured, address;
static bool to_boot;
static uint16_t halted; /* a bit for each endpoint, those to the host in the upper half */

/* What is answered, in pieces. */
static const uint8_t *answer_at;
static uint16_t answer_left;
static bool answers, answer_ends_short, takes_coding;
static uint8_t text[2 + 2 * 16];
static uint8_t word[2];

/* The next piece of each endpoint is an odd one. */
static bool odd_control, odd_sent, odd_got;

/* A power of two; the longest frame takes 32. */
#define OUT 64
static uint8_t out[OUT], head, tail;
static bool sending;
static uint8_t got, got_at;
static bool holds; /* bytes of the host that nobody has taken yet */

static uint16_t bit_of(uint16_t index) { return (uint16_t)(1 << (index & 7) << (index & IN ? 8 : 0)); }

static bool is_halted(uint16_t index) { return halted & bit_of(index); }

/* ---- buffers ---- */

static void arm_buffer(volatile uint32_t *buffer, uint32_t value)
{
    *buffer = value;
    /* The controller has a slower clock: it must see the rest before this bit. 4.1.2.5.1. */
    for (uint8_t n = 0; n < 4; ++n)
        __asm__ volatile("nop\n nop\n nop");
    *buffer = value | AVAILABLE;
}

static void send_control(void)
{
    uint8_t size = answer_left > PIECE ? PIECE : (uint8_t)answer_left;
    for (uint8_t n = 0; n < size; ++n)
        BYTES(CONTROL_BYTES)[n] = answer_at[n];
    answer_at += size;
    answer_left -= size;
    if (size < PIECE)
        answer_ends_short = false;
    arm_buffer(&BUFFER(0, 0), FULL | (odd_control ? ODD : 0) | size);
    odd_control = !odd_control;
}

/* A last piece that is full is followed by an empty one, unless it is all that was asked for. */
static void answer(const uint8_t *data, uint16_t size, uint16_t wanted)
{
    answers = true;
    answer_ends_short = size < wanted;
    answer_at = data;
    answer_left = size < wanted ? size : wanted;
    send_control();
}

static void arm_control_out(void) { arm_buffer(&BUFFER(0, 1), ODD | PIECE); }

/* What ends a request without an answer. */
static void done(void)
{
    answers = false;
    answer_left = 0;
    answer_ends_short = false;
    send_control();
}

static void arm_data_out(void)
{
    if (is_halted(DATA))
        return;
    arm_buffer(&BUFFER(DATA, 1), (odd_got ? ODD : 0) | PIECE);
    odd_got = !odd_got;
}

static void flush(void)
{
    if (sending || head == tail || !configured || is_halted(IN | DATA))
        return;
    uint8_t size = 0;
    /* Never a full piece: it would want an empty one after it. */
    for (; size < PIECE - 1 && tail != head; ++size)
        BYTES(TO_HOST_BYTES)[size] = out[tail++ % OUT];
    sending = true;
    arm_buffer(&BUFFER(DATA, 0), FULL | (odd_sent ? ODD : 0) | size);
    odd_sent = !odd_sent;
}

/* ---- requests ---- */

/* 1 and 2 are names, 3 the identity in hexadecimal, as it is in the host's /dev/serial/by-id. */
static void answer_string(uint8_t number, uint16_t wanted)
{
    uint8_t size = 2;
    for (uint8_t n = 0; n < sizeof text; ++n)
        text[n] = 0;
    if (number == 3) {
        for (uint8_t n = 0; n < 16; ++n, size += 2)
            text[size] = (uint8_t)"0123456789abcdef"[n & 1 ? identity[n / 2] & 15 : identity[n / 2] >> 4];
    } else {
        for (const char *at = names[number - 1]; *at; ++at, size += 2)
            text[size] = (uint8_t)*at;
    }
    text[0] = size;
    text[1] = STRING;
    answer(text, size, wanted);
}

static bool answer_descriptor(const struct request *asked)
{
    uint8_t number = (uint8_t)asked->value;
    switch (asked->value >> 8) {
    case DEVICE:
        answer(device, sizeof device, asked->length);
        return true;
    case CONFIGURATION:
        answer(configuration, sizeof configuration, asked->length);
        return true;
    case STRING:
        if (number == 0)
            answer(english, sizeof english, asked->length);
        else if (number <= 3)
            answer_string(number, asked->length);
        return number <= 3;
    }
    return false;
}

static void open_endpoint(uint8_t number, bool from_host, uint8_t kind, uint32_t bytes)
{
    CONTROL(number, from_host) = 1ul << 31 | 1ul << 29 | (uint32_t)kind << 26 | bytes;
    BUFFER(number, from_host) = 0;
}

static void configure(uint8_t value)
{
    open_endpoint(NOTIFY, false, INTERRUPTS, NOTIFY_BYTES);
    open_endpoint(DATA, false, BULK, TO_HOST_BYTES);
    open_endpoint(DATA, true, BULK, FROM_HOST_BYTES);
    odd_sent = odd_got = sending = holds = false;
    halted = 0;
    tail = head; /* what waits is half a frame to a host that has set the device up again */
    configured = value;
    if (configured)
        arm_data_out();
}

static bool has_endpoint(uint16_t index)
{
    return !(index & 0x7f) || (configured && (index == (IN | NOTIFY) || index == DATA || index == (IN | DATA)));
}

/* Halts an endpoint, or ends its halt, after which it counts from the start. The one for requests is never halted. */
static void halt(uint16_t index, bool halts)
{
    uint8_t number = index & 7;
    bool from_host = !(index & IN);
    if (!number)
        return;
    halted = halts ? halted | bit_of(index) : halted & (uint16_t)~bit_of(index);
    if (halts) {
        BUFFER(number, from_host) = STALL;
        return;
    }
    BUFFER(number, from_host) = 0;
    if (index == DATA) {
        odd_got = false;
        if (!holds)
            arm_data_out();
    } else if (number == DATA) {
        odd_sent = sending = false;
    }
}

static void answer_word(uint8_t low, const struct request *asked)
{
    word[0] = low;
    answer(word, 2, asked->length);
}

static bool handle_request(const struct request *asked)
{
    switch (asked->type << 8 | asked->what) {
    case 0x8000: /* status: powered by the bus, wakes nobody */
        answer_word(0, asked);
        return true;
    case 0x8100:
    case 0x810a:
        if (!configured || asked->index > 1)
            return false;
        answer_word(0, asked);
        return true;
    case 0x8200:
        if (!has_endpoint(asked->index))
            return false;
        answer_word(is_halted(asked->index), asked);
        return true;
    case 0x0005: /* the address counts when this request has ended */
        address = asked->value & 0x7f;
        done();
        return true;
    case 0x8006:
        return answer_descriptor(asked);
    case 0x8008:
        word[0] = configured;
        answer(word, 1, asked->length);
        return true;
    case 0x0009: /* there is one configuration, and none */
        if (asked->value > 1)
            return false;
        configure((uint8_t)asked->value);
        done();
        return true;
    case 0x0201:
    case 0x0203:
        if (asked->value || !has_endpoint(asked->index))
            return false;
        halt(asked->index, asked->what == 3);
        done();
        return true;
    case 0x010b: /* the only setting that an interface has */
        if (!configured || asked->value || asked->index > 1)
            return false;
        done();
        return true;
    case 0x2123: /* break */
        done();
        return true;
    case 0x2120: /* line coding: it follows */
        takes_coding = true;
        arm_control_out();
        return true;
    case 0xa121:
        answer(coding, sizeof coding, asked->length);
        return true;
    case 0x2122: /* line state */
        /* Closing the port at 1200 baud asks for the boot loader, as with every Arduino. */
        to_boot = coding[0] == 0xb0 && coding[1] == 0x04 && !coding[2] && !(asked->value & 1);
        done();
        return true;
    }
    return false;
}

static void setup_came(void)
{
    struct request asked = {
        SETUP[0], SETUP[1], (uint16_t)(SETUP[2] | SETUP[3] << 8), (uint16_t)(SETUP[4] | SETUP[5] << 8),
        (uint16_t)(SETUP[6] | SETUP[7] << 8),
    };
    odd_control = true;
    takes_coding = to_boot = false;
    address = 0;
    answer_left = 0;
    if (!handle_request(&asked)) {
        STALL_ONCE = SENT_CONTROL | GOT_CONTROL;
        BUFFER(0, 0) = BUFFER(0, 1) = STALL;
    }
}

static void control_sent(void)
{
    if (answer_left || answer_ends_short) {
        send_control();
        return;
    }
    if (address) {
        ADDRESS = address;
        address = 0;
    }
    if (to_boot)
        ((void (*)(uint32_t, uint32_t))rom('U', 'B'))(0, 0); /* comes back as the drive RPI-RP2 */
    /* The empty piece that ends an answer. Behind any other request the data of a later one could come before that one
       is handled. */
    if (answers)
        arm_control_out();
}

static void control_came(void)
{
    if (!takes_coding)
        return;
    takes_coding = false;
    for (uint8_t n = 0; n < sizeof coding; ++n)
        coding[n] = BYTES(CONTROL_BYTES)[n];
    done();
}

/* ---- the line ---- */

void usb_begin(void)
{
    for (uint32_t at = 0; at < 0x100; at += 4)
        REGISTER(MEMORY + at) = 0;
    MUXING = 1 << 3 | 1 << 0;
    POWER = 1 << 3 | 1 << 2; /* the bus has power: no pin tells */
    MAIN = 1;
    REGISTER(LINE) = TELL_CONTROL | PULL_UP;
}

void usb_poll(void)
{
    uint32_t status = LINE_STATUS;
    if (status & BUS_RESET) {
        LINE_STATUS = BUS_RESET;
        ADDRESS = 0;
        configured = 0;
    }
    uint32_t ended = DONE;
    if (ended) {
        DONE = ended;
        if (ended & SENT_CONTROL)
            control_sent();
        if (ended & GOT_CONTROL)
            control_came();
        if (ended & SENT)
            sending = false;
        if (ended & GOT) {
            got = (uint8_t)(BUFFER(DATA, 1) & LENGTH);
            got_at = 0;
            holds = true;
        }
    }
    if (status & SETUP_CAME) {
        LINE_STATUS = SETUP_CAME;
        setup_came();
    }
    flush();
}

bool usb_up(void) { return configured != 0; }

uint8_t usb_room(void) { return OUT - (uint8_t)(head - tail); }

void usb_send(const uint8_t *data, uint8_t length)
{
    while (length--)
        out[head++ % OUT] = *data++;
    flush();
}

int16_t usb_take(void)
{
    if (!holds)
        return -1;
    if (got_at < got)
        return BYTES(FROM_HOST_BYTES)[got_at++];
    holds = false;
    arm_data_out();
    return -1;
}
