/* CRC-16/IBM-3740: see PROTOCOL.md. */
#pragma once

#include <stdint.h>

#ifdef __AVR__
#include <util/crc16.h>
#define crc_step _crc_xmodem_update
#else
static inline uint16_t crc_step(uint16_t crc, uint8_t byte)
{
    crc ^= (uint16_t)(byte << 8);
    for (uint8_t bit = 0; bit < 8; ++bit)
        crc = (uint16_t)(crc << 1 ^ (crc & 0x8000 ? 0x1021 : 0));
    return crc;
}
#endif
