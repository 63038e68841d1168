// A Pico under test: rp2040js runs an image, with a matrix of contacts on its pins (`rp2040_wires.mjs`). Commands come as
// lines of JSON on stdin; `run` is answered with the time and the bytes that were sent. Time is virtual, in nanoseconds.
import { readFileSync } from "node:fs";
import { createInterface } from "node:readline";
import { ConsoleLogger, LogLevel, RP2040, USBCDC } from "../../web/node_modules/rp2040js/dist/esm/index.js";
import { Lights } from "./rp2040_lights.mjs";
import { Computer } from "./rp2040_usb.mjs";
import { Wires } from "./rp2040_wires.mjs";

const FLASH = 0x10000000;
const FLASH_BYTES = 2 << 20;
const SERIAL_NUMBER = [0xe6, 0x60, 0x58, 0x38, 0x83, 0x11, 0x22, 0x33];
const TIMER_RAW_LOW = 0x28;
const UART_FIFO = 32;
const CONTROL_FROM_HOST = 0x84;
const AVAILABLE = 1 << 10;

let mcu, cdc, wires, lights, computer, memory, flash;
let started = 0; // when this run of the chip began
let plugged = false;
let hung = false;
let bitten = false;
let booted = "";
let polls = false; // the chip waits for its clock
let sent = []; // bytes, each with the time at which it has left
let frameSent = false;
let lineEnds = []; // when the bytes in the UART leave

const now = () => started + mcu.clock.nanos;

function send(byte, at) {
  sent.push([byte, at]);
  frameSent ||= byte === 0;
}

// ---- the chip and what is soldered to it ----

/** The functions of the boot ROM that the firmware calls, each an instruction that stops here and a return. */
function installRom() {
  const names = ["IF", "EX", "FC", "CX", "RE", "RP", "UB"];
  const rom = new DataView(mcu.bootrom.buffer);
  const stop = (at, code) => {
    rom.setUint16(at, 0xbe00 | code, true);
    rom.setUint16(at + 2, 0x4770, true);
  };
  rom.setUint16(0x14, 0x100, true);
  rom.setUint16(0x18, 0x200 | 1, true);
  stop(0x200, 99);
  names.forEach((_, n) => stop(0x210 + 4 * n, n));
  mcu.onBreak = (code) => {
    const r = mcu.core.registers;
    if (code === 99) {
      const name = String.fromCharCode(r[1] & 255, (r[1] >> 8) & 255);
      if (r[0] !== 0x100 || !names.includes(name)) throw new Error(`the boot ROM is asked for ${name}`);
      r[0] = (0x210 + 4 * names.indexOf(name)) | 1;
    } else if (names[code] === "RE") {
      if (r[0] % 4096 || r[1] % 4096) throw new Error("only whole sectors are erased");
      mcu.flash.fill(0xff, r[0], r[0] + r[1]);
    } else if (names[code] === "RP") {
      if (r[0] % 256 || r[2] % 256) throw new Error("only whole pages are written");
      for (let n = 0; n < r[2]; n++) mcu.flash[r[0] + n] &= mcu.readUint8(r[1] + n);
    } else if (names[code] === "UB") {
      booted = "RPI-RP2";
      hung = true;
    }
  };
}

/** The flash chip while nothing is read through it: it knows one command, "read unique id". */
function installFlashChip() {
  let command = [];
  let answers = [];
  let select = 0;
  mcu.peripherals[0x18000] = {
    readUint32: (offset) => {
      if (offset === 0x28) return 2 | 4 | (answers.length ? 8 : 0);
      return offset === 0x60 ? answers.shift() : 0;
    },
    writeUint32Atomic: (offset, value) => {
      if (offset !== 0x60 || mcu.core.PC < 0x20000100) return;
      command.push(value & 0xff);
      const at = command.length - 6;
      answers.push(command[0] === 0x4b && select === 2 ? (SERIAL_NUMBER[at] ?? 0xff) : 0xff);
    },
  };
  mcu.peripherals[0x40018] = {
    readUint32: (offset) => (offset === 0xc ? select << 8 : 0),
    writeUint32Atomic: (offset, value) => {
      if (offset !== 0xc) return;
      select = (value >> 8) & 3;
      command = [];
    },
  };
}

