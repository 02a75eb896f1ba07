import { z } from "zod";
import { RequestError } from "#lib/errors.ts";
import { findShare } from "#lib/jobs/actions/share.ts";
import { sharedFile } from "#lib/jobs/view/shared-result.ts";
import { defineEndpoint } from "../../definition/define-endpoint.ts";
import { outputIndex } from "../../definition/parameters.ts";
import { sendStoredFile } from "../../http/send-file.ts";
import { downloadRequestHeaders, downloadResponses } from "../jobs/outputs-of-job.ts";

/** A file of a shared result. Who knows the token may read it. */
export const readSharedFile = defineEndpoint({
  method: "GET",
  path: "/files/r/{token}/{side}/{index}/{name}",
  operationId: "readSharedFile",
  tag: "Jobs",
  summary: "Download a file of a shared result.",
  internal: true,
  access: "public",
  params: z.strictObject({
    token: z.string(),
    side: z.enum(["input", "output"], "There is no such file."),
    index: outputIndex,
    name: z.string(),
  }),
  headers: downloadRequestHeaders,
  responses: downloadResponses([]),
  errors: ["not_found", "gone"],
  async handler({ params, request }) {
    const found = await findShare(params.token);
    const file = found && sharedFile(found.share, found.job, params.side, params.index);
    if (!file) throw new RequestError("not_found", "This link has expired or was revoked.");
    const response = await sendStoredFile(request, file);
    response.headers.set("Cross-Origin-Resource-Policy", "same-origin");
    response.headers.set("X-Robots-Tag", "noindex");
    return response;
  },
});
