#include "library/oche.h"

int main(void)
{
    oche_begin();
    for (;;)
        oche_step();
}
