/* A matrix scanner for dartboards. It drives rows, reads columns, and never waits for a contact. */
#include "library/oche.h"

#include "chip.h"
#include "edges.h"
#include "lights.h"
#include "line.h"
#include "persistent.h"
#include "protocol.h"
#include "scan.h"

static uint8_t resets KEPT;

static void tell_time(void)
{
    static uint16_t before;
    uint16_t clock = ticks();
    now += (uint16_t)(clock - before);
    before = clock;
}

static void meanwhile(void)
{
    tell_time();
    protocol_send();
    /* After each row: on a fast line a ring of bytes is full before a pass is over. */
    protocol_hear();
    lights_step();
}

void oche_begin(void)
{
    chip_begin();
    identity_begin();
    bool kept = edges_begin();
    resets = kept ? resets + 1 : 0;
    scan_begin(kept);
    line_begin();
    protocol_begin(resets);
#ifndef NO_WATCHDOG
    watchdog_begin();
#endif
}

void oche_step(void)
{
    if (scan_step(meanwhile))
        watchdog_feed();
}
