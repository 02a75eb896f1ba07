import { listSteps } from "#lib/api/endpoints/jobs/steps.ts";
import { routes } from "#lib/api/http/routes.ts";

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = routes(listSteps);
