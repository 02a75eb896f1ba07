import { readSignedOutput } from "#lib/api/endpoints/files/output.ts";
import { preflight } from "#lib/api/endpoints/files/preflight.ts";
import { routes } from "#lib/api/http/routes.ts";

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = routes(readSignedOutput, preflight);
