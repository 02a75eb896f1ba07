import { z } from "zod";
import { defineEndpoint } from "../../definition/define-endpoint.ts";
import { findPackageFile, readPackageFile, sendRevalidated } from "./package-files.ts";

/** The files that `npm install` and `pip install` load. */
export const readPackage = defineEndpoint({
  method: "GET",
  path: "/packages/{file}",
  operationId: "readPackage",
  tag: "Account",
  summary: "Load the package of a client.",
  internal: true,
  access: "public",
  params: z.strictObject({ file: z.string() }),
  responses: {
    200: { description: "The package.", content: { "*/*": { type: "string" } }, headers: ["ETag"] },
    304: { description: "The package has not changed.", headers: ["ETag"] },
  },
  errors: ["not_found"],
  async handler({ request, params }) {
    const found = findPackageFile(params.file);
    return sendRevalidated(request, new Uint8Array(await readPackageFile(found)), {
      "Content-Type": found.contentType,
      "Content-Disposition": `attachment; filename="${found.file}"`,
    });
  },
});
