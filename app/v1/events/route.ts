import { streamEvents } from "#lib/api/endpoints/events/stream.ts";
import { routes } from "#lib/api/http/routes.ts";

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = routes(streamEvents);
