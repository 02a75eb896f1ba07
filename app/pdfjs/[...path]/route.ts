import { answerPdfAsset } from "#lib/api/pdf-assets.ts";
import { routes } from "#lib/api/route.ts";

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = routes({ GET: answerPdfAsset });
