import { keyed, routes } from "#lib/api/http/route.ts";
import { handleCreateUpload } from "#lib/api/uploads.ts";

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = routes({
  POST: keyed(handleCreateUpload),
});
