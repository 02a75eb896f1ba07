import { z } from "zod";
import { db } from "#lib/db/client.ts";
import { findLinkedJob } from "#lib/db/queries/jobs/jobs.ts";
import { RequestError } from "#lib/errors.ts";
import { verifyOutputLink } from "#lib/jobs/view/links.ts";
import { defineEndpoint } from "../../definition/define-endpoint.ts";
import { jobId, outputIndex } from "../../definition/parameters.ts";
import { crossOriginHeaderNames } from "../../definition/response-headers.ts";
import { sendOrRedirect } from "../../http/send-file.ts";
import {
  downloadRequestHeaders,
  downloadResponses,
  outputErrors,
  requireOutput,
} from "../jobs/outputs-of-job.ts";
import { crossOriginHeaders } from "./cross-origin.ts";

export const readSignedOutput = defineEndpoint({
  method: "GET",
  path: "/files/{job}/{index}/{name}",
  operationId: "readSignedOutput",
  documentsHead: true,
  tag: "Jobs",
  summary: "Download an output by its signed URL, without an API key and from any origin.",
  access: "signedLink",
  anyOrigin: true,
  verifyLink: ({ job = "", index }, signature) => verifyOutputLink(job, Number(index), signature),
  linkError,
  params: z.strictObject({
    job: jobId,
    index: outputIndex,
    name: z.string().describe("The file's name, for clients that save the file."),
  }),
  headers: downloadRequestHeaders,
  responses: downloadResponses(crossOriginHeaderNames),
  errors: outputErrors,
  async handler({ params, request, url }) {
    const job = await findLinkedJob(db(), params.job);
    if (!job) throw linkError();
    const output = requireOutput(job, params.index);
    if (fileNameOf(url) !== output.filename) throw linkError();
    const response = await sendOrRedirect(request, output);
    for (const [name, value] of Object.entries(crossOriginHeaders)) {
      response.headers.set(name, value);
    }
    return response;
  },
});

function linkError(): RequestError {
  const message = "This link is not valid or has expired. Read the job again for a new one.";
  return new RequestError("forbidden", message, { headers: crossOriginHeaders });
}

/** The decoded file name at the end of a URL; undefined if it is not valid percent-encoding. */
function fileNameOf({ pathname }: URL): string | undefined {
  try {
    return decodeURIComponent(pathname.slice(pathname.lastIndexOf("/") + 1));
  } catch {
    return undefined;
  }
}
