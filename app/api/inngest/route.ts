import { answerInngest } from "#inngest/serve.ts";
import { readBytes } from "#lib/api/http/body.ts";
import { type RequestContext, routes } from "#lib/api/http/route.ts";

/** A body is read within limits before anyone asks whose it is. */
async function answer({ request }: RequestContext): Promise<Response> {
  return answerInngest(request, await readBytes(request));
}

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = routes({
  GET: answer,
  POST: answer,
  PUT: answer,
});
