// The client against a real mosquitto: MQTT_URL is the daemon's WebSocket.
import assert from "node:assert/strict";
import { test } from "node:test";
import { type Message, MqttClient } from "../src/mqtt/client";
import type { Version } from "../src/mqtt/codec";

const { MQTT_URL: open } = process.env;

interface Heard {
  client: MqttClient;
  /** Resolves when a message with this topic has come. */
  message(topic: string): Promise<Message>;
}

function connected(url: string, version: Version, topics: string[]): Promise<Heard> {
  const messages: Message[] = [];
  let look = () => {};
  return new Promise((resolve) => {
    const client: MqttClient = new MqttClient(url, {
      version,
      onConnect: () =>
        client.subscribe(topics, () =>
          resolve({
            client,
            message: (topic) =>
              new Promise((found) => {
                look = () => {
                  const one = messages.find((each) => each.topic === topic);
                  if (one) found(one);
                };
                look();
              }),
          }),
        ),
      onClose: () => {},
      onMessage: (message) => {
        messages.push(message);
        look();
      },
    });
  });
}

for (const version of [4, 5] as const) {
  test(`version ${version}: subscribes, publishes and hears`, { skip: open === undefined }, async () => {
    const { client, message } = await connected(open as string, version, [`page/${version}/+`]);
    client.publish(`page/${version}/one`, "äöü");
    client.publish(`page/${version}/two`, "x".repeat(20000), 0);
    const [one, two] = [await message(`page/${version}/one`), await message(`page/${version}/two`)];
    assert.equal(new TextDecoder().decode(one.payload), "äöü");
    assert.equal(two.payload.length, 20000);
    assert.deepEqual([one.retain, two.retain], [false, false]);
    client.end();
  });
}
