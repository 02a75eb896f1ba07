import { Readable } from "node:stream";
import { db } from "#lib/db/client.ts";
import { readAllJobs } from "#lib/db/queries/jobs/lists.ts";
import { RequestError } from "#lib/errors.ts";
import { parseFilters, toJobFilter } from "#lib/jobs/view/job-filters.ts";
import { defineEndpoint } from "../../definition/define-endpoint.ts";
import { exportFormats } from "./export-formats.ts";

/** Jobs that are read at once. */
const pageSize = 500;

export const exportJobs = defineEndpoint({
  method: "GET",
  path: "/dashboard/api/jobs/export",
  operationId: "exportJobs",
  tag: "Jobs",
  summary: "Download the jobs of the filtered list as CSV or JSON.",
  description: "Sent while it is read, so that a list of any length needs little memory.",
  internal: true,
  access: "session",
  responses: {
    200: {
      description: "The jobs.",
      headers: ["Content-Disposition"],
      content: { "text/csv": { type: "string" }, "application/json": { type: "array" } },
    },
  },
  errors: ["invalid_parameter"],
  async handler({ account, url }) {
    const query = Object.fromEntries(url.searchParams);
    const name = query.format === "json" ? "json" : query.format === "csv" ? "csv" : undefined;
    if (!name) throw new RequestError("invalid_parameter", "`format` must be csv or json.");
    const pages = readAllJobs(db(), account.id, toJobFilter(parseFilters(query)), pageSize);
    const body = Readable.from(exportFormats[name].write(pages), { objectMode: false });
    const day = new Date().toISOString().slice(0, 10);
    // Node and the DOM type the same web stream differently.
    return new Response(Readable.toWeb(body) as ReadableStream, {
      headers: {
        "Content-Type": exportFormats[name].contentType,
        "Content-Disposition": `attachment; filename="jobs-${day}.${name}"`,
      },
    });
  },
});
