import { readSignedStep } from "#lib/api/endpoints/files/step.ts";
import { routes } from "#lib/api/http/routes.ts";

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = routes(readSignedStep);
