import { readSignedPreview } from "#lib/api/endpoints/files/preview.ts";
import { routes } from "#lib/api/http/routes.ts";

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = routes(readSignedPreview);
