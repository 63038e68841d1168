#include "scan.h"

#include "chip.h"
#include "edges.h"

#define SLOWEST_US 120
#if SETTLE_US < 2 || SETTLE_US > SLOWEST_US
#error "SETTLE is 2 to 120 us"
#endif

/* The inputs are one more row, which is never driven. */
#define ALL_ROWS (ROWS + (INPUTS > 0))
#define WIDTH (COLS > INPUTS ? COLS : INPUTS)

/* A bit for each column. */
static uint16_t held[ALL_ROWS] KEPT;     /* reported as closed, or as a ghost */
static uint16_t not_held[ALL_ROWS] KEPT; /* its complement, to see after a reset whether it is whole */
static uint16_t ghost[ALL_ROWS] KEPT;
static uint16_t leaving[ALL_ROWS]; /* held, but open at the last look */
static uint16_t reading[ALL_ROWS]; /* closed at the last look */
static uint8_t since[ALL_ROWS][WIDTH]; /* when it began to leave, or a ghost was last one; in 256 us */

static uint8_t row;
static bool first_pass;

uint8_t scan_release = 40; /* 10.2 ms */
uint8_t scan_settle;
bool scan_measure;
static bool settle_given; /* by a host, until the next reset */
uint16_t scan_ghosts;

static void drive(uint8_t n)
{
    if (n < ROWS)
        row_low(n);
}

static void let_go(uint8_t n)
{
    if (n < ROWS)
        row_free(n);
}

/* The last half is the one that has begun. */
static uint8_t in_halves(uint8_t us)
{
    return us * 2 + 1;
}

void scan_set_settle(uint8_t us)
{
    scan_settle = in_halves(us);
    settle_given = true;
}

static void wait_to_settle(uint8_t start)
{
    while ((uint8_t)(halves() - start) <= scan_settle)
        ;
}

/* Discharges the columns and times the slowest one's rise; one that stays low for another reason does not count. With
   no row driven: closed contacts join rows to columns, and make no column low. */
static void measure(void)
{
    uint16_t before = 0;
    uint8_t rise = 0, passed, start;
    pull_down();
    start = halves();
    while ((uint8_t)(halves() - start) < 8)
        ;
    before = low_columns();
    pull_up();
    start = halves();
    do {
        uint16_t low = low_columns();
        passed = halves() - start;
        if (low != before)
            rise = passed;
        before = low;
    } while (before && passed < SLOWEST_US * 2);
    /* An eighth more: it varies with the temperature. */
    uint16_t settle = (uint16_t)rise + rise / 8 + 1;
    if (settle < SETTLE_US * 2)
        settle = SETTLE_US * 2;
    if (settle > SLOWEST_US * 2)
        settle = SLOWEST_US * 2;
    scan_settle = (uint8_t)settle + 1;
}

void scan_begin(bool kept)
{
    for (uint8_t n = 0; n < ALL_ROWS; ++n)
        kept &= (held[n] ^ not_held[n]) == 0xffff;
    for (uint8_t n = 0; n < ALL_ROWS && !kept; ++n) {
        held[n] = ghost[n] = 0;
        not_held[n] = 0xffff;
    }
    first_pass = !kept;
    measure();
    drive(row);
    wait_to_settle(halves());
}

/* Three closed corners of a rectangle join its rows and columns: the fourth reads as closed too. A longer way round
   makes every crossing on it read as closed, so that the rectangle is there then as well. */
static bool is_ghost(uint8_t at, uint16_t column)
{
    /* Of two that come together in one row one is the dart and one its ghost, and the wires do not say which: the one
       that is looked at first is taken, for a dart that is reported nowhere would be worse. */
    uint16_t others = reading[at] & held[at] & ~ghost[at] & ~column;
    if (!others || at >= ROWS)
        return false;
    for (uint8_t n = 0; n < ROWS; ++n)
        if (n != at && (reading[n] & column) && (reading[n] & others))
            return true;
    return false;
}

static void hold(uint8_t at, uint16_t column, bool as_ghost)
{
    held[at] |= column;
    not_held[at] = ~held[at];
    if (as_ghost)
        ghost[at] |= column;
}

static void free_contact(uint8_t at, uint16_t column)
{
    held[at] &= ~column;
    not_held[at] = ~held[at];
    ghost[at] &= ~column;
    leaving[at] &= ~column;
}

static void judge_closed(uint8_t at, uint16_t column, uint8_t contact, uint8_t *moment, uint8_t clock)
{
    leaving[at] &= ~column;
    if (!(held[at] & column)) {
        /* At once, on the first look: a contact that rings has touched, and the release is what is waited for. */
        bool as_ghost = is_ghost(at, column);
        if (!edges_put(as_ghost ? GHOST : first_pass ? HELD : CLOSED, contact))
            return;
        hold(at, column, as_ghost);
        *moment = clock;
        scan_ghosts += as_ghost;
    } else if (ghost[at] & column) {
        if (is_ghost(at, column))
            *moment = clock;
        else if ((uint8_t)(clock - *moment) >= scan_release && edges_put(CLOSED, contact))
            ghost[at] &= ~column; /* a corner has opened and this reads as closed without it: a dart after all */
    }
}

static void judge_open(uint8_t at, uint16_t column, uint8_t contact, uint8_t *moment, uint8_t clock)
{
    if (!(leaving[at] & column)) {
        leaving[at] |= column;
        *moment = clock;
    } else if ((uint8_t)(clock - *moment) >= scan_release && edges_put(OPENED, contact)) {
        free_contact(at, column);
    }
}

static void judge(uint8_t at)
{
    uint16_t closed = reading[at];
    if (closed == held[at] && !leaving[at] && !ghost[at])
        return;
    uint8_t contact = at < ROWS ? at << 4 : 0x80;
    uint8_t clock = (uint8_t)(now >> 2);
    uint8_t *moment = since[at];
    for (uint16_t left = closed | held[at], column = 1; left; left >>= 1, column <<= 1, ++contact, ++moment) {
        if (!(left & 1))
            continue;
        if (closed & column)
            judge_closed(at, column, contact, moment, clock);
        else
            judge_open(at, column, contact, moment, clock);
    }
}

bool scan_step(void (*meanwhile)(void))
{
    uint8_t last = row;
    bool end = last == ALL_ROWS - 1;
    reading[last] = !INPUTS || last < ROWS ? low_columns() : low_inputs();
    let_go(last);
    if (end && scan_measure) {
        scan_measure = false;
        if (!settle_given)
            measure();
    }
    row = end ? 0 : last + 1;
    drive(row);
    uint8_t start = halves();
    judge(last);
    if (end)
        first_pass = false;
    meanwhile();
    wait_to_settle(start);
    return end;
}
