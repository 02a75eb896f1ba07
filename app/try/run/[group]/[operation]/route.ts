import { runAsVisitor } from "#lib/api/endpoints/try-it/run.ts";
import { routes } from "#lib/api/http/routes.ts";

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = routes(runAsVisitor);
