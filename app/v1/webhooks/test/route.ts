import { testWebhook } from "#lib/api/endpoints/webhooks/test.ts";
import { routes } from "#lib/api/http/routes.ts";

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = routes(testWebhook);
