import { after } from "next/server";
import { flushRequestLog } from "../request-log/request-log.ts";
import { authenticate } from "./authenticate.ts";
import { createRoutes } from "./create-routes.ts";
import { requireSession } from "./session.ts";
import { requireVisitor } from "./visitor.ts";

/** The route handlers of one path: `export const { GET, HEAD, … } = routes(readJob, deleteJob)`. */
export const routes = createRoutes(
  { apiKey: authenticate, session: requireSession, visitor: requireVisitor },
  // A function may be frozen as soon as it has responded, with the timer of the log.
  () => after(flushRequestLog),
);
