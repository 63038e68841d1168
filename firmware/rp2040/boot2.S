/* The second stage of the boot: 252 bytes and their CRC, which `uf2.py` fills in. The boot ROM copies them to its memory
   and runs them. They make the flash readable at 0x10000000 with the command that every chip knows (03h), and start what
   stands behind them: a table of vectors. Sources: RP2040 Datasheet, 2.8.1.3.1 and 4.10.11.1. */
    .syntax unified
    .cpu cortex-m0plus
    .thumb
    .section .boot2, "ax"
    .global boot2
boot2:
    ldr r3, =0x18000000     /* the SSI */
    movs r1, #0
    str r1, [r3, #0x08]     /* off, to be set */
    movs r1, #4
    str r1, [r3, #0x14]     /* a quarter of the system's clock */
    ldr r1, =(31 << 16) | (3 << 8)
    str r1, [r3, #0x00]     /* words of 32 bits are read behind a command */
    ldr r1, =(0x03 << 24) | (2 << 8) | (6 << 2)
    ldr r0, =0x180000f4
    str r1, [r0]            /* the command 03h, 8 bits, and 24 bits of address */
    movs r1, #0
    str r1, [r3, #0x04]     /* one word each */
    movs r1, #1
    str r1, [r3, #0x08]     /* on */
    ldr r0, =0x10000100
    ldr r1, =0xe000ed08
    str r0, [r1]            /* the table of vectors */
    ldmia r0!, {r1, r2}
    msr msp, r1
    bx r2
    .pool
    .balign 4
