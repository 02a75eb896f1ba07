import type { IncomingMessage } from "node:http";
import { Readable } from "node:stream";
import { incompleteBody } from "#lib/api/http/body.ts";

/**
 * The body of a message of Node's HTTP server, which may be left unread. To destroy the message itself
 * would close the connection before the error response is sent.
 */
export class MessageBody extends Readable {
  readonly #message: IncomingMessage;

  constructor(message: IncomingMessage) {
    super();
    this.#message = message;
    message.on("data", this.#onData).on("end", this.#onEnd);
    message.on("error", this.#onError).on("aborted", this.#onError);
    // Paused until the first read.
    message.pause();
    if (message.readableEnded) this.#onEnd();
    if (message.errored) this.#onError(message.errored);
  }

  readonly #onData = (chunk: Buffer) => {
    if (!this.push(chunk)) this.#message.pause();
  };

  readonly #onEnd = () => {
    this.push(null);
  };

  readonly #onError = (cause?: unknown) => {
    this.destroy(incompleteBody(cause));
  };

  override _read(): void {
    this.#message.resume();
  }

  override _destroy(error: Error | null, done: (error: Error | null) => void): void {
    const message = this.#message.off("data", this.#onData).off("end", this.#onEnd);
    message.off("aborted", this.#onError).off("error", this.#onError);
    // A later failure of the connection has no other listener.
    message.on("error", () => {});
    if (!message.readableEnded) message.pause();
    done(error);
  }
}
