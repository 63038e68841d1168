#include "chip.h"

extern uint32_t data_begin[], data_end[], bss_begin[], bss_end[], stack_end[];
extern const uint32_t data_stored[];

int main(void);

/* The compiler calls it, and there is no library here. */
__attribute__((optimize("no-tree-loop-distribute-patterns"))) void *memset(void *to, int byte, unsigned size)
{
    for (uint8_t *at = to; size; --size)
        *at++ = (uint8_t)byte;
    return to;
}

/* In flash, and called by nothing but the boot. */
__attribute__((section(".start"), noreturn, used)) static void start(void)
{
    const uint32_t *from = data_stored;
    for (uint32_t *to = data_begin; to != data_end; ++to)
        *(volatile uint32_t *)to = *from++;
    for (uint32_t *to = bss_begin; to != bss_end; ++to)
        *(volatile uint32_t *)to = 0;
    main();
    for (;;)
        ;
}

/* A fault waits for the watchdog. */
__attribute__((section(".start"), noreturn, used)) static void fault(void)
{
    for (;;)
        ;
}

/* No interrupt is ever enabled: everything is looked at between two rows. */
__attribute__((section(".vectors"), used)) static const void *const vectors[] = {
    stack_end, (const void *)start, (const void *)fault, (const void *)fault,
};

static void take_out_of_reset(uint32_t parts)
{
    CLEAR_BITS(RESETS) = parts;
    while ((RESETS_DONE & parts) != parts)
        ;
}

/* `times` 12 MHz, divided by both. */
static void pll_begin(uint32_t pll, uint32_t times, uint32_t by, uint32_t and_by)
{
    REGISTER(pll) = 1;
    REGISTER(pll + 8) = times;
    CLEAR_BITS(pll + 4) = 1 << 5 | 1 << 0; /* the oscillator, and the whole, are powered */
    while (!(REGISTER(pll) >> 31))
        ;
    REGISTER(pll + 0xc) = by << 16 | and_by << 12;
    CLEAR_BITS(pll + 4) = 1 << 3; /* and the dividers */
}

static void clocks_begin(void)
{
    XOSC_STARTUP = 47; /* 1 ms in 256 cycles */
    XOSC_CONTROL = 0xfab << 12 | 0xaa0;
    while (!(XOSC_STATUS >> 31))
        ;
    CLOCK_REF = 2; /* the crystal */
    while (CLOCK_REF_SELECTED != 1 << 2)
        ;
    CLOCK_SYS = 0;
    while (CLOCK_SYS_SELECTED != 1 << 0)
        ;
    SET_BITS(RESETS) = RESET_PLL_SYS | RESET_PLL_USB;
    take_out_of_reset(RESET_PLL_SYS | RESET_PLL_USB);
    pll_begin(PLL_SYS, 125, 6, 2); /* 125 MHz */
    pll_begin(PLL_USB, 100, 5, 5); /* 48 MHz */
    CLOCK_SYS = 1;
    while (CLOCK_SYS_SELECTED != 1 << 1)
        ;
    CLOCK_PERI = 1 << 11;
    CLOCK_USB = 1 << 11;
    WATCHDOG_TICK = 1 << 9 | 12; /* a us */
}

enum {
    USED_PARTS = RESET_DMA | RESET_IO_BANK0 | RESET_PADS_BANK0 | RESET_PIO0 | RESET_TIMER | RESET_UART0 | RESET_USB,
};

void chip_begin(void)
{
    /* The boot ROM starts the chip with it on when it starts it again. */
    WATCHDOG_CONTROL = 0;
    clocks_begin();
    SET_BITS(RESETS) = USED_PARTS;
    take_out_of_reset(USED_PARTS);
    PINS_FREE = PINS_LOW = 0x3fffffff;
    for (uint32_t pin = FIRST_ROW; pin <= 28; ++pin) {
        if (pin >= 23 && pin <= 24)
            continue; /* the power supply's */
        PAD(pin) = PAD_INPUT | PAD_SCHMITT | PAD_4_MA | (SENSED_PINS >> pin & 1 ? PAD_PULL_UP : 0);
        PIN_CONTROL(pin) = BY_SIO;
    }
    PINS_DRIVEN = 1ul << LAMP_PIN;
}
