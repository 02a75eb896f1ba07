import { handleInngestRequest } from "#inngest/serve.ts";
import { defineEndpoint } from "#lib/api/definition/define-endpoint.ts";
import { readBytes } from "#lib/api/http/body.ts";

const methods = [
  { method: "GET", operationId: "readInngest", summary: "Read the state of the Inngest app." },
  { method: "POST", operationId: "runInngest", summary: "Run a step of an Inngest function." },
  { method: "PUT", operationId: "registerInngest", summary: "Register the Inngest app." },
] as const;

/** The endpoints that Inngest calls. They are here because the API layer does not know Inngest. */
export const inngestEndpoints = methods.map((method) =>
  defineEndpoint({
    ...method,
    path: "/api/inngest",
    tag: "Account",
    internal: true,
    access: "public",
    responses: { 200: { description: "The response to Inngest.", content: {} } },
    errors: ["unauthorized"],
    // The body is limited before its signature is checked.
    handler: async ({ request }) => handleInngestRequest(request, await readBytes(request)),
  }),
);
