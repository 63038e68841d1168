// The packets of MQTT: what is written byte for byte, and that a broker's packets are read whatever pieces they come in.
import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import * as codec from "../src/mqtt/codec";

const text = new TextEncoder();

/** What a broker would send for this: the encoder of the page, which writes the same packet. */
function fromBroker(message: codec.Publish, version: codec.Version): Uint8Array {
  return codec.publish(message, version);
}

const version = fc.constantFrom<codec.Version>(4, 5);
const topic = fc.string({ unit: "grapheme", minLength: 1, maxLength: 40 });
const message = fc
  .record({
    topic,
    payload: fc.uint8Array({ maxLength: 400 }),
    qos: fc.constantFrom<0 | 1>(0, 1),
    retain: fc.boolean(),
    duplicate: fc.boolean(),
    id: fc.integer({ min: 1, max: 65535 }),
  })
  .map(({ id, ...rest }): codec.Publish => (rest.qos ? { ...rest, id } : { ...rest, id: undefined }));

function bytes(...parts: (number[] | Uint8Array)[]): Uint8Array {
  return Uint8Array.from(parts.flatMap((part) => [...part]));
}

test("a CONNECT is as section 3.1 of the standard has it", () => {
  const written = codec.connect({ client: "c", keepAlive: 10, user: "ann", password: "x" }, 5);
  const body = bytes(
    [0, 4],
    text.encode("MQTT"),
    [5, 0b11000010, 0, 10, 0, 0, 1, 99, 0, 3],
    text.encode("ann"),
    [0, 1, 120],
  );
  assert.deepEqual([...written], [0x10, body.length, ...body]);
});

test("a will has its flags, topic and payload", () => {
  const will = { topic: "t", payload: text.encode("x"), qos: 1 as const, retain: true };
  const written = codec.connect({ client: "", keepAlive: 0, will }, 4);
  assert.deepEqual([...written], [0x10, 18, 0, 4, 77, 81, 84, 84, 4, 0b00101110, 0, 0, 0, 0, 0, 1, 116, 0, 1, 120]);
});

test("SUBSCRIBE asks for QoS 1, UNSUBSCRIBE names the topic", () => {
  assert.deepEqual([...codec.subscribe(258, ["a"], 5)], [0x82, 7, 1, 2, 0, 0, 1, 97, 1]);
  assert.deepEqual([...codec.unsubscribe(1, ["a"], 4)], [0xa2, 5, 0, 1, 0, 1, 97]);
});

test("a field of more than 65,535 bytes is refused", () => {
  assert.throws(() => codec.subscribe(1, ["x".repeat(65536)], 5), RangeError);
});

test("every message is read as it was written, in any pieces", () => {
  fc.assert(
    fc.property(
      version,
      fc.array(message, { maxLength: 5 }),
      fc.array(fc.nat(2000), { maxLength: 8 }),
      (v, all, cuts) => {
        const stream = bytes(...all.map((one) => fromBroker(one, v)));
        const reader = new codec.Reader(v);
        const ends = [...cuts.map((cut) => cut % (stream.length + 1)).sort((a, b) => a - b), stream.length];
        const read = ends.flatMap((end, i) => reader.read(stream.slice(ends[i - 1] ?? 0, end)));
        assert.deepEqual(
          read.map((packet) => packet.type === "publish" && { ...packet, payload: [...packet.payload] }),
          all.map((one) => ({ type: "publish", ...one, payload: [...one.payload] })),
        );
      },
    ),
  );
});

test("properties that the page does not know are skipped", () => {
  const reader = new codec.Reader(5);
  const publish = bytes([0x30, 9, 0, 1, 97, 4, 0x02, 0, 0, 0], [33]);
  assert.deepEqual(
    reader.read(publish).map((packet) => packet.type === "publish" && [packet.topic, ...packet.payload]),
    [["a", 33]],
  );
  assert.deepEqual(reader.read(bytes([0x20, 3, 0, 135, 0])), [{ type: "connack", code: 135 }]);
});

test("no bytes make the reader hang, or raise anything but an Error", () => {
  fc.assert(
    fc.property(version, fc.array(fc.uint8Array({ maxLength: 60 }), { maxLength: 6 }), (v, pieces) => {
      const reader = new codec.Reader(v);
      try {
        for (const piece of pieces) reader.read(piece);
      } catch (error) {
        assert.ok(error instanceof Error);
      }
    }),
  );
});

test("a packet that is too large is an error before it has arrived", () => {
  const reader = new codec.Reader(5);
  assert.throws(() => reader.read(Uint8Array.from([0x30, 0xff, 0xff, 0xff, 0x7f])));
  assert.throws(() => new codec.Reader(5).read(Uint8Array.from([0x30, 0xff, 0xff, 0xff, 0xff, 0x7f])));
});
