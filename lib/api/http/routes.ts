import { authenticate } from "./authenticate.ts";
import { createRoutes } from "./create-routes.ts";
import { requireSession } from "./session.ts";
import { requireVisitor } from "./visitor.ts";

/** The route handlers of one path: `export const { GET, HEAD, … } = routes(readJob, deleteJob)`. */
export const routes = createRoutes({
  apiKey: authenticate,
  session: requireSession,
  visitor: requireVisitor,
});
