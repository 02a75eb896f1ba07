import { hash } from "node:crypto";
import { defineEndpoint } from "../../definition/define-endpoint.ts";
import { packageFiles } from "./client-packages.ts";
import { indexPage, indexResponses } from "./index-page.ts";
import { readPackageFile, sendRevalidated } from "./package-files.ts";

/** The files of a project in the index for pip. It checks the digest, and finds the file next to the index. */
export const readPackageIndexProject = defineEndpoint({
  method: "GET",
  path: "/packages/simple/mediamill/",
  operationId: "readPackageIndexProject",
  tag: "Account",
  summary: "List the files of the Python package.",
  internal: true,
  access: "public",
  responses: indexResponses,
  errors: ["not_found"],
  async handler({ request }) {
    const { name } = packageFiles.python;
    const digest = hash("sha256", await readPackageFile(packageFiles.python));
    const link = `<a href="../../${name}#sha256=${digest}" data-requires-python="&gt;=3.9">${name}</a>`;
    return sendRevalidated(request, ...indexPage([link]));
  },
});
