/* A stand-in for boards that say `20;3`: one line, then deaf until the contact opens, and for at least 200 ms. */
#define BAUD 9600UL
#include "standin.h"

static void say_bed(uint8_t n)
{
    if (n > 61) {
        say_text("NULL\r\n");
        return;
    }
    say_number(n < 60 ? n / 3 + 1 : 25);
    say(';');
    say_number(n < 60 ? n % 3 + 1 : n - 59);
    say_text("\r\n");
}

int main(void)
{
    begin();
    for (;;) {
        for (uint8_t drive = 0; drive < DRIVES; ++drive) {
            uint16_t closed = look(drive);
            for (uint8_t sense = 0; sense < SENSES; ++sense) {
                if (!(closed >> sense & 1))
                    continue;
                say_bed(drive * SENSES + sense);
                pause(200);
                while (look(drive) >> sense & 1)
                    ;
                break;
            }
        }
    }
}
