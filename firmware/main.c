/* A matrix scanner for dartboards. It drives rows, reads columns, and never waits for a contact. */
#include <avr/interrupt.h>
#include <avr/wdt.h>

#include "edges.h"
#include "identity.h"
#include "part.h"
#include "protocol.h"
#include "scan.h"
#include "start.h"
#include "uart.h"
#include "usb.h"

static uint8_t resets __attribute__((section(".noinit")));

/* Before anything else: after its own reset the watchdog goes on, with its shortest time. */
__attribute__((naked, used, section(".init3"))) void watchdog_off(void)
{
    MCUSR = 0;
    wdt_disable();
}

static void tell_time(void)
{
    static uint16_t before;
    uint16_t ticks = TCNT1;
    now += (uint16_t)(ticks - before);
    before = ticks;
}

static void meanwhile(void)
{
    tell_time();
    protocol_send();
    /* After each row: on a fast line a ring of bytes is full before a pass is over. */
    protocol_hear();
}

int main(void)
{
    start_clean();
    /* Early: it reads what the memory held at power-on. */
    identity_begin();
    bool kept = edges_begin();
    resets = kept ? resets + 1 : 0;
    part_begin();
    lamp_begin();
    TCCR1A = 0;
    TCCR1B = _BV(CS12) | _BV(CS10); /* 64 us */
    scan_begin(kept);
    uart_begin();
#ifdef HAS_USB
    usb_begin();
#endif
    protocol_begin(resets);
#ifndef NO_WATCHDOG
    wdt_enable(WDTO_250MS);
#endif
    sei();
    for (;;) {
        if (scan_step(meanwhile))
            wdt_reset();
    }
}
