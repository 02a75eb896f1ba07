import { readArchiveAsVisitor } from "#lib/api/endpoints/try-it/archive.ts";
import { routes } from "#lib/api/http/routes.ts";

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = routes(readArchiveAsVisitor);
