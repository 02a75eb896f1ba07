import { z } from "zod";
import { disabledReasons, type EndpointRow } from "#lib/db/schema/credentials/webhook-endpoints.ts";
import { endpointEventTypes, eventPatterns } from "#lib/db/schema/event-types.ts";
import type { EndpointWithSecret } from "#lib/webhooks/manage-endpoints.ts";
import { urlText } from "../../../http/url-field.ts";

/** The bodies of requests and responses about webhook endpoints. */

const choices = [...endpointEventTypes, ...eventPatterns] as const;
const choiceList = choices.join(", ");

const urlMeaning = "URL that receives the events.";
const eventsMeaning = "The types of events that are sent, `job.*` for all of jobs, or `*` for all.";
const descriptionMeaning = "A text for people.";

/** The fields of the requests have the descriptions: wrapped schemas lose theirs. */
const settings = {
  events: z
    .array(
      z.enum(choices, `must be one of ${choiceList}`),
      `must be a list of types of events: ${choiceList}`,
    )
    .min(1, "must have at least one type of events")
    .max(choices.length, `must have at most ${choices.length} types of events`),
  description: z
    .string("must be a text")
    .max(200, "must be at most 200 characters long")
    .refine((text) => !text.includes("\0"), "must not contain the character U+0000"),
};

export const newEndpoint = z.strictObject({
  url: urlText.describe(urlMeaning),
  events: settings.events.describe(eventsMeaning),
  description: settings.description.default("").describe(descriptionMeaning),
});

export const changedEndpoint = z.strictObject({
  url: urlText.optional().describe(urlMeaning),
  events: settings.events.optional().describe(eventsMeaning),
  description: settings.description.optional().describe(descriptionMeaning),
  enabled: z
    .boolean("must be true or false")
    .optional()
    .describe("Whether events are sent. Enabled again, it counts as one that has never failed."),
});

const time = z.iso.datetime();

const fields = {
  id: z.string().describe("Such as we_0ABC…"),
  url: z.string(),
  description: z.string(),
  events: z.array(z.enum(choices)),
  enabled: z.boolean(),
  created_at: time,
  failing_since: time
    .nullable()
    .describe("The first failed attempt since the last one that succeeded; null if there is none."),
  disabled_at: time.nullable().describe("When it was disabled; null while it is enabled."),
  disabled_reason: z
    .enum(disabledReasons)
    .nullable()
    .describe("owner: by a request. failing: it failed for five days. gone: it answered 410."),
};

/** An endpoint as its owner sees it. */
export const endpointSchema = z.strictObject(fields).meta({
  id: "WebhookEndpoint",
  description: "A URL that gets events of the account.",
});

/** An endpoint with its secret. */
export const endpointWithSecretSchema = z
  .strictObject({
    ...fields,
    secret: z
      .string()
      .describe("Signs what is sent to it, as Standard Webhooks says. It is not shown again."),
  })
  .meta({ id: "NewWebhookEndpoint", description: "A webhook endpoint with its secret." });

export function serializeEndpoint(row: EndpointRow): z.infer<typeof endpointSchema> {
  const { id, url, description, events, enabled } = row;
  return {
    id,
    url,
    description,
    events: events.filter(isChoice),
    enabled,
    created_at: row.createdAt.toISOString(),
    failing_since: row.failingSince?.toISOString() ?? null,
    disabled_at: row.disabledAt?.toISOString() ?? null,
    disabled_reason: row.disabledReason,
  };
}

/** Only known ones are stored; a later version may have removed one. */
function isChoice(event: string): event is (typeof choices)[number] {
  return choices.some((choice) => choice === event);
}

export function serializeWithSecret({ endpoint, secret }: EndpointWithSecret) {
  return { ...serializeEndpoint(endpoint), secret };
}

export const endpointId = z.strictObject({
  id: z
    .string()
    .regex(/^we_[0-9A-Za-z]{24}$/, "No webhook endpoint with this id exists.")
    .describe("The id of the endpoint."),
});
