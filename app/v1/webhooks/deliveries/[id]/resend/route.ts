import { resendDelivery } from "#lib/api/endpoints/webhooks/resend.ts";
import { routes } from "#lib/api/http/routes.ts";

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = routes(resendDelivery);
