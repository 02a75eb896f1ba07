import { watchReceiver } from "#lib/api/endpoints/dashboard/receiver-events.ts";
import { routes } from "#lib/api/http/routes.ts";

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = routes(watchReceiver);
