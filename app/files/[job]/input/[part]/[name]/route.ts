import { readSignedInput } from "#lib/api/endpoints/files/input.ts";
import { routes } from "#lib/api/http/routes.ts";

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = routes(readSignedInput);
