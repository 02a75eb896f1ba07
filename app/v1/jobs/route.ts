import { createChainJob } from "#lib/api/create-chain.ts";
import { keyed, routes } from "#lib/api/http/route.ts";
import { answerJobs } from "#lib/api/read-jobs.ts";

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = routes({
  GET: keyed(answerJobs),
  POST: keyed(createChainJob, { createsWork: true }),
});
