// A Pico under test: rp2040js runs the image, with a matrix of contacts on its pins. Commands come as lines of JSON on
// stdin; `run` is answered with the time and the bytes that were sent. Time is virtual, in nanoseconds.
import { readFileSync } from "node:fs";
import { createInterface } from "node:readline";

const { ConsoleLogger, GPIOPinState, LogLevel, RP2040, USBCDC } = await import(
  new URL("../../web/node_modules/rp2040js/dist/esm/index.js", import.meta.url)
);

const FLASH = 0x10000000;
const FLASH_BYTES = 2 << 20;
const SERIAL_NUMBER = [0xe6, 0x60, 0x58, 0x38, 0x83, 0x11, 0x22, 0x33];
const ROWS = Array.from({ length: 8 }, (_, n) => 2 + n);
const SENSED = [...Array.from({ length: 13 }, (_, n) => 10 + n), 26, 27, 28];

let mcu, cdc;
let flash = new Uint8Array(FLASH_BYTES).fill(0xff);
let started = 0; // when this run of the chip began
let sent = [];
let hung = false;
let booted = "";

const now = () => started + mcu.clock.nanos;

// ---- the chip and what is soldered to it ----

/** The functions of the boot ROM that the firmware calls, each an instruction that stops here and a return. */
function installRom(memory) {
  const names = ["IF", "EX", "FC", "CX", "RE", "RP", "UB"];
  const rom = new DataView(memory.buffer);
  const stop = (at, code) => {
    rom.setUint16(at, 0xbe00 | code, true);
    rom.setUint16(at + 2, 0x4770, true);
  };
  rom.setUint16(0x14, 0x100, true);
  rom.setUint16(0x18, 0x200 | 1, true);
  stop(0x200, 99);
  names.forEach((_, n) => stop(0x210 + 4 * n, n));
  return (code) => {
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

/** Starts the chip as its boot ROM does: the second stage is checked, copied and run. */
function start(memory) {
  started = mcu ? now() : 0;
  mcu = new RP2040();
  mcu.logger = new ConsoleLogger(LogLevel.Error, true);
  mcu.flash.set(flash);
  flash = mcu.flash.subarray(0, FLASH_BYTES);
  mcu.sram.set(memory);
  mcu.onBreak = installRom(mcu.bootrom);
  installFlashChip();
  const stage = mcu.flash.subarray(0, 256);
  if (checksum(stage.subarray(0, 252)) !== new DataView(stage.buffer).getUint32(252, true)) throw new Error("checksum");
  mcu.sram.set(stage.subarray(0, 252), 0x41f00);
  mcu.core.PC = mcu.core.SP = 0x20041f00;
  mcu.uart[0].onByte = (byte) => sent.push(byte);
  mcu.peripherals[0x40058].onWatchdogTrigger = () => {
    bitten = true;
  };
  hung = bitten = false;
  booted = "";
  cdc = undefined;
  if (plugged) plug();
  wire();
}
let bitten = false;
let plugged = false;
let arrived = [];

function plug() {
  plugged = true;
  cdc = new USBCDC(mcu.usbCtrl);
  cdc.onSerialData = (data) => sent.push(...data);
}

function checksum(data) {
  let crc = 0xffffffff;
  for (const byte of data) {
    crc ^= byte << 24;
    for (let bit = 0; bit < 8; bit++) crc = (crc << 1) ^ (crc & 0x80000000 ? 0x04c11db7 : 0);
  }
  return crc >>> 0;
}

// ---- wires ----

let closed = [];
let pressed = 0;
let riseNs = 10_000;
let nets = []; // for each row the sensed pins that it reaches
let low = 0; // of the sensed pins
let rises = new Map(); // when a pin that is let go is high again
let shorts = 0;

function wire() {
  low = 0xffff;
  rises = new Map();
  for (const pin of SENSED) mcu.gpio[pin].setInputValue(false);
  for (const pin of [...ROWS, ...SENSED]) mcu.gpio[pin].addListener(settle);
  settle();
}

/** For each row the sensed pins that it reaches, by whatever way. */
function join() {
  const groups = [];
  for (const [row, col] of closed) {
    let group = { rows: 1 << row, cols: 1 << col };
    for (const other of groups.filter((g) => g.rows & group.rows || g.cols & group.cols)) {
      groups.splice(groups.indexOf(other), 1);
      group = { rows: group.rows | other.rows, cols: group.cols | other.cols };
    }
    groups.push(group);
  }
  nets = ROWS.map((_, row) => groups.find((g) => (g.rows >> row) & 1)?.cols ?? 0);
  settle();
}

function settle() {
  let wanted = pressed;
  for (let row = 0; row < ROWS.length; row++) {
    const value = mcu.gpio[ROWS[row]].value;
    if (value === GPIOPinState.High) shorts++;
    if (nets[row] && value === GPIOPinState.Low) wanted |= nets[row];
  }
  for (let n = 0; n < SENSED.length; n++) {
    const bit = 1 << n;
    const value = mcu.gpio[SENSED[n]].value;
    if (wanted & bit || value === GPIOPinState.Low) {
      rises.delete(n);
      if (!(low & bit)) show(n, false);
    } else if (low & bit && value === GPIOPinState.InputPullUp) {
      if (!rises.has(n)) rises.set(n, mcu.clock.nanos + riseNs);
    } else {
      rises.delete(n);
    }
    if (value === GPIOPinState.High) shorts++;
  }
}

function show(n, high) {
  low = high ? low & ~(1 << n) : low | (1 << n);
  mcu.gpio[SENSED[n]].setInputValue(high);
}

function rise() {
  for (const [n, at] of rises) {
    if (at <= mcu.clock.nanos) {
      rises.delete(n);
      show(n, true);
    }
  }
}

// ---- time ----

/** Runs until a time, or until the chip has sent something. */
function run(until) {
  while (now() < until && !sent.length) {
    if (hung) {
      mcu.clock.tick(1000);
    } else {
      const cycles = mcu.core.executeInstruction();
      mcu.clock.tick((cycles * 1e9) / mcu.clkSys);
    }
    if (rises.size) rise();
    if (bitten) start(mcu.sram.slice());
  }
}

const commands = {
  run: (until) => {
    run(until);
    const bytes = sent;
    sent = [];
    process.stdout.write(JSON.stringify({ now: now(), bytes, shorts, booted, baud: mcu.uart[0].baudRate }) + "\n");
  },
  closed: (cells) => {
    closed = cells;
    join();
  },
  pressed: (bits) => {
    pressed = bits;
    settle();
  },
  rise: (us) => {
    riseNs = us * 1000;
  },
  byte: (byte) => (plugged ? cdc.sendSerialByte(byte) : mcu.uart[0].feedByte(byte)),
  plug,
  hang: () => {
    hung = true;
  },
  restart: (keep) => start(keep ? mcu.sram.slice() : mcu.sram.map((_, at) => (at * 37) & 0xff)),
};

const image = readFileSync(process.argv[2]);
for (let at = 0; at < image.length; at += 512) {
  const where = image.readUInt32LE(at + 12) - FLASH;
  flash.set(image.subarray(at + 32, at + 32 + image.readUInt32LE(at + 16)), where);
}
start(new Uint8Array(264 << 10).map((_, at) => (at * 37) & 0xff));
for await (const line of createInterface({ input: process.stdin })) {
  const [name, ...values] = JSON.parse(line);
  commands[name](...values);
}
