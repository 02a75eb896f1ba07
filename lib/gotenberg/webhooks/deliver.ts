import { db } from "#lib/db/client.ts";
import {
  claimWebhookCalls,
  deleteWebhookCall,
  type HeldCall,
  holdWebhookCall,
  insertWebhookCall,
} from "#lib/db/queries/requests/gotenberg-webhook-calls.ts";
import type { WebhookCallRow } from "#lib/db/schema/gotenberg/webhook-calls.ts";
import { createToken } from "#lib/ids.ts";
import { discardStagedUpload } from "#lib/jobs/accept/staged-uploads.ts";
import { log } from "#lib/log.ts";
import { beforeExit, stoppingSignal } from "#lib/stopping.ts";
import { times } from "#times";
import { type GotenbergSettings, gotenbergSettings } from "../base/settings.ts";
import { InterruptedError } from "../run/caller.ts";
import { advance, type CallState, type WebhookCall } from "./advance.ts";
import { restoreRequest, restoreState, storeRequest, storeState } from "./stored-call.ts";

/** Calls that one process takes over at once. */
const maxClaimed = 10;

/** Processes that may work on a call: more have probably crashed because of it. */
const maxHolders = 20;

const converting: CallState = { phase: "convert" };

/** Converts and sends while the client waits, who sends the request again if this process stops. */
export async function deliverNow(call: WebhookCall, settings: GotenbergSettings): Promise<void> {
  const context = { settings, signal: new AbortController().signal };
  try {
    let state: CallState | undefined = converting;
    while (state) state = await advance(call, state, context);
  } finally {
    await discardStagedUpload(call.id);
  }
}

/** Stores the call, so that it survives this process, and begins to work on it. */
export async function deliverLater(call: WebhookCall, settings: GotenbergSettings): Promise<void> {
  const { id, accountId } = call;
  const held = { id, holder: createToken() };
  const stored = { request: storeRequest(call), state: storeState(id, converting) };
  await insertWebhookCall(db(), { ...held, accountId, ...stored }, times.leaseSeconds);
  work(held, call, converting, settings);
}

/** Calls of this process. */
const running = new Set<Promise<void>>();

function work(held: HeldCall, call: WebhookCall, state: CallState, settings: GotenbergSettings) {
  const done = continueCall(held, call, state, settings)
    .catch((err) => log.error({ err, trace: call.correlation.id }, "webhook call interrupted"))
    .finally(() => running.delete(done));
  running.add(done);
}

/**
 * Works on a call until nothing remains, or until this process stops or has lost it. What it throws, such as an error
 * of the database, is left to the next process.
 */
async function continueCall(
  held: HeldCall,
  call: WebhookCall,
  first: CallState,
  settings: GotenbergSettings,
): Promise<void> {
  const lost = new AbortController();
  const hold = async (seconds: number, state?: CallState) => {
    const stored = state && storeState(call.id, state);
    if (!(await holdWebhookCall(db(), held, seconds, stored))) lost.abort();
  };
  const renewal = setInterval(() => {
    hold(times.leaseSeconds).catch((err) => log.warn({ err }, "webhook call was not held"));
  }, times.renewSeconds * 1000);
  const signal = AbortSignal.any([lost.signal, stoppingSignal()]);
  try {
    let state: CallState | undefined = first;
    while (state) {
      state = await advance(call, state, { settings, signal });
      if (state) await hold(times.leaseSeconds, state);
    }
    await deleteWebhookCall(db(), held);
    await discardStagedUpload(call.id);
  } catch (error) {
    if (!(error instanceof InterruptedError)) throw error;
    if (!lost.signal.aborted) await hold(0);
  } finally {
    clearInterval(renewal);
  }
}

/** Continues calls of processes that have stopped, now and from now on. */
export function startContinuingCalls(): void {
  const timer = setInterval(() => void continueCalls(), times.recoveryMs).unref();
  void continueCalls();
  beforeExit(async () => {
    clearInterval(timer);
    await Promise.all(running);
  });
}

/** Continues calls that no process works on. */
export async function continueCalls(): Promise<void> {
  if (stoppingSignal().aborted) return;
  const holder = createToken();
  const options = { seconds: times.leaseSeconds, limit: maxClaimed };
  try {
    for (const row of await claimWebhookCalls(db(), holder, options)) await continueStored(row);
  } catch (err) {
    log.warn({ err }, "stored webhook calls were not read");
  }
}

async function continueStored(row: WebhookCallRow): Promise<void> {
  const settings = gotenbergSettings();
  const fields = { job: row.id, holders: row.holders };
  try {
    if (row.holders > maxHolders) throw new Error("too many processes have worked on it");
    work(row, restoreRequest(row), restoreState(row), settings);
    log.info(fields, "webhook call continued");
  } catch (err) {
    log.error({ ...fields, err }, "webhook call given up");
    await deleteWebhookCall(db(), row);
  }
}
