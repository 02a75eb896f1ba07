import { keyed, routes } from "#lib/api/route.ts";
import { createUpload } from "#lib/api/uploads.ts";

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = routes({
  POST: keyed(createUpload),
});
