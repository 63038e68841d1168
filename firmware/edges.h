/* The edges that were not acknowledged yet. They outlive a reset that is no power cut. */
#pragma once

#include <stdbool.h>
#include <stdint.h>

enum kind { CLOSED = 0, OPENED = 1, GHOST = 2, HELD = 3 };

/* A power of two, and half of what a sequence number can tell apart. */
#define EDGES 128

struct edge {
    uint8_t kind; /* and a check of the rest in the upper six bits */
    uint8_t contact;
    uint8_t time[3];
};

/* Sequence numbers count on through 255 to 0. */
extern uint8_t edges_first; /* the oldest that is kept */
extern uint8_t edges_next;  /* the one that comes next */
extern uint8_t edges_epoch; /* another after each start that lost them */
extern uint16_t edges_waited;
extern uint32_t now; /* ticks of 64 us since the start */

/* True when what was kept is whole, and goes on. */
bool edges_begin(void);

/* Keeps one; false when there is no room, which is counted: the contact is looked at again. */
bool edges_put(enum kind kind, uint8_t contact);

const struct edge *edges_at(uint8_t sequence);

/* All before this one have arrived; false when there is none such. */
bool edges_acknowledge(uint8_t next);
