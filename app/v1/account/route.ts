import { readAccount } from "#lib/api/endpoints/account/read.ts";
import { routes } from "#lib/api/http/routes.ts";

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = routes(readAccount);
