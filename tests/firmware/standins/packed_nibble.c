/* A stand-in for boards that say one raw byte, drive line and sense line: deaf for 750 ms, and the byte again while the
   contact is closed. */
#define BAUD 115200UL
#include "standin.h"

int main(void)
{
    begin();
    for (;;) {
        for (uint8_t drive = 0; drive < DRIVES; ++drive) {
            uint16_t closed = look(drive);
            for (uint8_t sense = 0; sense < SENSES; ++sense) {
                if (!(closed >> sense & 1))
                    continue;
                say((char)(drive << 4 | sense));
                pause(750);
                break;
            }
        }
    }
}
