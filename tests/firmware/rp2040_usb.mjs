// What a computer does at the USB of an emulated Pico besides its serial line: requests, and sleep.

const IN_BUFFERS = 0x80; // of endpoint 0; the next one's is 8 behind
const DATA = 2;
const AVAILABLE = 1 << 10;
const STALL = 1 << 11;
const SUSPENDED = 1 << 4;
const RESUMED = 1 << 11;

export class Computer {
  answer = undefined; // to the last request: bytes, or "stall"
  #asleep = false;
  #waits = undefined; // what the chip has for a computer that sleeps

  constructor(usb) {
    this.usb = usb;
    this.written = usb.DPRAMUpdated.bind(usb);
    usb.DPRAMUpdated = (offset, value) => {
      if (offset === IN_BUFFERS && value & STALL) this.answer = "stall";
      const isData = offset === IN_BUFFERS + 8 * DATA;
      if (isData) this.#waits = undefined;
      if (isData && this.#asleep && value & AVAILABLE) this.#waits = [offset, value];
      else this.written(offset, value);
    };
  }

  /** Sends a request that has no data. Its answer comes as the chip runs. */
  request(setup) {
    this.answer = undefined;
    const { onEndpointWrite } = this.usb;
    this.usb.onEndpointWrite = (endpoint, data) => {
      if (endpoint) return onEndpointWrite(endpoint, data);
      this.usb.onEndpointWrite = onEndpointWrite;
      this.answer = [...data];
    };
    this.usb.sendSetupPacket(new Uint8Array(setup));
  }

  /** Fetches nothing from now on, and the bus is suspended; or it wakes, and fetches what waits. */
  sleep(asleep) {
    this.#asleep = asleep;
    this.usb.sieStatus = asleep ? this.usb.sieStatus | SUSPENDED : (this.usb.sieStatus & ~SUSPENDED) | RESUMED;
    if (!asleep && this.#waits) this.written(...this.#waits);
    this.#waits = undefined;
  }
}
