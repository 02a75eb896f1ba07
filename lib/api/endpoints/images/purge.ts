import { z } from "zod";
import { purgePictures } from "#lib/images/cache/purges.ts";
import { defineEndpoint } from "../../definition/define-endpoint.ts";

const text = z.string().min(1).max(2048).optional();

export const purgeImages = defineEndpoint({
  method: "POST",
  path: "/v1/images/purge",
  operationId: "purgeImages",
  tag: "Image",
  summary: "Remove pictures from the cache.",
  description:
    "By their source, or by the beginning of the URLs of their sources. The next request makes them again. An account can purge 300 times at once, then twice a second.",
  access: "apiKey",
  scope: "jobs:write",
  body: {
    kind: "json",
    schema: z
      .strictObject({
        source: text.describe("The source of the pictures: a URL, or the id of an upload."),
        prefix: text.describe(
          "The beginning of the sources, such as `https://example.com/photos/`.",
        ),
      })
      .refine(
        ({ source, prefix }) => (source === undefined) !== (prefix === undefined),
        "Send either `source` or `prefix`.",
      ),
    example: { source: "https://example.com/photo.jpg" },
  },
  responses: { 204: { description: "The pictures are removed." } },
  errors: ["invalid_parameter", "conflict", "rate_limited"],
  async handler({ account, body: { source, prefix = "" } }) {
    const [kind, value] =
      source === undefined ? (["prefix", prefix] as const) : (["source", source] as const);
    await purgePictures(account.id, kind, value);
    return new Response(null, { status: 204 });
  },
});
