import { createUpload } from "#lib/api/endpoints/uploads/create.ts";
import { routes } from "#lib/api/http/routes.ts";

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = routes(createUpload);
