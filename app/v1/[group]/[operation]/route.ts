import { runOperation } from "#lib/api/endpoints/operations/run.ts";
import { routes } from "#lib/api/http/routes.ts";

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = routes(runOperation);
