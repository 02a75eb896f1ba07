import type { IncomingMessage, ServerResponse } from "node:http";
import { text } from "node:stream/consumers";

/** A request that a webhook receiver got. */
export interface ReceivedWebhook {
  /** Milliseconds since the epoch. */
  readonly at: number;
  readonly headers: Record<string, string>;
  readonly body: string;
}

/**
 * A receiver for each path `/hook/<name>/<status>-<status>…`. POST responds with the statuses in turn
 * and the text of `?body=`, if any; GET returns the received requests as JSON.
 */
export class WebhookReceivers {
  readonly #received = new Map<string, ReceivedWebhook[]>();

  async handle(url: URL, request: IncomingMessage, response: ServerResponse): Promise<void> {
    const path = url.pathname;
    const hooks = this.#received.get(path) ?? [];
    this.#received.set(path, hooks);
    if (request.method === "GET") {
      response.writeHead(200, { "content-type": "application/json" }).end(JSON.stringify(hooks));
      return;
    }
    const headers = Object.fromEntries(
      Object.entries(request.headers).map(([name, value]) => [name, String(value)]),
    );
    hooks.push({ at: Date.now(), headers, body: await text(request) });
    const statuses = (path.split("/").at(-1) ?? "").split("-").map(Number);
    const status = statuses[Math.min(hooks.length, statuses.length) - 1] ?? 200;
    const body = url.searchParams.get("body") ?? undefined;
    response.writeHead(status, status === 301 ? { location: path } : {}).end(body);
  }
}
