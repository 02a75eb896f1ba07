import { runChainInDashboard } from "#lib/api/endpoints/dashboard/run-chain.ts";
import { routes } from "#lib/api/http/routes.ts";

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = routes(runChainInDashboard);
