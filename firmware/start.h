/* What a boot loader leaves behind: it jumps without a reset. */
#pragma once

/* Makes every pin an input without pull-up, and stops what drives pins or interrupts. */
void start_clean(void);