/** The UART sends at the pace of the line, and takes no more than fits into it: the emulator's own sends at once. */
function installLine() {
  lineEnds = [];
  const uart = mcu.uart[0];
  const byteNs = () => 1e10 / uart.baudRate;
  const waiting = () => {
    while (lineEnds.length && lineEnds[0] <= now()) lineEnds.shift();
    return lineEnds.length;
  };
  const read = uart.readUint32.bind(uart);
  uart.readUint32 = (offset) => (offset === 0x18 && waiting() > UART_FIFO ? read(offset) | (1 << 5) : read(offset));
  uart.onByte = (byte) => {
    if (waiting() > UART_FIFO) return; // lost, as in the chip
    const end = Math.max(now(), lineEnds.at(-1) ?? 0) + byteNs();
    lineEnds.push(end);
    send(byte, end);
  };
}

/** Sees a loop that waits for the clock: the same instruction reads the same microsecond twice. */
function installClock() {
  const timer = mcu.peripherals[0x40054];
  const read = timer.readUint32.bind(timer);
  let lastAt = 0;
  let last = -1;
  timer.readUint32 = (offset) => {
    const value = read(offset);
    if (offset === TIMER_RAW_LOW) {
      polls = value === last && mcu.core.PC === lastAt;
      lastAt = mcu.core.PC;
      last = value;
    }
    return value;
  };
}

/**
 * Sees an endpoint 0 that takes data before a request has asked for it: the data of a later request may come before that
 * request is handled. Each request with a length has one piece from the host: its data, or the empty one behind an answer.
 */
function watchControl() {
  const usb = mcu.usbCtrl;
  const requested = usb.sendSetupPacket.bind(usb);
  const written = usb.DPRAMUpdated.bind(usb);
  let takes = 0;
  usb.sendSetupPacket = (packet) => {
    if (packet[6] | packet[7]) takes++;
    requested(packet);
  };
  usb.DPRAMUpdated = (offset, value) => {
    if (offset === CONTROL_FROM_HOST && value & AVAILABLE && !takes--) throw new Error("takes data before a request");
    written(offset, value);
  };
}

/** Opens the port at 1200 baud and closes it, as a computer does that asks for the boot loader. */
function touch() {
  const usb = mcu.usbCtrl;
  const { onEndpointRead, onEndpointWrite } = usb;
  usb.onEndpointRead = (endpoint, size) =>
    endpoint ? onEndpointRead(endpoint, size) : usb.endpointReadDone(0, new Uint8Array([0xb0, 4, 0, 0, 0, 0, 8]));
  usb.onEndpointWrite = (endpoint, data) => {
    if (endpoint) return onEndpointWrite(endpoint, data);
    usb.onEndpointRead = onEndpointRead;
    usb.onEndpointWrite = onEndpointWrite;
    usb.sendSetupPacket(new Uint8Array([0x21, 0x22, 0, 0, 0, 0, 0, 0])); // no terminal is ready
  };
  usb.sendSetupPacket(new Uint8Array([0x21, 0x20, 0, 0, 0, 0, 7, 0])); // line coding
}

function checksum(data) {
  let crc = 0xffffffff;
  for (const byte of data) {
    crc ^= byte << 24;
    for (let bit = 0; bit < 8; bit++) crc = (crc << 1) ^ (crc & 0x80000000 ? 0x04c11db7 : 0);
  }
  return crc >>> 0;
}

