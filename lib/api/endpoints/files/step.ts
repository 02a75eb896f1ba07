import { z } from "zod";
import { db } from "#lib/db/client.ts";
import { findLinkedJob } from "#lib/db/queries/jobs/jobs.ts";
import { hasFiles } from "#lib/jobs/view/has-files.ts";
import { verifyStepLink } from "#lib/jobs/view/links.ts";
import { defineEndpoint } from "../../definition/define-endpoint.ts";
import { jobId, outputIndex } from "../../definition/parameters.ts";
import { crossOriginHeaderNames } from "../../definition/response-headers.ts";
import { fileGone, sendStoredFile } from "../../http/send-file.ts";
import { downloadRequestHeaders, downloadResponses, outputErrors } from "../jobs/outputs-of-job.ts";
import { crossOriginHeaders } from "./cross-origin.ts";
import { staleLink } from "./stale-link.ts";

/** What a step of a chain handed to the next one: always sent by this process. */
export const readSignedStep = defineEndpoint({
  method: "GET",
  path: "/files/{job}/step/{index}/{name}",
  operationId: "readSignedStep",
  documentsHead: true,
  tag: "Jobs",
  summary:
    "Download the file that an operation of a chain handed to the next one, by its signed URL.",
  access: "signedLink",
  anyOrigin: true,
  verifyLink: ({ job = "", index }, signature) => verifyStepLink(job, Number(index), signature),
  linkError: staleLink,
  params: z.strictObject({
    job: jobId,
    index: outputIndex.describe("Which operation, counted from 0."),
    name: z.string().describe("The file's name, for clients that save the file."),
  }),
  headers: downloadRequestHeaders,
  responses: downloadResponses(crossOriginHeaderNames),
  errors: outputErrors,
  async handler({ params, request }) {
    const job = await findLinkedJob(db(), params.job);
    if (!job) throw staleLink();
    const output = hasFiles(job) ? job.steps?.[params.index]?.output : undefined;
    if (!output) throw fileGone();
    const response = await sendStoredFile(request, output);
    for (const [name, value] of Object.entries(crossOriginHeaders)) {
      response.headers.set(name, value);
    }
    return response;
  },
});
