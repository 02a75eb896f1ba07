import { z } from "zod";
import { defineEndpoint } from "../../definition/define-endpoint.ts";

export const readHealth = defineEndpoint({
  method: "GET",
  path: "/healthz",
  operationId: "readHealth",
  tag: "Account",
  summary: "Check that the web process is alive.",
  access: "public",
  responses: {
    200: {
      description: "The web process is alive.",
      body: z
        .strictObject({ status: z.literal("ok") })
        .meta({ id: "Health", description: "The web process is alive." }),
    },
  },
  handler: async () => ({ status: "ok" as const }),
});
