import { readPdfjsFile } from "#lib/api/endpoints/service/pdfjs.ts";
import { routes } from "#lib/api/http/routes.ts";

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = routes(readPdfjsFile);
