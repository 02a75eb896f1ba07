import { type Http, jsonBody } from "./http.ts";
import type { WebhookDelivery, WebhookEndpoint, WebhookEndpointFields } from "./types.ts";

interface Signal {
  readonly signal?: AbortSignal;
}

export type WebhookEndpoints = ReturnType<typeof createWebhookEndpoints>;

/** The methods for URLs that get the events of the account. */
export function createWebhookEndpoints(http: Http) {
  return {
    /** Its `secret` is not shown again. */
    create: (fields: WebhookEndpointFields): Promise<WebhookEndpoint & { secret: string }> =>
      http.json("/v1/webhooks/endpoints", jsonBody("POST", fields)),
    list: async (options: Signal = {}): Promise<WebhookEndpoint[]> =>
      (await http.json<{ data: WebhookEndpoint[] }>("/v1/webhooks/endpoints", options)).data,
    get: (id: string, options: Signal = {}): Promise<WebhookEndpoint> =>
      http.json(`/v1/webhooks/endpoints/${id}`, options),
    /** Changes what is given, such as `{ enabled: true }`. */
    update: (
      id: string,
      fields: Partial<WebhookEndpointFields> & { enabled?: boolean },
    ): Promise<WebhookEndpoint> =>
      http.json(`/v1/webhooks/endpoints/${id}`, jsonBody("PATCH", fields)),
    delete: async (id: string): Promise<void> => {
      await http.send(`/v1/webhooks/endpoints/${id}`, { method: "DELETE" });
    },
    /** A new secret; the previous one also signs for 24 hours. */
    rotateSecret: (id: string): Promise<WebhookEndpoint & { secret: string }> =>
      http.json(`/v1/webhooks/endpoints/${id}/rotate-secret`, { method: "POST", once: true }),
    /** Sends a test event. */
    test: (id: string): Promise<WebhookDelivery> =>
      http.json(`/v1/webhooks/endpoints/${id}/test`, { method: "POST", once: true }),
  };
}
