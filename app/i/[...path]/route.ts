import { pictureRoutes } from "#lib/api/pictures/routes.ts";

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = pictureRoutes;
