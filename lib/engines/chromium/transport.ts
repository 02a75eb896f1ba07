import type { ChildProcess } from "node:child_process";
import { Readable, Writable } from "node:stream";
import type { ConnectionTransport } from "puppeteer";

/** More than this in one message is a page that floods the protocol, not a page to print. */
const maxMessageBytes = 256 * 2 ** 20;

/**
 * The DevTools protocol over descriptors 3 (to Chromium) and 4 (from it), as
 * `--remote-debugging-pipe` speaks it: JSON messages, each ended by a NUL byte.
 */
export class PipeTransport implements ConnectionTransport {
  onmessage?: (message: string) => void;
  onclose?: () => void;
  readonly #toBrowser: Writable;
  readonly #onFlood: () => void;
  #pending: Buffer[] = [];
  #pendingBytes = 0;

  constructor(child: ChildProcess, onFlood: () => void) {
    const [toBrowser, fromBrowser] = [child.stdio[3], child.stdio[4]];
    if (!(toBrowser instanceof Writable) || !(fromBrowser instanceof Readable)) {
      throw new Error("Chromium was started without its two protocol pipes");
    }
    this.#toBrowser = toBrowser;
    this.#onFlood = onFlood;
    fromBrowser.on("data", (chunk: Buffer) => this.#receive(chunk));
    fromBrowser.on("close", () => this.onclose?.());
    // A browser that has ended is reported by "close"; a broken pipe says nothing more.
    fromBrowser.on("error", () => {});
    toBrowser.on("error", () => {});
  }

  send(message: string): void {
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
      // One message a turn, as from a socket: Puppeteer's own continuations run in between.
      setImmediate(() => this.onmessage?.(message));
    }
    if (start === chunk.length) return;
    this.#pending.push(chunk.subarray(start));
    this.#pendingBytes += chunk.length - start;
    if (this.#pendingBytes > maxMessageBytes) this.#onFlood();
  }
}
