import { z } from "zod";
import { db } from "#lib/db/client.ts";
import { findLinkedJob } from "#lib/db/queries/jobs/jobs.ts";
import { verifyPreviewLink } from "#lib/jobs/view/links.ts";
import { defineEndpoint } from "../../definition/define-endpoint.ts";
import { jobId, outputIndex } from "../../definition/parameters.ts";
import { sendStoredFile } from "../../http/send-file.ts";
import {
  downloadRequestHeaders,
  downloadResponses,
  outputErrors,
  requireOutput,
} from "../jobs/outputs-of-job.ts";
import { staleLink } from "./stale-link.ts";

/** An output, for the pages of the dashboard: always sent by this process. */
export const readSignedPreview = defineEndpoint({
  method: "GET",
  path: "/files/{job}/preview/{index}/{name}",
  operationId: "readSignedPreview",
  tag: "Jobs",
  summary: "Download an output by its signed URL of the dashboard.",
  internal: true,
  access: "signedLink",
  verifyLink: ({ job = "", index }, signature) => verifyPreviewLink(job, Number(index), signature),
  linkError: staleLink,
  params: z.strictObject({ job: jobId, index: outputIndex, name: z.string() }),
  headers: downloadRequestHeaders,
  responses: downloadResponses([]),
  errors: outputErrors,
  async handler({ params, request }) {
    const job = await findLinkedJob(db(), params.job);
    if (!job) throw staleLink();
    const response = await sendStoredFile(request, requireOutput(job, params.index));
    response.headers.set("Cross-Origin-Resource-Policy", "same-origin");
    return response;
  },
});
