import { answerPath } from "./answer.ts";

/** Requests for pictures on servers that run only Next.js; `lib/server` answers all others before it. */

const allowed = "GET, HEAD, OPTIONS";

async function answer(request: Request): Promise<Response> {
  // As it was sent: what follows is signed.
  const path = request.url.slice(new URL(request.url).origin.length);
  const { status, headers, body } = await answerPath(path, Object.fromEntries(request.headers));
  const hasBody = body !== undefined && request.method !== "HEAD";
  return new Response(hasBody ? new Uint8Array(body) : null, {
    status,
    headers: { ...headers, "X-Content-Type-Options": "nosniff" },
  });
}

const reject = () =>
  new Response("Only GET and HEAD are allowed.\n", {
    status: 405,
    headers: { Allow: allowed, "Content-Type": "text/plain" },
  });

export const pictureRoutes = {
  GET: answer,
  HEAD: answer,
  OPTIONS: () =>
    new Response(null, {
      status: 204,
      headers: { Allow: allowed, "Access-Control-Allow-Origin": "*" },
    }),
  POST: reject,
  PUT: reject,
  PATCH: reject,
  DELETE: reject,
};
