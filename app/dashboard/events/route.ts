import { watchAccountJobs } from "#lib/api/endpoints/dashboard/events.ts";
import { routes } from "#lib/api/http/routes.ts";

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = routes(watchAccountJobs);
