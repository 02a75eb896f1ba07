import { watchJob } from "#lib/api/endpoints/jobs/events.ts";
import { routes } from "#lib/api/http/routes.ts";

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = routes(watchJob);
