import { retryJob } from "#lib/api/endpoints/jobs/retry.ts";
import { routes } from "#lib/api/http/routes.ts";

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = routes(retryJob);
