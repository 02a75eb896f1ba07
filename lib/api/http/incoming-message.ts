import { Readable } from "node:stream";
import { RequestError } from "#lib/errors.ts";
import { markTemporary } from "#lib/files/temporary-memory.ts";
import { requestIdHeader } from "./request-id.ts";

/** The web server emits this on a message whose body arrives too slowly, also for copies of this module. */
export const bodyTimeoutEvent = Symbol.for("mediamill.bodyTimeout");
export const bodyTimeoutMessage = "The body of the request took too long to arrive.";

/** A request as the web server received it. */
interface IncomingMessage extends Readable {
  /** Whether all of the body has arrived. */
  readonly complete: boolean;
}

/**
 * The way from a request of a route handler to the message of the web server that it was made from. Its
 * body is read from there: the web stream of the request would copy every chunk, at several times the
 * cost of all other work on it. Global, because the routes and the web server load their own copy of
 * this module.
 */
const messages = Object.assign(globalThis, {
  mediamillMessages: Reflect.get(globalThis, "mediamillMessages") ?? new Map(),
}).mediamillMessages as Map<string, IncomingMessage>; // only this module sets it

/** Makes `message` available to the routes until its connection closes or its response ends. */
export function registerMessage(id: string, message: IncomingMessage): void {
  messages.set(id, message);
  message.once("close", () => messages.delete(id));
}

/**
 * Calls `listener` once the response of a request has been sent or its connection is closed. Returns false if another
 * server runs the routes: then it is never called.
 */
export function onResponseEnd(request: Request, listener: () => void): boolean {
  const message = messages.get(request.headers.get(requestIdHeader) ?? "");
  if (message?.destroyed) listener();
  else message?.once("close", listener);
  return message !== undefined;
}

/**
 * The body of a request as a stream, from the web server's message. It may be left unread. Undefined if
 * another server runs the routes.
 */
export function messageBody(request: Request): Readable | undefined {
  const message = messages.get(request.headers.get(requestIdHeader) ?? "");
  return message && new MessageBody(message);
}

/** Of at most 64 KiB each. */
const maxWaitingChunks = 16;

/**
 * Its chunks are marked as temporary. They are its objects, because a stream of bytes would join those that wait into
 * a new one, whose memory only the garbage collector finds. Destroying it does not close the connection, so that an
 * error response can still be sent.
 */
class MessageBody extends Readable {
  readonly #message: IncomingMessage;
  #attached = false;

  constructor(message: IncomingMessage) {
    super({ objectMode: true, highWaterMark: maxWaitingChunks });
    this.#message = message;
  }

  override _read(): void {
    if (this.#attached) {
      this.#message.resume();
      return;
    }
    this.#attached = true;
    const message = this.#message;
    if (message.destroyed && !message.complete) {
      this.#fail();
      return;
    }
    message.on("data", this.#push).on("end", this.#end);
    message.on("error", this.#fail).on("close", this.#fail);
    message.on(bodyTimeoutEvent, this.#timeOut);
  }

  override _destroy(error: Error | null, done: (error: Error | null) => void): void {
    const message = this.#message;
    message.off("data", this.#push).off("end", this.#end).off("close", this.#fail).pause();
    message.off(bodyTimeoutEvent, this.#timeOut);
    // The listener for "error" stays: without one, a connection that breaks later ends the process.
    done(error);
  }

  readonly #push = (chunk: Buffer) => {
    if (!this.push(markTemporary(chunk))) this.#message.pause();
  };

  readonly #end = () => {
    this.push(null);
  };

  readonly #timeOut = () => {
    const headers = { Connection: "close" };
    this.destroy(new RequestError("request_timeout", bodyTimeoutMessage, { headers }));
  };

  readonly #fail = (cause?: unknown) => {
    if (this.readableEnded || this.#message.readableEnded) return;
    const message = "The body of the request is incomplete.";
    this.destroy(new RequestError("invalid_request", message, { cause }));
  };
}
