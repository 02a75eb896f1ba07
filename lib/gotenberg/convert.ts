import type { KeyCaller } from "#lib/api/definition/access.ts";
import { requireConfirmedEmail } from "#lib/api/http/callers/authorize.ts";
import { createId } from "#lib/ids.ts";
import { discardStagedUpload, stageUpload } from "#lib/jobs/accept/staged-uploads.ts";
import { inputKey } from "#lib/jobs/storage-keys.ts";
import { readRateState, requireRateBelowLimit } from "#lib/quotas/rate-limit.ts";
import { currentTrace } from "#lib/tracing/spans.ts";
import type { GotenbergCall } from "./call.ts";
import { downloadFiles } from "./form/download-files.ts";
import { type FormTarget, type ReceivedForm, readForm } from "./form/read-form.ts";
import type { GotenbergRoute } from "./plan/routes.ts";
import { requestedName } from "./requested-name.ts";
import { countRejected } from "./run/count-rejected.ts";
import { type Delivery, deliveryOf } from "./run/deliver.ts";
import { runRoute } from "./run/run-route.ts";
import { deliverLater, deliverNow } from "./webhooks/deliver.ts";
import { readWebhook, type Webhook } from "./webhooks/read-webhook.ts";

export type Answer =
  /** Call `release` when the file has been sent. */
  | {
      readonly kind: "file";
      readonly delivery: Delivery;
      readonly release?: () => Promise<void>;
    }
  | { readonly kind: "json"; readonly value: unknown }
  /** The result is sent to a webhook. */
  | { readonly kind: "accepted" };

/** What a request asks for. */
interface Received {
  readonly route: GotenbergRoute;
  readonly path: string;
  readonly form: ReceivedForm;
  /** The id of the staged upload of its files. */
  readonly staged: string;
}

/** Receives the form of a request, runs its plan and returns the answer. Throws `GotenbergError` and others. */
export async function convert(
  { route, path }: Pick<Received, "route" | "path">,
  caller: KeyCaller,
  call: GotenbergCall,
): Promise<Answer> {
  const { context, settings, trace } = call;
  const { request } = context;
  requireConfirmedEmail(caller.account);
  requireRateBelowLimit(await readRateState(caller.account));
  const staged = createId("job");
  await stageUpload(staged);
  const keyOf = (number: number) => inputKey(staged, `form-${number}`);
  const target: FormTarget = { account: caller.account, keyOf, maxBytes: settings.maxBodyBytes };
  /** Whether the files are no longer this request's: they belong to a job, or are used later. */
  let isDetached = false;
  let hasJob = false;
  const onJob = (id: string) => {
    hasJob = true;
    isDetached ||= id === staged;
    call.onJob(id);
  };
  try {
    const form = await readForm(request, target);
    context.record.body = {
      encoding: "multipart",
      fields: Object.fromEntries(form.values),
      files: [...form.files.values()].map(({ field, stored }) => ({
        field,
        filename: stored.filename,
        bytes: stored.bytes,
      })),
    };
    const { endsAt, signal } = requester(caller, call);
    const downloads = { ...target, firstNumber: 10_000, signal, endsAt };
    const headers = { [settings.traceHeader.toLowerCase()]: trace, ...currentTrace() };
    await downloadFiles(form, downloads, settings, headers);
    const webhook = readWebhook(request.headers, settings);
    if (webhook) {
      isDetached = true;
      await sendToWebhook(webhook, { route, path, form, staged }, caller, call);
      return { kind: "accepted" };
    }
    const conversion = { route, form, keyOf };
    const result = await runRoute(
      conversion,
      { ...requester(caller, call), staged, onJob },
      settings,
    );
    if (result.kind === "json") return result;
    const delivery = deliveryOf(result.outputs, requestedName(request));
    if (isDetached) return { kind: "file", delivery };
    isDetached = true;
    return { kind: "file", delivery, release: () => discardStagedUpload(staged) };
  } catch (error) {
    if (!hasJob) await countRejected(caller.account, error);
    throw error;
  } finally {
    if (!isDetached) await discardStagedUpload(staged);
  }
}

function requester({ account, apiKeyId }: KeyCaller, call: GotenbergCall) {
  const { context, settings, startedAt } = call;
  const { request, requestId } = context;
  const endsAt = startedAt + settings.timeoutMs;
  return { account, apiKeyId, requestId, endsAt, signal: request.signal };
}

async function sendToWebhook(
  webhook: Webhook,
  { path, form, staged }: Received,
  { account, apiKeyId }: KeyCaller,
  { context, settings, trace }: GotenbergCall,
): Promise<void> {
  const { request, requestId } = context;
  const call = {
    id: staged,
    accountId: account.id,
    apiKeyId,
    requestId,
    path,
    form,
    requested: requestedName(request),
    webhook,
    correlation: {
      header: settings.traceHeader,
      id: trace,
      traceparent: readTraceparent(request.headers),
    },
  };
  await (settings.webhooks.isSynchronous ? deliverNow : deliverLater)(call, settings);
}

/** The caller's trace, if it is valid (W3C Trace Context). */
function readTraceparent(headers: Headers): string | undefined {
  const value = headers.get("traceparent") ?? "";
  return /^[\da-f]{2}-[\da-f]{32}-[\da-f]{16}-[\da-f]{2}$/.test(value) ? value : undefined;
}
