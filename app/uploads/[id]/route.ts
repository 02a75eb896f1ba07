import { routes } from "#lib/api/http/route.ts";
import { receiveUpload } from "#lib/api/uploads.ts";

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = routes({ PUT: receiveUpload });
