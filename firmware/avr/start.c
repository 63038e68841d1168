/* What a boot loader leaves behind: it jumps without a reset. */
#include <avr/io.h>
#include <avr/wdt.h>

#include "chip.h"

/* The direction first: a pin that is an output with its pull-up set is driven high, against whatever pulls it low. */
#define CLEAN(port) (DDR##port = 0, PORT##port = 0)

static void pins_off(void)
{
#ifdef DDRA
    CLEAN(A);
#endif
    CLEAN(B);
    CLEAN(C);
    CLEAN(D);
#ifdef DDRE
    CLEAN(E);
#endif
#ifdef DDRF
    CLEAN(F);
#endif
#ifdef DDRG
    CLEAN(G);
#endif
#ifdef DDRH
    CLEAN(H);
#endif
#ifdef DDRJ
    CLEAN(J);
#endif
#ifdef DDRK
    CLEAN(K);
#endif
#ifdef DDRL
    CLEAN(L);
#endif
}

/* Timers with an output on a pin, and their interrupts. */
static void timers_off(void)
{
    TIMSK0 = TIMSK1 = 0;
    TCCR0A = TCCR1A = 0;
#ifdef TCCR2A
    TIMSK2 = TCCR2A = 0;
#endif
#ifdef TCCR3A
    TIMSK3 = TCCR3A = 0;
#endif
#ifdef TCCR4A
    TIMSK4 = TCCR4A = 0;
#endif
#ifdef TCCR4C
    TCCR4C = 0;
#endif
#ifdef TCCR5A
    TIMSK5 = TCCR5A = 0;
#endif
}

/* Before anything else: after its own reset the watchdog goes on, with its shortest time. */
__attribute__((naked, used, section(".init3"))) void watchdog_off(void)
{
    MCUSR = 0;
    wdt_disable();
}

void chip_begin(void)
{
    timers_off();
    SPCR = TWCR = 0;
    EIMSK = PCICR = 0;
    pins_off();
    part_begin();
    lamp_begin();
    TCCR0B = _BV(CS01); /* half a us */
    TCCR1A = 0;
    TCCR1B = _BV(CS12) | _BV(CS10); /* 64 us */
}
