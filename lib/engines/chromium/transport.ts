import type { Writable } from "node:stream";
import type { ConnectionTransport } from "puppeteer";
import type { ForkedProcess } from "../sandbox/fork-server/forked-process.ts";

/** The largest protocol message; only a malicious page causes a larger one. */
const maxMessageBytes = 256 * 2 ** 20;

/**
 * The DevTools protocol over descriptors 3 (to Chromium) and 4 (from it), as
 * `--remote-debugging-pipe` uses it: JSON messages that end with a NUL byte.
 */
export class PipeTransport implements ConnectionTransport {
  onmessage?: (message: string) => void;
  onclose?: () => void;
  readonly #toBrowser: Writable;
  readonly #onTooLarge: () => void;
  #pending: Buffer[] = [];
  #pendingBytes = 0;

  constructor(child: ForkedProcess, onTooLarge: () => void) {
    const toBrowser = child.stdio[3];
    const fromBrowser = child.stdio[4];
    if (!toBrowser || !fromBrowser) {
      throw new Error("Chromium was started without its two protocol pipes");
    }
    this.#toBrowser = toBrowser;
    this.#onTooLarge = onTooLarge;
    fromBrowser.on("data", (chunk: Buffer) => this.#receive(chunk));
    fromBrowser.on("close", () => this.onclose?.());
    // The exit of the browser is reported by "close", so errors of the pipes are ignored.
    fromBrowser.on("error", () => {});
    toBrowser.on("error", () => {});
  }

  /** Messages of the same turn of the event loop are written together, because a write takes longer than all else here. */
  send(message: string): void {
    if (this.#toBrowser.writableCorked === 0) {
      this.#toBrowser.cork();
      process.nextTick(() => this.#toBrowser.uncork());
    }
    this.#toBrowser.write(`${message}\0`);
  }

  close(): void {
    this.#toBrowser.end();
  }

  #receive(chunk: Buffer): void {
    let start = 0;
    for (let end = chunk.indexOf(0); end !== -1; end = chunk.indexOf(0, start)) {
      const message = Buffer.concat([...this.#pending, chunk.subarray(start, end)]).toString();
      this.#pending = [];
      this.#pendingBytes = 0;
      start = end + 1;
      // One message per event loop turn, as with a socket, so that Puppeteer's callbacks run in
      // between.
      setImmediate(() => this.onmessage?.(message));
    }
    if (start === chunk.length) return;
    this.#pending.push(chunk.subarray(start));
    this.#pendingBytes += chunk.length - start;
    if (this.#pendingBytes > maxMessageBytes) this.#onTooLarge();
  }
}
