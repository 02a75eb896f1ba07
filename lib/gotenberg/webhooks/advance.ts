import { setTimeout as wait } from "node:timers/promises";
import { db } from "#lib/db/client.ts";
import { findAccount } from "#lib/db/queries/accounts/accounts.ts";
import { toBase62 } from "#lib/ids.ts";
import { inputKey } from "#lib/jobs/storage-keys.ts";
import { log } from "#lib/log.ts";
import { hmac } from "#lib/service-secret.ts";
import { GotenbergError } from "../base/errors.ts";
import type { GotenbergSettings } from "../base/settings.ts";
import type { FormContent } from "../form/form.ts";
import { routes } from "../plan/routes.ts";
import { InterruptedError } from "../run/caller.ts";
import { countRejected } from "../run/count-rejected.ts";
import { deliveryOf } from "../run/deliver.ts";
import { toGotenbergError } from "../run/explain-failure.ts";
import type { PlanOutput } from "../run/run-plan.ts";
import { runRoute } from "../run/run-route.ts";
import type { Webhook } from "./read-webhook.ts";
import {
  attemptWebhook,
  type Correlation,
  jsonRequest,
  resultRequest,
  type WebhookRequest,
} from "./send.ts";

/** A request whose result is sent to a webhook. */
export interface WebhookCall {
  /** Also that of the staged upload of its files. */
  readonly id: string;
  readonly accountId: string;
  readonly apiKeyId: string;
  readonly requestId: string;
  /** The path of the route. */
  readonly path: string;
  readonly form: FormContent;
  /** The name that the client wants for the result. */
  readonly requested: string;
  readonly webhook: Webhook;
  readonly correlation: Correlation;
}

type CallError = Pick<GotenbergError, "status" | "message">;

/** What remains to be done. `attempts` have failed. */
export type CallState =
  | { readonly phase: "convert" }
  | { readonly phase: "result"; readonly attempts: number; readonly outputs: readonly PlanOutput[] }
  | { readonly phase: "error"; readonly attempts: number; readonly error: CallError }
  /** Without an error, the event of success. */
  | { readonly phase: "event"; readonly attempts: number; readonly error?: CallError | undefined };

export interface CallContext {
  readonly settings: GotenbergSettings;
  /** Aborted when another process takes over, or shall do so. */
  readonly signal: AbortSignal;
}

/**
 * Does the next step of a call: its conversion, or one attempt to send, and the pause after one that failed. Returns
 * what remains, undefined for nothing. Throws `InterruptedError` when the signal is aborted.
 */
export async function advance(
  call: WebhookCall,
  state: CallState,
  context: CallContext,
): Promise<CallState | undefined> {
  if (context.signal.aborted) throw new InterruptedError();
  if (state.phase === "convert") return convertFor(call, context);
  const { requested, webhook, correlation } = call;
  if (state.phase === "result") {
    const delivery = deliveryOf(state.outputs, requested);
    const failure = await send(resultRequest(webhook, delivery, correlation), state, context);
    if (failure === "again") return { ...state, attempts: state.attempts + 1 };
    if (failure === undefined) return { phase: "event", attempts: 0 };
    log.warn(
      { err: failure, trace: correlation.id },
      "webhook of Gotenberg's API was not delivered",
    );
    return failed(toGotenbergError(failure));
  }
  const next: CallState | undefined =
    state.phase === "error" ? { phase: "event", attempts: 0, error: state.error } : undefined;
  const request = state.phase === "error" ? errorRequest(call, state) : eventRequest(call, state);
  if (!request) return next;
  const failure = await send(request, state, context);
  if (failure === "again") return { ...state, attempts: state.attempts + 1 };
  if (failure !== undefined) {
    log.warn({ err: failure, trace: correlation.id }, "event of Gotenberg's API was not delivered");
  }
  return next;
}

const failed = ({ status, message }: CallError): CallState => ({
  phase: "error",
  attempts: 0,
  error: { status, message },
});

async function convertFor(
  call: WebhookCall,
  { settings, signal }: CallContext,
): Promise<CallState> {
  const { id, accountId, apiKeyId, requestId, path, form } = call;
  const route = routes.get(path);
  const account = await findAccount(db(), accountId);
  if (!route || !account) throw new Error(`webhook call ${id} has no route or account`);
  let hasJob = false;
  const caller = {
    account,
    apiKeyId,
    requestId,
    endsAt: Date.now() + settings.timeoutMs,
    signal,
    onJob: () => {
      hasJob = true;
    },
    staged: id,
    jobIdAt: (place: string) => jobIdAt(id, place),
  };
  const keyOf = (number: number) => inputKey(id, `form-${number}`);
  try {
    const result = await runRoute({ route, form, keyOf }, caller, settings);
    if (result.kind === "files") return { phase: "result", attempts: 0, outputs: result.outputs };
  } catch (error) {
    if (error instanceof InterruptedError || signal.aborted) throw new InterruptedError();
    if (!hasJob) await countRejected(account, error);
    return failed(toGotenbergError(error));
  }
  return failed(
    new GotenbergError(
      400,
      "The webhook middleware can only work with multipart/form-data routes that results in output files",
    ),
  );
}

/** The id of a job, which each process finds again: that of the call with other random characters. */
function jobIdAt(callId: string, place: string): string {
  const digits = hmac("jobs of Gotenberg's webhooks", `${callId} ${place}`);
  const random = [0, 12].map((start) =>
    toBase62(Number.parseInt(digits.slice(start, start + 11), 16), 8).slice(-8),
  );
  return `${callId.slice(0, "job_".length + 8)}${random.join("")}`;
}

function errorRequest(
  { webhook, correlation }: WebhookCall,
  { error }: CallState & { phase: "error" },
): WebhookRequest | undefined {
  const { errorUrl: url, errorMethod: method } = webhook;
  return url ? jsonRequest(webhook, { url, method }, error, correlation) : undefined;
}

function eventRequest(
  { webhook, correlation }: WebhookCall,
  { error }: CallState & { phase: "event" },
): WebhookRequest | undefined {
  const { eventsUrl: url } = webhook;
  if (!url) return undefined;
  const event = error ? "webhook.error" : "webhook.success";
  const timestamp = new Date().toISOString();
  const value = { event, correlationId: correlation.id, timestamp, ...(error ? { error } : {}) };
  return jsonRequest(webhook, { url, method: "POST" }, value, correlation);
}

/** Makes one attempt. Resolves with `again` after the pause before the next one, and with the error after the last. */
async function send(
  request: WebhookRequest,
  { attempts }: { readonly attempts: number },
  { settings, signal }: CallContext,
): Promise<unknown> {
  const { retries, minWaitMs, maxWaitMs } = settings.webhooks;
  const failure = await attemptWebhook(request, settings);
  if (!failure) return undefined;
  if (!failure.isTemporary || attempts >= retries) return failure.error;
  // The state is stored after an interrupted pause, too.
  await wait(Math.min(maxWaitMs, minWaitMs * 2 ** attempts), undefined, { signal }).catch(() => {});
  return "again";
}
