import { after } from "next/server";
import { isTokenOrigin } from "#lib/auth/browser-tokens.ts";
import { flushRequestLog } from "../request-log/request-log.ts";
import { authenticate } from "./callers/authenticate.ts";
import { requireSession } from "./callers/session.ts";
import { requireVisitor } from "./callers/visitor.ts";
import { createRoutes } from "./create-routes.ts";

const authorizers = {
  apiKey: authenticate,
  session: requireSession,
  visitor: requireVisitor,
  isTokenOrigin,
};

// A function may be frozen as soon as it has responded, with the timer of the log.
const onRequest = () => after(flushRequestLog);

/** The route handlers of one path: `export const { GET, HEAD, … } = routes(readJob, deleteJob)`. */
export const routes = createRoutes(authorizers, onRequest);

/** The route handlers of paths without an endpoint. `suggestPaths` finds those that were probably meant. */
export const unknownPathRoutes = (suggestPaths: (path: string) => readonly string[]) =>
  createRoutes(authorizers, onRequest, suggestPaths)();
