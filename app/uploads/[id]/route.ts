import { sendUpload } from "#lib/api/endpoints/uploads/receive.ts";
import { routes } from "#lib/api/http/routes.ts";

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = routes(sendUpload);
