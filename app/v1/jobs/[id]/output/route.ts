import { readOutput } from "#lib/api/endpoints/jobs/output.ts";
import { routes } from "#lib/api/http/routes.ts";

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = routes(readOutput);
