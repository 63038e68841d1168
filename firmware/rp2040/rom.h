/* Functions of the boot ROM, by two letters: RP2040 Datasheet, 2.8.3. */
#pragma once

#include <stdint.h>

static inline void *rom(char a, char b)
{
    volatile uint16_t *table = (volatile uint16_t *)0x14, *look_up = (volatile uint16_t *)0x18;
    void *(*find)(uint32_t, uint32_t) = (void *(*)(uint32_t, uint32_t))(uintptr_t)*look_up;
    return find(*table, (uint32_t)a | (uint32_t)b << 8);
}
