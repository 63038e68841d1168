/* The chip that this is built for, and its pins. */
#pragma once

#include <avr/io.h>
#include <stdint.h>

#if defined(__AVR_ATmega328P__)
#include "parts/atmega328p.h"
#elif defined(__AVR_ATmega2560__)
#include "parts/atmega2560.h"
#elif defined(__AVR_ATmega32U4__)
#include "parts/atmega32u4.h"
#else
#error "there is no pin map for this part; write one in parts/"
#endif

#if ROWS > 8 || COLS > 16 || INPUTS > 16
#error "a contact is four bits of row and four of column: at most 8 rows, 16 columns and 16 inputs"
#endif
