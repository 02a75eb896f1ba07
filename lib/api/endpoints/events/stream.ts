import { z } from "zod";
import { type EventType, eventTypes } from "#lib/db/schema/event-types.ts";
import { RequestError } from "#lib/errors.ts";
import { type AccountEvent, followEvents, parseEventId } from "#lib/jobs/follow/event-log.ts";
import { serializeJob } from "#lib/jobs/view/job.ts";
import { defineEndpoint } from "../../definition/define-endpoint.ts";
import {
  eventStreamResponse,
  formatEvent,
  keepAliveComment,
} from "../../http/streams/event-stream.ts";

/** A client that is disconnected tries again after this time, in milliseconds. */
const reconnectMs = 1000;

const types = z
  .string()
  .default("job.*")
  .transform((text) => text.split(","))
  .refine(
    (given) => given.every((one) => matchingTypes(one).length > 0),
    `must be a comma-separated list of ${eventTypes.join(", ")} or job.*`,
  )
  .meta({ type: "string", default: "job.*", examples: ["job.completed,job.failed"] })
  .describe(
    `The types of events, separated by commas: ${eventTypes.join(", ")}, or job.* for all.`,
  );

export const streamEvents = defineEndpoint({
  method: "GET",
  path: "/v1/events",
  operationId: "streamEvents",
  tag: "Jobs",
  summary: "Watch all jobs of the account with Server-Sent Events.",
  description:
    "One event when a job is created, starts and ends, and at most every 2 seconds for its progress. The data of an event is the job as it is when the event is sent. Send the id of the last event that you got as `Last-Event-ID` to continue after it, within 24 hours: no event is missing and none is repeated. Events of type `job.progress` are not repeated and have the id of the event before them. A comment is sent every 15 seconds. The stream ends when the API key loses access. An account can have 20 event streams open at a time.",
  access: "apiKey",
  scope: "jobs:read",
  query: z.strictObject({ types }),
  headers: ["LastEventId"],
  responses: {
    200: { description: "The events.", content: { "text/event-stream": { type: "string" } } },
  },
  errors: ["invalid_parameter", "rate_limited"],
  async handler(context) {
    const { account, request, query } = context;
    const wanted = new Set(query.types.flatMap(matchingTypes));
    const lastId = request.headers.get("last-event-id");
    const after = lastId ? parseEventId(lastId) : undefined;
    if (lastId && !after) {
      const message = "`Last-Event-ID` must be the id of an event of this stream.";
      throw new RequestError("invalid_parameter", message);
    }
    return eventStreamResponse(context, (signal) =>
      formatEvents(followEvents(account.id, after, signal), wanted),
    );
  },
});

function matchingTypes(pattern: string): EventType[] {
  return pattern === "job.*" ? [...eventTypes] : eventTypes.filter((type) => type === pattern);
}

async function* formatEvents(
  events: AsyncIterable<AccountEvent>,
  wanted: ReadonlySet<EventType>,
): AsyncGenerator<string> {
  yield `retry: ${reconnectMs}\n`;
  for await (const event of events) {
    // An event without data sets the id from which the client resumes, and is not shown to it.
    if (event.kind === "idle") yield `id: ${event.id}\n\n${keepAliveComment}`;
    else if (wanted.has(event.type))
      yield formatEvent(event.type, serializeJob(event.job), event.id);
  }
}
