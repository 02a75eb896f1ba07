import { redeemDeviceCode } from "#lib/api/endpoints/device/redeem-code.ts";
import { routes } from "#lib/api/http/routes.ts";

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = routes(redeemDeviceCode);
