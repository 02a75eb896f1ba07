import { db, notify } from "#lib/db/client.ts";
import { listen } from "#lib/db/listen.ts";
import { JobError } from "#lib/errors.ts";
import { log } from "#lib/log.ts";
import { callSchema, channelOf, type ReplyMessage, serializeMessage } from "./messages.ts";

/** A function that other processes call. Its result is JSON of less than 7 KB. */
export type CallHandler = (options: unknown, signal: AbortSignal) => Promise<unknown>;

export interface AnsweredCalls {
  /** Takes no more calls, and resolves when the current ones have ended. */
  stop(): Promise<void>;
}

/** After this time, callers are notified that a call was received. They wait four times as long for it. */
const receivedMs = 500;

/** Answers the calls that other processes send to the runner `runnerId`, until stopped. */
export async function answerCalls(
  runnerId: string,
  handlers: Readonly<Record<string, CallHandler>>,
): Promise<AnsweredCalls> {
  const current = new Map<string, { cancel: AbortController; ended: Promise<void> }>();

  function receive(payload: string): void {
    const message = callSchema.parse(JSON.parse(payload));
    if (message.kind === "cancel") {
      current.get(message.id)?.cancel.abort();
      return;
    }
    const { id, from, name, options } = message;
    const cancel = new AbortController();
    const ended = respond({ id, from, name, options, signal: cancel.signal })
      .catch((err) => log.error({ err, call: name }, "call not answered"))
      .finally(() => current.delete(id));
    current.set(id, { cancel, ended });
  }

  async function respond(call: {
    readonly id: string;
    readonly from: string;
    readonly name: string;
    readonly options: unknown;
    readonly signal: AbortSignal;
  }): Promise<void> {
    const { id, from, name, options, signal } = call;
    const send = (reply: ReplyMessage) => notify(db(), channelOf(from), serializeMessage(reply));
    const handler = handlers[name];
    if (!handler) return;
    let received: Promise<void> | undefined;
    // A call that ends before needs no message of its own.
    const timer = setTimeout(() => {
      received = send({ kind: "received", id });
      // If it fails, the caller asks another runner, and then this one's reply is of no use.
      received.catch(() => {});
    }, receivedMs);
    let reply: ReplyMessage;
    try {
      reply = { kind: "result", id, result: await handler(options, signal) };
    } catch (error) {
      reply = { kind: "error", id, ...describeError(error) };
      if (reply.code === "internal" && !signal.aborted) {
        log.error({ err: error, call: name }, "call failed");
      }
    }
    clearTimeout(timer);
    await received;
    await send(reply);
  }

  const stopListening = await listen(channelOf(runnerId), receive);
  return {
    async stop() {
      await stopListening();
      await Promise.all([...current.values()].map(({ ended }) => ended));
    },
  };
}

function describeError(error: unknown): { code: string; message: string } {
  if (error instanceof JobError) return { code: error.code, message: error.message };
  return { code: "internal", message: "" };
}
