import type { WebhookEndpoint, WebhookEndpointFields } from "../../../sdk/src/index.ts";
import { UsageError } from "../errors.ts";
import { createClient } from "../settings/client.ts";
import type { Settings } from "../settings/settings.ts";
import { notify, printable, printJson, printLine } from "../terminal/print.ts";

interface JsonFlag {
  readonly json?: boolean;
}

interface FieldFlags extends JsonFlag {
  readonly events?: string;
  readonly description?: string;
}

export async function listEndpoints(settings: Settings, { json }: JsonFlag): Promise<void> {
  const endpoints = await createClient(settings).webhookEndpoints.list();
  if (json) return printJson(endpoints, true);
  for (const endpoint of endpoints) show(endpoint);
  if (endpoints.length === 0) notify("There are no endpoints.");
}

export async function createEndpoint(
  settings: Settings,
  url: string,
  flags: FieldFlags,
): Promise<void> {
  const fields = { url, ...fieldsOf(flags) } as WebhookEndpointFields;
  const created = await createClient(settings).webhookEndpoints.create(fields);
  showWithSecret(created, flags);
}

export async function updateEndpoint(
  settings: Settings,
  id: string,
  flags: FieldFlags & {
    readonly url?: string;
    readonly enable?: boolean;
    readonly disable?: boolean;
  },
): Promise<void> {
  if (flags.enable && flags.disable) {
    throw new UsageError("Give --enable or --disable, not both.");
  }
  const enabled = flags.enable ? { enabled: true } : flags.disable ? { enabled: false } : {};
  const url = flags.url === undefined ? {} : { url: flags.url };
  const changes = { ...fieldsOf(flags), ...url, ...enabled };
  const changed = await createClient(settings).webhookEndpoints.update(endpointId(id), changes);
  if (flags.json) printJson(changed, true);
  else show(changed);
}

export async function deleteEndpoint(settings: Settings, id: string): Promise<void> {
  await createClient(settings).webhookEndpoints.delete(endpointId(id));
  notify(`${id} is deleted.`);
}

export async function rotateSecret(settings: Settings, id: string, flags: JsonFlag): Promise<void> {
  showWithSecret(await createClient(settings).webhookEndpoints.rotateSecret(endpointId(id)), flags);
}

export async function testEndpoint(
  settings: Settings,
  id: string,
  { json }: JsonFlag,
): Promise<void> {
  const delivery = await createClient(settings).webhookEndpoints.test(endpointId(id));
  if (json) printJson(delivery, true);
  else notify(`A test event is sent to ${delivery.url}: ${delivery.id}.`);
}

/** The service checks the types of events. */
function fieldsOf({ events, description }: FieldFlags): Partial<WebhookEndpointFields> {
  return {
    ...(events === undefined
      ? {}
      : { events: events.split(",").map((one) => one.trim()) as WebhookEndpointFields["events"] }),
    ...(description === undefined ? {} : { description }),
  };
}

function endpointId(id: string): string {
  if (/^we_[0-9A-Za-z]{24}$/.test(id)) return id;
  throw new UsageError(`${id} is not the id of an endpoint, which starts with we_.`);
}

function show({ id, url, events, enabled, failing_since, disabled_reason }: WebhookEndpoint): void {
  const state = enabled ? (failing_since ? "failing" : "enabled") : `disabled: ${disabled_reason}`;
  printLine(printable(`${id}  ${state}  ${url}  ${events.join(",")}`));
}

function showWithSecret(
  { secret, ...endpoint }: WebhookEndpoint & { readonly secret: string },
  { json }: JsonFlag,
): void {
  if (json) printJson({ ...endpoint, secret }, true);
  else {
    show(endpoint);
    printLine(secret);
    notify("Store the secret now: it is not shown again.");
  }
}
