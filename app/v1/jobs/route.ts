import { createChain } from "#lib/api/endpoints/jobs/create-chain.ts";
import { listJobs } from "#lib/api/endpoints/jobs/list.ts";
import { routes } from "#lib/api/http/routes.ts";

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = routes(createChain, listJobs);
