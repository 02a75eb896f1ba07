import { revokeOwnKey } from "#lib/api/endpoints/account/revoke-key.ts";
import { routes } from "#lib/api/http/routes.ts";

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = routes(revokeOwnKey);
