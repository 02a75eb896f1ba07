import { isTokenOrigin } from "#lib/auth/browser-tokens.ts";
import { RequestError } from "#lib/errors.ts";
import { authenticate } from "./callers/authenticate.ts";
import { createRoutes } from "./create-routes.ts";

const authorizers = {
  apiKey: authenticate,
  session: rejectSession,
  visitor: rejectSession,
  isTokenOrigin,
};

/**
 * The route handlers of one path, outside of Next.js: the sessions of the dashboard and of visitors belong
 * to it, so these callers are rejected.
 */
export const keyRoutes = createRoutes(authorizers);

/** The route handlers of paths without an endpoint. `suggestPaths` finds those that were probably meant. */
export const unknownKeyRoutes = (suggestPaths: (path: string) => readonly string[]) =>
  createRoutes(authorizers, undefined, suggestPaths)();

async function rejectSession(): Promise<never> {
  throw new RequestError("unauthorized", "Sign in again to continue.");
}
