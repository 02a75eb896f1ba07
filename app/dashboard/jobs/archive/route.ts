import { readArchiveOfJobs } from "#lib/api/endpoints/dashboard/archive.ts";
import { routes } from "#lib/api/http/routes.ts";

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = routes(readArchiveOfJobs);
