// The lights of an emulated Pico: a ring of WS2812 on GP28, a plain LED on GP27, and the board's own lamp on GP25.
// The emulator runs its PIO in real time and without delays: here its state machine keeps to the chip's clock.
import { GPIOPinState } from "../../web/node_modules/rp2040js/dist/esm/index.js";

const RING = 28;
const LAMPS = [25, 27];
const LATCH_NS = 280_000;
// The bounds that the data sheets of WS2812, WS2812B and SK6812 have in common, in ns.
const HIGH_0 = [220, 380];
const HIGH_1 = [580, 1000];
const LOW_LEAST = 220;

export class Lights {
  frames = []; // [ns, colours]: what a ring shows, each LED as 24 bits, green first
  lamps = []; // [ns, pin, whether it is lit]
  #colours = [];
  #bits = 0;
  #count = 0;
  #rose = undefined;
  #fell = -LATCH_NS;
  #base = 0; // when the state machine's cycle 0 was

  constructor(mcu, now) {
    this.mcu = mcu;
    this.now = now;
    this.pio = mcu.pio[0];
    this.machine = this.pio.machines[0];
    this.pio.run = () => {
      this.#base = mcu.clock.nanos;
      this.machine.cycles = 0;
    };
    mcu.gpio[RING].addListener((state) => this.#edge(state === GPIOPinState.High));
    for (const pin of LAMPS)
      mcu.gpio[pin].addListener((state) => this.lamps.push([now(), pin, state === GPIOPinState.High]));
  }

  /** Whether the pin is the chip's to drive high. */
  drives(pin) {
    return pin === RING ? this.machine.enabled : LAMPS.includes(pin);
  }

  get cycleNs() {
    return ((this.machine.clockDivInt + this.machine.clockDivFrac / 256) * 1e9) / this.mcu.clkSys;
  }

  /** Runs the state machine up to the chip's time. */
  step() {
    const { machine, pio } = this;
    if (!machine.enabled || (machine.waiting && machine.txFIFO.empty)) {
      if (this.#bits === 0 && this.#colours.length && this.mcu.clock.nanos - this.#fell > LATCH_NS) this.#latch();
      return;
    }
    const cycleNs = this.cycleNs;
    if (machine.waiting) this.#base = this.mcu.clock.nanos - machine.cycles * cycleNs;
    while (this.#base + machine.cycles * cycleNs <= this.mcu.clock.nanos) {
      this.at = this.#base + machine.cycles * cycleNs;
      machine.step();
      pio.checkChangedPins();
      if (machine.waiting) return;
    }
  }

  #edge(high) {
    if (!this.machine.enabled) return;
    if (high) {
      if (this.at - this.#fell < LOW_LEAST) throw new Error(`low for ${this.at - this.#fell} ns`);
      this.#rose = this.at;
      return;
    }
    if (this.#rose === undefined) return; // the pin has become an output
    const length = this.at - this.#rose;
    const within = ([least, most]) => length >= least && length <= most;
    if (!within(HIGH_0) && !within(HIGH_1)) throw new Error(`high for ${length} ns`);
    this.#rose = undefined;
    this.#fell = this.at;
    this.#count = this.#count * 2 + (within(HIGH_1) ? 1 : 0);
    if (++this.#bits < 24) return;
    this.#colours.push(this.#count);
    this.#count = this.#bits = 0;
  }

  #latch() {
    this.frames.push([this.now(), this.#colours]);
    this.#colours = [];
  }

  take() {
    const { frames, lamps } = this;
    this.frames = [];
    this.lamps = [];
    return { frames, lamps };
  }
}
