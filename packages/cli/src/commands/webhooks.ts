import { createHash } from "node:crypto";
import type { JobEvent, JobEventType } from "../../../sdk/src/index.ts";
import { UsageError } from "../errors.ts";
import { type ExitCode, exitCodes } from "../exit-codes.ts";
import { createClient } from "../settings/client.ts";
import type { Settings } from "../settings/settings.ts";
import { notify, printJson, printLine } from "../terminal/print.ts";
import { type ForwardResult, forwardEvent, receiverUrl } from "../webhooks/forward.ts";
import { sampleJob } from "../webhooks/sample-event.ts";
import { signingSecret } from "../webhooks/sign.ts";

interface ListenFlags {
  readonly forwardTo?: string;
  readonly types: string;
  readonly lastEventId?: string;
  readonly secret?: string;
  readonly json?: boolean;
}

/**
 * Runs `mediamill listen`, which forwards each event once and in order, across lost connections,
 * until Ctrl-C.
 */
export async function listen(settings: Settings, flags: ListenFlags): Promise<ExitCode> {
  const client = createClient(settings);
  const target = flags.forwardTo === undefined ? undefined : receiverUrl(flags.forwardTo);
  const secret = await signingSecret(flags.secret);
  let isReady = false;
  let isLost = false;
  const onPosition = () => {
    if (isLost) notify("Connected again.");
    isLost = false;
    if (isReady) return;
    isReady = true;
    notify(`Ready. Receiving ${flags.types}${target ? `, sending to ${target}` : ""}.`);
    if (target) notify(`Signing secret: ${secret}`);
  };
  // A connection that is closed now and then is nothing to report.
  const onReconnect = (failures: number) => {
    if (failures === 0 || isLost) return;
    isLost = true;
    notify(`${settings.baseUrl} cannot be reached. Trying again until Ctrl-C.`);
  };
  const events = client.events({
    // The service checks the types.
    types: flags.types.split(",") as JobEventType[],
    onPosition,
    onReconnect,
    ...(flags.lastEventId ? { lastEventId: flags.lastEventId } : {}),
  });
  for await (const event of events) {
    const id = webhookId(event);
    const { type, job } = event;
    const result = target ? await forwardEvent(target, secret, id, { type, data: job }) : undefined;
    show(event, id, result, flags.json ?? false);
  }
  return exitCodes.ok;
}

/** The same for every attempt of the same event. Progress has no id of its own. */
function webhookId({ id, type, job }: JobEvent): string {
  const text = [id, type, job.id, type === "job.progress" ? job.progress : ""].join(" ");
  return `evt_${createHash("sha256").update(text).digest("hex").slice(0, 24)}`;
}

function show(
  { id, type, job }: JobEvent,
  webhook: string,
  result: ForwardResult | undefined,
  isJson: boolean,
): void {
  if (isJson) {
    const forwarded = result && { webhook_id: webhook, status: result.status, ms: result.ms };
    printJson({ id, type, job, ...(forwarded ? { forwarded } : {}) }, true);
  } else {
    const response = result ? `→ ${result.status ?? "no response"} (${result.ms} ms)` : "";
    const time = new Date().toISOString().slice(11, 19);
    printLine([time, type.padEnd(13), job.id, job.operation, response].join("  ").trimEnd());
  }
  if (result?.error) notify(`${job.id}: the receiver did not respond: ${result.error}`);
}

/** Runs `mediamill trigger`, which sends a sample event to a receiver. */
export async function trigger(
  { baseUrl }: Settings,
  type: string,
  { forwardTo, secret }: { readonly forwardTo: string; readonly secret?: string },
): Promise<ExitCode> {
  const data = sampleJob(type, baseUrl);
  const target = receiverUrl(forwardTo);
  const key = await signingSecret(secret);
  const id = `evt_${data.id.slice(4)}`;
  const { status, ms, error } = await forwardEvent(target, key, id, { type, data });
  notify(`Signed with ${key}`);
  printLine(`${type}  ${data.id}  → ${status ?? `no response: ${error}`} (${ms} ms)`);
  return status !== null && status < 300 ? exitCodes.ok : exitCodes.failed;
}

/** Runs `mediamill resend`, which sends a delivery again. */
export async function resend(
  settings: Settings,
  id: string,
  { json }: { readonly json?: boolean },
): Promise<void> {
  if (!/^whd_[0-9A-Za-z]{24}$/.test(id)) {
    throw new UsageError(`${id} is not the id of a delivery, which starts with whd_.`);
  }
  const path = `/v1/webhooks/deliveries/${id}/resend`;
  const response = await createClient(settings).request(path, { method: "POST" });
  const delivery = (await response.json()) as { readonly url: string };
  if (json) printJson(delivery, true);
  else notify(`${id} is sent again to ${delivery.url}.`);
}
