import { z } from "zod";
import { listFiles } from "#lib/connections/list-files.ts";
import { defineEndpoint } from "../../definition/define-endpoint.ts";
import { connectionId } from "./connection-body.ts";

const maxText = 2048;

export const listFilesOfConnection = defineEndpoint({
  method: "GET",
  path: "/v1/connections/{id}/files",
  operationId: "listFilesOfConnection",
  tag: "Connections",
  summary: "List the files of a connection.",
  access: "apiKey",
  scope: "jobs:read",
  params: connectionId,
  query: z.strictObject({
    prefix: z
      .string()
      .max(maxText)
      .default("")
      .describe("The beginning of the paths, such as `videos/`."),
    cursor: z.string().max(maxText).optional().describe("`next_cursor` of the page before."),
    limit: z.coerce.number().int().min(1).max(1000).default(100).describe("The most files."),
  }),
  responses: {
    200: {
      description: "A page of files, in the order of the store.",
      body: z.object({
        files: z.array(
          z.object({
            path: z.string().describe("For `input`: `conn_…:` and this path."),
            bytes: z.number(),
            modified_at: z.iso.datetime().nullable(),
            etag: z.string().nullable(),
          }),
        ),
        next_cursor: z.string().nullable().describe("For the next page; null on the last one."),
      }),
    },
  },
  errors: ["invalid_parameter", "not_found", "forbidden", "conflict", "rate_limited"],
  async handler({ account, params, query }) {
    const { files, nextCursor } = await listFiles(account, params.id, query);
    return {
      files: files.map(({ path, bytes, modifiedAt, etag }) => ({
        path,
        bytes,
        modified_at: modifiedAt?.toISOString() ?? null,
        etag,
      })),
      next_cursor: nextCursor,
    };
  },
});
