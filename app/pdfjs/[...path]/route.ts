import { routes } from "#lib/api/http/route.ts";
import { answerPdfAsset } from "#lib/api/pdf-assets.ts";

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = routes({ GET: answerPdfAsset });
