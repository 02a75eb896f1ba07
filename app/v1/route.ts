import { routes } from "#lib/api/http/routes.ts";

/** Paths that do not exist. */
export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = routes();
