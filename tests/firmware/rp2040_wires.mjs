// The matrix on the pins of an emulated Pico: closed contacts join rows and columns, a pin is low when anything on its
// net drives it low, and one that is let go rises after a time. Masks have a bit for each row, or for each sensed pin.
import { GPIOPinState } from "../../web/node_modules/rp2040js/dist/esm/index.js";

const ROWS = Array.from({ length: 8 }, (_, n) => 2 + n);
const SENSED = [...Array.from({ length: 13 }, (_, n) => 10 + n), 26, 27, 28];
const ALL = (1 << SENSED.length) - 1;

export class Wires {
  riseNs = 10_000;
  shorts = 0;
  rising = 0;
  passes = []; // how long each took, from row 0 to row 0, in ns
  #passAt = undefined;
  #nets = ROWS.map(() => 0); // for each row the sensed pins that it reaches
  #pressed = 0;
  #lowRows = 0;
  #driven = 0; // of the sensed pins those that the chip drives low
  #pulled = 0; // and those with a pull-up
  #low = ALL;
  #riseAt = SENSED.map(() => 0);

  /** Solders a chip that has just been given power: every sensed pin is at 0 V. A pin of a light may be driven high. */
  solder(mcu, isLight) {
    this.mcu = mcu;
    this.#lowRows = this.#driven = this.#pulled = this.rising = 0;
    this.#low = ALL;
    this.#passAt = undefined;
    ROWS.forEach((pin, n) => {
      mcu.gpio[pin].addListener((state) => {
        if (state === GPIOPinState.High) this.shorts++;
        if (n === 0 && state === GPIOPinState.Low) this.#pass();
        this.#lowRows = state === GPIOPinState.Low ? this.#lowRows | (1 << n) : this.#lowRows & ~(1 << n);
        this.#settle();
      });
    });
    SENSED.forEach((pin, n) => {
      const bit = 1 << n;
      mcu.gpio[pin].setInputValue(false);
      mcu.gpio[pin].addListener((state) => {
        if (state === GPIOPinState.High && !isLight(pin)) this.shorts++;
        this.#driven = state === GPIOPinState.Low ? this.#driven | bit : this.#driven & ~bit;
        this.#pulled = state === GPIOPinState.InputPullUp ? this.#pulled | bit : this.#pulled & ~bit;
        this.#settle();
      });
    });
  }

  #pass() {
    const at = this.mcu.clock.nanos;
    if (this.#passAt !== undefined) this.passes.push(at - this.#passAt);
    this.#passAt = at;
  }

  press(bits) {
    this.#pressed = bits;
    this.#settle();
  }

  /** Closes these contacts and no others: [row, column] each. */
  close(cells) {
    let groups = [];
    for (const [row, col] of cells) {
      let group = { rows: 1 << row, cols: 1 << col };
      const joins = (other) => other.rows & group.rows || other.cols & group.cols;
      const joined = groups.filter(joins);
      groups = groups.filter((other) => !joins(other));
      for (const other of joined) group = { rows: group.rows | other.rows, cols: group.cols | other.cols };
      groups.push(group);
    }
    this.#nets = ROWS.map((_, row) => groups.find((group) => (group.rows >> row) & 1)?.cols ?? 0);
    this.#settle();
  }

  /** Raises what has had its time. */
  rise() {
    for (let n = 0; n < SENSED.length; n++) {
      const bit = 1 << n;
      if (!(this.rising & bit) || this.#riseAt[n] > this.mcu.clock.nanos) continue;
      this.rising &= ~bit;
      this.#low &= ~bit;
      this.mcu.gpio[SENSED[n]].setInputValue(true);
    }
  }

  #settle() {
    let wanted = this.#pressed | this.#driven;
    for (let row = 0; row < ROWS.length; row++) if ((this.#lowRows >> row) & 1) wanted |= this.#nets[row];
    const falls = wanted & ~this.#low;
    if (falls) {
      this.#low |= falls;
      SENSED.forEach((pin, n) => {
        if ((falls >> n) & 1) this.mcu.gpio[pin].setInputValue(false);
      });
    }
    const free = this.#low & ~wanted & this.#pulled;
    const begins = free & ~this.rising;
    if (begins) {
      const at = this.mcu.clock.nanos + this.riseNs;
      for (let n = 0; n < SENSED.length; n++) if ((begins >> n) & 1) this.#riseAt[n] = at;
    }
    this.rising = free;
  }
}
