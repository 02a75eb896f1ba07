import { expect, it } from "vitest";
import { TlsMessageCounter } from "#lib/net/proxy/tls-records.ts";

const record = (type: number, content: number) =>
  Buffer.concat([
    Buffer.from([type, 3, 3, content >> 8, content & 255]),
    Buffer.alloc(content, 23),
  ]);

/** A handshake, a change of the cipher, and five messages. */
const connection = Buffer.concat([
  record(22, 517),
  record(20, 1),
  record(23, 300),
  record(23, 0),
  record(23, 16_640),
  record(23, 1),
  record(23, 90),
]);

it.each([1, 2, 3, 7, 100, 1000, connection.length])(
  "counts the messages of a connection that arrives in chunks of %i bytes",
  (size) => {
    const counter = new TlsMessageCounter();
    let messages = 0;
    for (let at = 0; at < connection.length; at += size) {
      messages += counter.add(connection.subarray(at, at + size));
    }
    expect(messages).toBe(5);
  },
);

it("counts nothing of another protocol", () => {
  const counter = new TlsMessageCounter();
  expect(counter.add(Buffer.from("GET / HTTP/1.1\r\n\r\n"))).toBe(0);
  expect(counter.add(connection)).toBe(0);
});
