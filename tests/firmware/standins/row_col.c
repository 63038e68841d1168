/* A stand-in for boards that say `3,7`, the sense line and the drive line: deaf for 500 ms after each line, and what is
   still closed is said again. */
#define BAUD 115200UL
#include "standin.h"

int main(void)
{
    begin();
    say_text("OpenDarts\r\n");
    for (;;) {
        for (uint8_t drive = 0; drive < DRIVES; ++drive) {
            uint16_t closed = look(drive);
            for (uint8_t sense = 0; sense < SENSES; ++sense) {
                if (!(closed >> sense & 1))
                    continue;
                say_number(sense);
                say(',');
                say_number(drive);
                say_text("\r\n");
                pause(500);
                break;
            }
        }
    }
}
