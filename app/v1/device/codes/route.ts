import { createDeviceCode } from "#lib/api/endpoints/device/create-code.ts";
import { routes } from "#lib/api/http/routes.ts";

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = routes(createDeviceCode);
