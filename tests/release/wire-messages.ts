/** The messages of PostgreSQL's protocol, version 3, in one direction of a connection. */
export class MessageReader {
  readonly #onMessage: (type: string, body: Buffer) => void;
  /** The first message of a client has no type. */
  #isStart: boolean;
  #left: Buffer = Buffer.alloc(0);

  constructor(isClient: boolean, onMessage: (type: string, body: Buffer) => void) {
    this.#isStart = isClient;
    this.#onMessage = onMessage;
  }

  push(chunk: Buffer): void {
    let data = Buffer.concat([this.#left, chunk]);
    while (true) {
      const typeBytes = this.#isStart ? 0 : 1;
      if (data.length < typeBytes + 4) break;
      const end = typeBytes + data.readInt32BE(typeBytes);
      if (data.length < end) break;
      const type = data.toString("latin1", 0, typeBytes);
      if (!this.#isStart) this.#onMessage(type, data.subarray(5, end));
      this.#isStart = false;
      data = data.subarray(end);
    }
    this.#left = data;
  }
}

/** The text at `start`, which ends with a zero, and the position after it. */
export function readText(body: Buffer, start: number): [text: string, next: number] {
  const end = body.indexOf(0, start);
  return [body.toString("utf8", start, end), end + 1];
}
