/* A stand-in for boards that say one character when a contact opens, and look at one contact at a time. They look every
   10 ms, as keypad libraries do, so that a contact that touches once more 80 ms later is said twice. */
#define BAUD 9600UL
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
                do
                    pause(10);
                while (look(drive) >> sense & 1);
                say((char)('!' + drive * SENSES + sense));
                break;
            }
        }
    }
}
