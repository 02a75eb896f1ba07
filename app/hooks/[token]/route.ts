import { receiveWebhook } from "#lib/api/endpoints/hooks/receive.ts";
import { receivePut } from "#lib/api/endpoints/hooks/receive-put.ts";
import { routes } from "#lib/api/http/routes.ts";

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = routes(receiveWebhook, receivePut);
