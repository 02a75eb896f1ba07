import { deleteJob } from "#lib/api/endpoints/jobs/delete.ts";
import { readJob } from "#lib/api/endpoints/jobs/read.ts";
import { routes } from "#lib/api/http/routes.ts";

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = routes(deleteJob, readJob);