/** Starts the chip as its boot ROM does: the second stage is checked, copied and run. */
function start() {
  started = mcu ? now() : 0;
  mcu = new RP2040();
  mcu.logger = new ConsoleLogger(LogLevel.Error, true);
  mcu.flash.set(flash);
  flash = mcu.flash.subarray(0, FLASH_BYTES);
  mcu.sram.set(memory);
  memory = mcu.sram;
  installRom();
  installFlashChip();
  installLine();
  installClock();
  watchControl();
  lights = new Lights(mcu, now);
  const stage = mcu.flash.subarray(0, 256);
  if (checksum(stage.subarray(0, 252)) !== new DataView(stage.buffer).getUint32(252, true)) throw new Error("checksum");
  mcu.sram.set(stage.subarray(0, 252), 0x41f00);
  mcu.core.PC = mcu.core.SP = 0x20041f00;
  const watchdog = mcu.peripherals[0x40058];
  watchdog.onWatchdogTrigger = () => {
    bitten = true;
    watchdog.alarm.enable = false; // it would come again in the same instant, for ever
  };
  hung = bitten = polls = false;
  booted = "";
  if (plugged) plug();
  wires.solder(mcu, (pin) => lights.drives(pin));
}

/** A computer is at the chip's own USB: bytes go that way. */
function plug() {
  plugged = true;
  cdc = new USBCDC(mcu.usbCtrl);
  computer = new Computer(mcu.usbCtrl);
  cdc.onSerialData = (data) => data.forEach((byte) => send(byte, now()));
}

/** What memory holds when the power comes on. */
const noise = () => new Uint8Array(264 << 10).map((_, at) => (at * 37) & 0xff);

// ---- time ----

/** Runs until a time, or until the chip has sent a whole frame. */
function run(until) {
  while (now() < until && !frameSent) {
    if (hung) {
      mcu.clock.tick(1000);
    } else {
      mcu.clock.tick((mcu.core.executeInstruction() * 1e9) / mcu.clkSys);
      if (polls) {
        // The loop goes round once in each microsecond, and not a dozen times. That alters no result by more than a turn.
        polls = false;
        mcu.clock.tick(1000 - (mcu.clock.nanos % 1000));
      }
    }
    if (wires.rising) wires.rise();
    if (lights.machine.enabled) lights.step();
    if (bitten) start();
  }
}

const commands = {
  /** A new board, with an image in its flash and nothing else. */
  board: (path, riseUs) => {
    mcu = cdc = computer = undefined;
    plugged = false;
    sent = [];
    frameSent = false;
    memory = noise();
    flash = new Uint8Array(FLASH_BYTES).fill(0xff);
    const image = readFileSync(path);
    for (let at = 0; at < image.length; at += 512) {
      const where = image.readUInt32LE(at + 12) - FLASH;
      flash.set(image.subarray(at + 32, at + 32 + image.readUInt32LE(at + 16)), where);
    }
    wires = new Wires();
    wires.riseNs = riseUs * 1000;
    start();
  },
  run: (until) => {
    run(until);
    const { shorts } = wires;
    process.stdout.write(JSON.stringify({ now: now(), sent, shorts, booted, baud: mcu.uart[0].baudRate, lights: lights.take(), answer: computer?.answer }) + "\n");
    sent = [];
    frameSent = false;
  },
  passes: () => {
    process.stdout.write(JSON.stringify(wires.passes) + "\n");
    wires.passes = [];
  },
  closed: (cells) => wires.close(cells),
  pressed: (bits) => wires.press(bits),
  rise: (us) => {
    wires.riseNs = us * 1000;
  },
  byte: (byte) => (plugged ? cdc.sendSerialByte(byte) : mcu.uart[0].feedByte(byte)),
  plug,
  touch,
  request: (setup) => computer.request(setup),
  sleep: (asleep) => computer.sleep(asleep),
  hang: () => {
    hung = true;
  },
  restart: (keep) => {
    if (!keep) memory = noise();
    start();
  },
};

for await (const line of createInterface({ input: process.stdin })) {
  const [name, ...values] = JSON.parse(line);
  commands[name](...values);
}
