import { listDeliveries } from "#lib/api/endpoints/webhooks/list-deliveries.ts";
import { routes } from "#lib/api/http/routes.ts";

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = routes(listDeliveries);
