import { z } from "zod";
import { db } from "#lib/db/client.ts";
import { findLinkedJob } from "#lib/db/queries/jobs/jobs.ts";
import { hasFiles } from "#lib/jobs/view/has-files.ts";
import { verifyInputLink } from "#lib/jobs/view/links.ts";
import { defineEndpoint } from "../../definition/define-endpoint.ts";
import { fileGone, sendStoredFile } from "../../http/send-file.ts";
import { downloadRequestHeaders, downloadResponses, outputErrors } from "../jobs/outputs-of-job.ts";
import { staleLink } from "./stale-link.ts";

/** A stored input, for the pages of the dashboard. */
export const readSignedInput = defineEndpoint({
  method: "GET",
  path: "/files/{job}/input/{part}/{name}",
  operationId: "readSignedInput",
  tag: "Jobs",
  summary: "Download an input by its signed URL.",
  internal: true,
  access: "signedLink",
  verifyLink: ({ job = "", part = "" }, signature) => verifyInputLink(job, part, signature),
  linkError: staleLink,
  params: z.strictObject({ job: z.string(), part: z.string(), name: z.string() }),
  headers: downloadRequestHeaders,
  responses: downloadResponses([]),
  errors: outputErrors,
  async handler({ params, request }) {
    const job = await findLinkedJob(db(), params.job);
    if (!job) throw staleLink();
    const source = params.part === "file" ? job.source : job.parts[params.part];
    if (source?.kind !== "stored" || !hasFiles(job)) throw fileGone();
    const response = await sendStoredFile(request, source);
    response.headers.set("Cross-Origin-Resource-Policy", "same-origin");
    return response;
  },
});
