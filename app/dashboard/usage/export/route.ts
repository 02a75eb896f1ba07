import { exportUsage } from "#lib/api/endpoints/dashboard/export-usage.ts";
import { routes } from "#lib/api/http/routes.ts";

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = routes(exportUsage);
