#include "persistent.h"

#include "chip.h"
#include "rom.h"

/* The flash chip's own number, and a ring of epochs in the last two sectors of its 2 MB. Flash bits only go from 1 to 0,
   so each epoch is the next byte of a sector; a full sector is erased when the other one has the next epoch. */
#define SECTOR 4096u
#define PAGE 256u
#define FIRST (2u * 1024 * 1024 - 2 * SECTOR)
#define FLASH 0x13000000u /* past the cache: it may hold what was there before */
#define NONE 0xff

uint8_t identity[8];

static void flash_exit_xip(void)
{
    ((void (*)(void))rom('I', 'F'))();
    ((void (*)(void))rom('E', 'X'))();
}

static void flash_enter_xip(void)
{
    ((void (*)(void))rom('F', 'C'))();
    ((void (*)(void))rom('C', 'X'))();
}

static void erase(uint32_t at)
{
    flash_exit_xip();
    ((void (*)(uint32_t, uint32_t, uint32_t, uint8_t))rom('R', 'E'))(at, SECTOR, SECTOR, 0x20);
    flash_enter_xip();
}

static void write(uint32_t at, uint8_t byte)
{
    uint8_t page[PAGE];
    for (uint32_t n = 0; n < PAGE; ++n)
        page[n] = NONE;
    page[at % PAGE] = byte;
    flash_exit_xip();
    ((void (*)(uint32_t, const uint8_t *, uint32_t))rom('R', 'P'))(at - at % PAGE, page, PAGE);
    flash_enter_xip();
}

/* How many epochs a sector has. */
static uint32_t count(uint32_t sector)
{
    uint32_t n = 0;
    while (n < SECTOR && ((const volatile uint8_t *)(FLASH + sector))[n] != NONE)
        ++n;
    return n;
}

uint8_t next_epoch(void)
{
    uint32_t here = FIRST, other = FIRST + SECTOR, used = count(here), used_there = count(other);
    if (used_there && (used == 0 || used == SECTOR)) {
        uint32_t swap = here;
        here = other;
        other = swap;
        swap = used;
        used = used_there;
        used_there = swap;
    }
    uint8_t epoch = used ? ((const volatile uint8_t *)(FLASH + here))[used - 1] + 1 : 0;
    if (epoch == NONE)
        epoch = 0;
    if (used < SECTOR) {
        write(here + used, epoch);
        return epoch;
    }
    erase(other);
    write(other, epoch);
    erase(here);
    return epoch;
}

/* Nothing is read from the flash meanwhile (XIP is off): the chip select by hand, a byte out for each byte in. */
void identity_begin(void)
{
    enum { READ_UNIQUE_ID = 0x4b, BEFORE = 5 };
    flash_exit_xip();
    FLASH_SELECT = 2 << 8;
    (void)FLASH_SELECT;
    for (uint32_t n = 0; n < BEFORE + 8; ++n) {
        while (!(SSI_STATUS & SSI_MAY_WRITE))
            ;
        SSI_DATA = n ? 0 : READ_UNIQUE_ID;
        while (!(SSI_STATUS & SSI_MAY_READ))
            ;
        uint8_t byte = (uint8_t)SSI_DATA;
        if (n >= BEFORE)
            identity[n - BEFORE] = byte;
    }
    FLASH_SELECT = 0;
    flash_enter_xip();
}
