import { readArchive } from "#lib/api/endpoints/jobs/archive.ts";
import { routes } from "#lib/api/http/routes.ts";

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = routes(readArchive);
