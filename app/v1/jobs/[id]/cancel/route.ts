import { cancelJob } from "#lib/api/endpoints/jobs/cancel.ts";
import { routes } from "#lib/api/http/routes.ts";

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = routes(cancelJob);
