import { followReceiver } from "#lib/webhooks/receiver/follow.ts";
import { defineEndpoint } from "../../definition/define-endpoint.ts";
import { sessionEventStream } from "./session-events.ts";

export const watchReceiver = defineEndpoint({
  method: "GET",
  path: "/dashboard/api/webhooks/receiver/events",
  operationId: "watchReceiver",
  tag: "Account",
  summary: "Watch the requests to the account's test receiver with Server-Sent Events.",
  description:
    "Events of type `requests`, each the whole list without headers and bodies, newest first: one on connect, then one after each change. The stream ends with the session.",
  internal: true,
  access: "session",
  responses: {
    200: { description: "The events.", content: { "text/event-stream": { type: "string" } } },
  },
  handler: async (context) =>
    sessionEventStream(
      context,
      "requests",
      (signal) => followReceiver(context.account.id, signal),
      (requests) => requests === undefined,
    ),
});
