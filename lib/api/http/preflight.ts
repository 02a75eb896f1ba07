/** Asked by a browser before a page of another origin sends headers of its own (Fetch, CORS-preflight). */

/** What pages may send to a signed address: the conditions and ranges that it knows. */
const requestHeaders = ["If-None-Match", "If-Range", "Range"];

/** Browsers remember an answer for a day at most, most of them for less. */
const maxAgeSeconds = 86_400;

/** `OPTIONS` of a file that pages of any origin may read, whether it is there or not. */
export async function answerPreflight(): Promise<Response> {
  return new Response(null, {
    status: 204,
    headers: {
      Allow: "GET, HEAD, OPTIONS",
      "Access-Control-Allow-Origin": "*",
      "Access-Control-Allow-Methods": "GET, HEAD",
      "Access-Control-Allow-Headers": requestHeaders.join(", "),
      "Access-Control-Max-Age": String(maxAgeSeconds),
    },
  });
}
