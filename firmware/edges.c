#include "edges.h"

#include "chip.h"
#include "persistent.h"

#define WHOLE 0x6f636865 /* "oche" */

static struct edge edges[EDGES] KEPT;
static uint32_t whole KEPT;
static uint8_t not_first KEPT, not_next KEPT, not_epoch KEPT;

uint8_t edges_first KEPT, edges_next KEPT, edges_epoch KEPT;
uint32_t now KEPT;
uint16_t edges_waited;

static uint8_t check(const struct edge *edge)
{
    uint8_t kind = edge->kind & 3;
    uint8_t sum = edge->contact ^ (uint8_t)(kind << 6 | kind << 2);
    for (uint8_t n = 0; n < 3; ++n)
        sum = (uint8_t)(sum << 1 | sum >> 7) ^ edge->time[n];
    return (uint8_t)((sum ^ sum >> 3) << 2 ^ 0xa8) | kind;
}

static bool all_whole(void)
{
    if (whole != WHOLE || (edges_first ^ not_first) != 0xff || (edges_next ^ not_next) != 0xff)
        return false;
    if ((edges_epoch ^ not_epoch) != 0xff || (uint8_t)(edges_next - edges_first) > EDGES)
        return false;
    for (uint8_t n = edges_first; n != edges_next; ++n)
        if (edges[n % EDGES].kind != check(&edges[n % EDGES]))
            return false;
    return true;
}

bool edges_begin(void)
{
    if (all_whole())
        return true;
    edges_epoch = next_epoch();
    not_epoch = ~edges_epoch;
    edges_first = edges_next = 0;
    not_first = not_next = 0xff;
    now = 0;
    whole = WHOLE;
    return false;
}

bool edges_put(enum kind kind, uint8_t contact)
{
    static bool full;
    if ((uint8_t)(edges_next - edges_first) == EDGES) {
        edges_waited += !full;
        full = true;
        return false;
    }
    full = false;
    struct edge *edge = &edges[edges_next % EDGES];
    edge->contact = contact;
    edge->time[0] = (uint8_t)now;
    edge->time[1] = (uint8_t)(now >> 8);
    edge->time[2] = (uint8_t)(now >> 16);
    edge->kind = kind;
    edge->kind = check(edge);
    not_next = ~++edges_next;
    return true;
}

const struct edge *edges_at(uint8_t sequence)
{
    return &edges[sequence % EDGES];
}

bool edges_acknowledge(uint8_t next)
{
    if ((uint8_t)(next - edges_first) > (uint8_t)(edges_next - edges_first))
        return false;
    edges_first = next;
    not_first = ~next;
    return true;
}
