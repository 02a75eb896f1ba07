import { db, notify } from "#lib/db/client.ts";
import { listen } from "#lib/db/listen.ts";
import { listAnsweringRunners } from "#lib/db/queries/jobs/runners.ts";
import { JobError, type JobErrorCode, jobErrorFault, RequestError } from "#lib/errors.ts";
import { createToken } from "#lib/ids.ts";
import { channelOf, replySchema, serializeMessage } from "./messages.ts";

/** A runner that is alive has received a call long before. */
const receiveMs = 2000;

/** How often a runner is called. On a machine with much other work, a live runner may miss the first call. */
const maxTries = 2;

/** How long the list of runners is used. */
const runnersMs = 2000;

export interface Call {
  /** The name of the function; the runner must have a handler for it. */
  readonly name: string;
  /** The engine that the runner must have. */
  readonly engine: string;
  /** JSON of less than 7 KB. */
  readonly options: unknown;
  readonly timeoutMs: number;
  readonly signal?: AbortSignal | undefined;
}

interface OpenCall {
  received(): void;
  succeed(result: unknown): void;
  fail(error: Error): void;
}

/** Thrown for a runner that did not receive a call; another one may. */
class NotReceivedError extends Error {}

const openCalls = new Map<string, OpenCall>();
/** Calls that each runner works on for this process. */
const load = new Map<string, number>();
const ownId = createToken();

let listening: Promise<unknown> | undefined;
let runners:
  | { readonly at: number; readonly list: ReturnType<typeof listAnsweringRunners> }
  | undefined;

/**
 * Calls a function in the live media runner that works on the fewest calls of this process, and returns
 * its result, which the caller must validate. A runner that does not respond is passed over, and called once more
 * if no other responds. Throws the function's `JobError`, and `RequestError` `unavailable` if no runner can take
 * the call.
 */
export async function callRunner(call: Call): Promise<unknown> {
  await startListening();
  const passedOver = new Set<string>();
  for (let tries = 1; ; ) {
    call.signal?.throwIfAborted();
    const runner = await chooseRunner(call.engine, passedOver);
    if (!runner) {
      if (passedOver.size === 0 || tries === maxTries) throw unavailable();
      tries++;
      passedOver.clear();
      continue;
    }
    try {
      return await callOne(runner, call);
    } catch (error) {
      if (!(error instanceof NotReceivedError)) throw error;
      passedOver.add(runner);
    }
  }
}

async function chooseRunner(
  engine: string,
  passedOver: ReadonlySet<string>,
): Promise<string | undefined> {
  if (!runners || Date.now() - runners.at > runnersMs) {
    runners = { at: Date.now(), list: listAnsweringRunners(db()) };
    runners.list.catch(() => {
      runners = undefined;
    });
  }
  const suitable = (await runners.list).filter(
    ({ id, engines }) => engines[engine] && !passedOver.has(id),
  );
  if (suitable.length === 0) runners = undefined;
  const loadOf = ({ id }: { id: string }) => load.get(id) ?? 0;
  return suitable.sort((one, other) => loadOf(one) - loadOf(other))[0]?.id;
}

async function callOne(runner: string, call: Call): Promise<unknown> {
  const { name, options, signal, timeoutMs } = call;
  const id = createToken();
  const { promise, resolve, reject } = Promise.withResolvers<unknown>();
  const receiveTimer = setTimeout(() => reject(new NotReceivedError()), receiveMs);
  const timer = setTimeout(() => reject(new CallTimeoutError()), timeoutMs);
  const abort = () => reject(signal?.reason);
  signal?.addEventListener("abort", abort, { once: true });
  openCalls.set(id, {
    received: () => clearTimeout(receiveTimer),
    succeed: resolve,
    fail: reject,
  });
  load.set(runner, (load.get(runner) ?? 0) + 1);
  let isAnswered = false;
  let sent: Promise<void> | undefined;
  try {
    const message = serializeMessage({ kind: "call", id, from: ownId, name, options });
    sent = notify(db(), channelOf(runner), message);
    // The call is given up in time even if the database does not respond.
    const result = await Promise.race([promise, sent.then(() => promise)]);
    isAnswered = true;
    return result;
  } catch (error) {
    isAnswered = error instanceof JobError;
    throw error;
  } finally {
    clearTimeout(receiveTimer);
    clearTimeout(timer);
    signal?.removeEventListener("abort", abort);
    openCalls.delete(id);
    load.set(runner, (load.get(runner) ?? 1) - 1);
    if (load.get(runner) === 0) load.delete(runner);
    if (!isAnswered) {
      // After the call, also if that is still on its way: a runner ignores what it does not know.
      const cancel = () =>
        notify(db(), channelOf(runner), serializeMessage({ kind: "cancel", id }));
      sent?.then(cancel).catch(() => {});
    }
  }
}

/** The function took longer than its caller waits. */
export class CallTimeoutError extends Error {
  override readonly name = "CallTimeoutError";
}

function startListening(): Promise<unknown> {
  listening ??= listen(channelOf(ownId), receive, failOpenCalls).catch((error) => {
    listening = undefined;
    throw error;
  });
  return listening;
}

/** After a reconnection, replies may be lost. */
function failOpenCalls(): void {
  for (const call of openCalls.values()) call.fail(new NotReceivedError());
}

function receive(payload: string): void {
  const reply = replySchema.parse(JSON.parse(payload));
  const call = openCalls.get(reply.id);
  if (!call) return;
  if (reply.kind === "received") call.received();
  else if (reply.kind === "result") call.succeed(reply.result);
  else call.fail(toError(reply.code, reply.message));
}

function toError(code: string, message: string): Error {
  const isKnown = Object.hasOwn(jobErrorFault, code) && code !== "internal";
  // `isKnown` has checked it.
  return isKnown
    ? new JobError(code as JobErrorCode, message)
    : new Error("a call failed in a runner");
}

function unavailable(): RequestError {
  return new RequestError("unavailable", "No media runner is ready. Try again in a few seconds.", {
    headers: { "Retry-After": "5" },
  });
}
