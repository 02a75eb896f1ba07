import { createOperationJob } from "#lib/api/create-job.ts";
import { routes } from "#lib/api/http/route.ts";
import { signedIn } from "#lib/api/http/session.ts";

/** What `POST /v1/{group}/{operation}` does, for whoever is signed in. */
export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = routes({
  POST: signedIn(createOperationJob, { createsWork: true }),
});
