import { createOperationJob } from "#lib/api/create-job.ts";
import { keyed, routes } from "#lib/api/http/route.ts";

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = routes({
  POST: keyed(createOperationJob, { createsWork: true }),
});
