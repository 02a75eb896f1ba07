import { listOperations } from "#lib/api/endpoints/operations/list.ts";
import { routes } from "#lib/api/http/routes.ts";

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = routes(listOperations);
