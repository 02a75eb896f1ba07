import { watchJobInDashboard } from "#lib/api/endpoints/dashboard/job-events.ts";
import { routes } from "#lib/api/http/routes.ts";

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = routes(watchJobInDashboard);
