/* The registers of the RP2040 that are used. Source: RP2040 Datasheet, build date 2025-02-20. */
#pragma once

#include <stdint.h>

#define REGISTER(address) (*(volatile uint32_t *)(address))
/* The same register at two more addresses: what is written there sets or clears its bits. */
#define SET_BITS(address) REGISTER((address) + 0x2000)
#define CLEAR_BITS(address) REGISTER((address) + 0x3000)

/* 2.14 */
#define RESETS 0x4000c000
#define RESETS_DONE REGISTER(RESETS + 8)
enum {
    RESET_DMA = 1 << 2,
    RESET_IO_BANK0 = 1 << 5,
    RESET_PADS_BANK0 = 1 << 8,
    RESET_PIO0 = 1 << 10,
    RESET_PLL_SYS = 1 << 12,
    RESET_PLL_USB = 1 << 13,
    RESET_TIMER = 1 << 21,
    RESET_UART0 = 1 << 22,
    RESET_USB = 1 << 24,
};

/* 2.15, 2.16, 2.18 */
#define CLOCK_REF REGISTER(0x40008030)
#define CLOCK_REF_SELECTED REGISTER(0x40008038)
#define CLOCK_SYS REGISTER(0x4000803c)
#define CLOCK_SYS_SELECTED REGISTER(0x40008044)
#define CLOCK_PERI REGISTER(0x40008048)
#define CLOCK_USB REGISTER(0x40008054)
#define XOSC_CONTROL REGISTER(0x40024000)
#define XOSC_STATUS REGISTER(0x40024004)
#define XOSC_STARTUP REGISTER(0x4002400c)
#define PLL_SYS 0x40028000
#define PLL_USB 0x4002c000

/* 2.19, 2.3.1 */
#define PIN_CONTROL(pin) REGISTER(0x40014004 + 8 * (pin))
#define PAD(pin) REGISTER(0x4001c004 + 4 * (pin))
enum { BY_UART = 2, BY_SIO = 5, BY_PIO = 6 };
enum { PAD_SCHMITT = 1 << 1, PAD_PULL_UP = 1 << 3, PAD_4_MA = 1 << 4, PAD_INPUT = 1 << 6 };
#define PINS_IN REGISTER(0xd0000004)
#define PINS_HIGH REGISTER(0xd0000014)
#define PINS_LOW REGISTER(0xd0000018)
#define PINS_DRIVEN REGISTER(0xd0000024)
#define PINS_FREE REGISTER(0xd0000028)

/* 4.6, 4.7 */
#define TIMER_US REGISTER(0x40054028)
#define WATCHDOG_CONTROL REGISTER(0x40058000)
#define WATCHDOG_LOAD REGISTER(0x40058004)
#define WATCHDOG_TICK REGISTER(0x4005802c)

/* 4.2 */
#define UART_DATA REGISTER(0x40034000)
#define UART_FLAGS REGISTER(0x40034018)
#define UART_WHOLE REGISTER(0x40034024)
#define UART_PARTS REGISTER(0x40034028)
#define UART_FORMAT REGISTER(0x4003402c)
#define UART_CONTROL REGISTER(0x40034030)
enum { UART_EMPTY = 1 << 4, UART_FULL = 1 << 5 };

/* 3.7: the first state machine of the first PIO */
#define PIO 0x50200000
#define PIO_CONTROL REGISTER(PIO)
#define PIO_FIFO (PIO + 0x10)
#define PIO_PROGRAM(line) REGISTER(PIO + 0x48 + 4 * (line))
#define PIO_DIVISOR REGISTER(PIO + 0xc8)
#define PIO_WRAP REGISTER(PIO + 0xcc)
#define PIO_SHIFT REGISTER(PIO + 0xd0)
#define PIO_RUN REGISTER(PIO + 0xd8)
#define PIO_PINS REGISTER(PIO + 0xdc)
enum { PIO_PULLS = 1 << 17 };

/* 2.5: the first channel */
#define DMA_FROM REGISTER(0x50000000)
#define DMA_TO REGISTER(0x50000004)
#define DMA_COUNT REGISTER(0x50000008)
#define DMA_CONTROL REGISTER(0x5000000c)
enum {
    DMA_BUSY = 1 << 24,
    DMA_TO_PIO = 1 << 21 | 0 << 15 | 0 << 11 | 1 << 4 | 2 << 2 | 1 << 0, /* quiet, paced by the FIFO, words, enabled */
};

/* 4.10, 2.19: the flash chip while nothing is run from it */
#define SSI_STATUS REGISTER(0x18000028)
#define SSI_DATA REGISTER(0x18000060)
enum { SSI_MAY_WRITE = 1 << 1, SSI_MAY_READ = 1 << 3 };
#define FLASH_SELECT REGISTER(0x4001800c)

#define VECTORS REGISTER(0xe000ed08)
