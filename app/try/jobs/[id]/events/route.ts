import { watchJobAsVisitor } from "#lib/api/endpoints/try-it/job-events.ts";
import { routes } from "#lib/api/http/routes.ts";

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = routes(watchJobAsVisitor);
