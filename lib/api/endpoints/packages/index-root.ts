import { defineEndpoint } from "../../definition/define-endpoint.ts";
import { indexPage, indexResponses } from "./index-page.ts";
import { sendRevalidated } from "./package-files.ts";

/** The root of an index for pip (PEP 503), which has one project. */
export const readPackageIndex = defineEndpoint({
  method: "GET",
  path: "/packages/simple/",
  operationId: "readPackageIndex",
  tag: "Account",
  summary: "List the Python packages of the service.",
  internal: true,
  access: "public",
  responses: indexResponses,
  async handler({ request }) {
    return sendRevalidated(request, ...indexPage([`<a href="mediamill/">mediamill</a>`]));
  },
});
