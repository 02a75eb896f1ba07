import type { Sent } from "./http/exchange.ts";

/** What the requests refer to. */
export interface ScenarioContext {
  readonly key: string;
  /** A completed job with one output. */
  readonly job: string;
  /** The path of the signed URL of its output. */
  readonly signed: string;
  readonly etag: string;
  /** An upload that waits for the file `note.txt` of 4 bytes, one for each server. */
  readonly upload: string;
}

/** A request to which both servers must respond in the same way. */
export interface ServerScenario {
  readonly name: string;
  readonly send: (context: ScenarioContext) => Sent;
  /** The status of both servers, unless `nextStatus` is set. */
  readonly status: number;
  /** Where Next.js leaves no choice: documented in docs/self-hosting.md. Only this status is checked then. */
  readonly nextStatus?: number;
  /** How bodies are compared. Default: exactly. */
  readonly body?: "keys" | "none";
  /** Whether the responses must have the same length in their headers. */
  readonly hasLength?: boolean;
}

const get =
  (path: string, headers: Record<string, string> = {}, method = "GET") =>
  ({ key }: ScenarioContext): Sent => ({ method, path, headers: { "x-api-key": key, ...headers } });

const open =
  (path: string, method = "GET", headers: Record<string, string> = {}) =>
  (): Sent => ({ method, path, headers });

const ofJob =
  (suffix: string, headers: Record<string, string> = {}, method = "GET") =>
  (context: ScenarioContext): Sent =>
    get(`/v1/jobs/${context.job}${suffix}`, headers, method)(context);

const ofSigned =
  (method = "GET", headers: Record<string, string> = {}, suffix = "") =>
  ({ signed }: ScenarioContext): Sent => ({ method, path: `${signed}${suffix}`, headers });

const json =
  (path: string, body: string, headers: Record<string, string> = {}) =>
  ({ key }: ScenarioContext): Sent => ({
    method: "POST",
    path,
    headers: { "x-api-key": key, "content-type": "application/json", ...headers },
    body,
  });

const form =
  (headers: Record<string, string> = {}, name = "file") =>
  ({ key }: ScenarioContext): Sent => ({
    method: "POST",
    path: "/v1/pipeline/file-inspect",
    headers: { "x-api-key": key, "content-type": "multipart/form-data; boundary=b", ...headers },
    body: `--b\r\nContent-Disposition: form-data; name="${name}"; filename="note.txt"\r\nContent-Type: text/plain\r\n\r\nnote\r\n--b--\r\n`,
  });

const mcpHeaders = { accept: "application/json, text/event-stream" };
const listTools = '{"jsonrpc":"2.0","id":1,"method":"tools/list","params":{}}';

export const serverScenarios: readonly ServerScenario[] = [
  { name: "GET /healthz", send: open("/healthz"), status: 200 },
  { name: "HEAD /healthz", send: open("/healthz", "HEAD"), status: 200 },
  { name: "OPTIONS /healthz", send: open("/healthz", "OPTIONS"), status: 204 },
  { name: "DELETE /healthz", send: open("/healthz", "DELETE"), status: 405 },
  { name: "/healthz with a slash at its end", send: open("/healthz/"), status: 404 },
  { name: "GET /readyz", send: open("/readyz"), status: 200 },
  { name: "HEAD /readyz", send: open("/readyz", "HEAD"), status: 200 },
  { name: "OPTIONS /readyz", send: open("/readyz", "OPTIONS"), status: 204 },
  { name: "DELETE /readyz", send: open("/readyz", "DELETE"), status: 405 },
  { name: "/readyz with a slash at its end", send: open("/readyz/"), status: 404 },
  { name: "/metrics without its token", send: open("/metrics"), status: 401 },
  { name: "GET /openapi.json", send: open("/openapi.json"), status: 200, body: "keys" },
  { name: "/openapi.json with a slash at its end", send: open("/openapi.json/"), status: 404 },
  { name: "GET /status.json", send: open("/status.json"), status: 200, body: "keys" },
  { name: "HEAD /status.json", send: open("/status.json", "HEAD"), status: 200 },
  { name: "POST /status.json", send: open("/status.json", "POST"), status: 405 },

  { name: "a package", send: open("/packages/mediamill-sdk.tgz"), status: 200, hasLength: true },
  {
    name: "HEAD of a package",
    send: open("/packages/mediamill-cli.tgz", "HEAD"),
    status: 200,
    hasLength: true,
  },
  { name: "an unknown package", send: open("/packages/other.tgz"), status: 404 },
  {
    name: "a package with a slash at its end",
    send: open("/packages/mediamill-sdk.tgz/"),
    status: 404,
  },
  { name: "DELETE of a package", send: open("/packages/mediamill-sdk.tgz", "DELETE"), status: 405 },
  { name: "the index for pip", send: open("/packages/simple/"), status: 200, hasLength: true },
  {
    name: "a project of the index for pip",
    send: open("/packages/simple/mediamill/"),
    status: 200,
  },
  { name: "the index for pip without the slash", send: open("/packages/simple"), status: 404 },

  { name: "a list without a key", send: open("/v1/jobs"), status: 401 },
  { name: "a list", send: get("/v1/jobs?limit=1"), status: 200, body: "keys" },
  { name: "HEAD of a list", send: get("/v1/jobs?limit=1", {}, "HEAD"), status: 200 },
  { name: "OPTIONS of a list", send: get("/v1/jobs", {}, "OPTIONS"), status: 204 },
  { name: "PATCH of a list", send: get("/v1/jobs", {}, "PATCH"), status: 405 },
  { name: "a list with a wrong parameter", send: get("/v1/jobs?limit=x"), status: 400 },
  { name: "a list with a slash at its end", send: get("/v1/jobs/"), status: 404 },
  { name: "a list with two slashes", send: get("/v1//jobs"), status: 404, nextStatus: 308 },
  { name: "an unknown path", send: get("/v1/a/b/c/d"), status: 404 },
  { name: "/v1", send: get("/v1"), status: 404 },
  { name: "an invalid escape", send: get("/v1/jobs/%zz"), status: 400 },
  { name: "an escape that is not UTF-8", send: open("/files/%ff"), status: 400 },
  { name: "half of a character", send: get("/v1/jobs/%E2%82"), status: 400 },
  { name: "an escaped character", send: get("/v1/jobs/%E2%82%AC"), status: 404 },
  { name: "a page with an invalid escape", send: open("/docs/%zz"), status: 400 },
  { name: "TRACE", send: get("/v1/jobs", {}, "TRACE"), status: 405, nextStatus: 500 },
  { name: "QUERY", send: get("/v1/jobs", {}, "QUERY"), status: 405, nextStatus: 400 },

  { name: "an unknown job", send: get(`/v1/jobs/job_${"0".repeat(24)}`), status: 404 },
  { name: "a job", send: ofJob(""), status: 200 },
  { name: "a job that has ended, waiting", send: ofJob("?wait=5"), status: 200 },
  {
    name: "the events of a job",
    send: (context) => ({ ...ofJob("/events")(context), until: "\n\n" }),
    status: 200,
  },
  { name: "an output", send: ofJob("/output"), status: 200, hasLength: true },
  { name: "HEAD of an output", send: ofJob("/output", {}, "HEAD"), status: 200, hasLength: true },
  {
    name: "a range of an output",
    send: ofJob("/output", { range: "bytes=1-3" }),
    status: 206,
    hasLength: true,
  },
  {
    name: "a range after the end",
    send: ofJob("/output", { range: "bytes=99999-" }),
    status: 416,
  },
  {
    name: "an output that the client has",
    send: (context) => ofJob("/output", { "if-none-match": context.etag })(context),
    status: 304,
  },
  { name: "an output that is not there", send: ofJob("/outputs/9"), status: 404 },
  { name: "the archive of a job", send: ofJob("/archive"), status: 200, body: "none" },
  { name: "a signed URL", send: ofSigned(), status: 200, hasLength: true },
  { name: "HEAD of a signed URL", send: ofSigned("HEAD"), status: 200, hasLength: true },
  {
    name: "a signed URL from another origin",
    send: ofSigned("GET", { origin: "https://example.com" }),
    status: 200,
  },
  {
    name: "a preflight",
    send: ofSigned("OPTIONS", {
      origin: "https://example.com",
      "access-control-request-method": "GET",
      "access-control-request-headers": "range",
    }),
    status: 204,
  },
  { name: "an altered signature", send: ofSigned("GET", {}, "00"), status: 403 },

  { name: "JSON that is not JSON", send: json("/v1/image/sharpen", "{"), status: 400 },
  { name: "a wrong parameter", send: json("/v1/image/sharpen", '{"sigma":-1}'), status: 400 },
  {
    name: "a body of another type",
    send: json("/v1/image/sharpen", "a", { "content-type": "text/plain" }),
    status: 415,
  },
  { name: "a form", send: form(), status: 202, body: "keys" },
  { name: "a form, waiting", send: form({ prefer: "wait=30" }), status: 200, body: "keys" },
  { name: "a form without its file", send: form({}, "other"), status: 400 },
  {
    name: "a form that was sent before",
    send: form({ "idempotency-key": "of-both-servers" }),
    status: 202,
    body: "keys",
  },
  {
    name: "a new upload",
    send: json("/v1/uploads", '{"filename":"note.txt","bytes":4}'),
    status: 201,
    body: "keys",
  },
  {
    name: "the file of an upload",
    send: ({ upload }) => ({
      method: "PUT",
      path: upload,
      headers: { "content-length": 4, "content-type": "text/plain" },
      body: "note",
    }),
    status: 204,
  },
  { name: "an upload without its signature", send: open("/uploads/upl_0", "PUT"), status: 403 },

  { name: "/mcp", send: json("/mcp", listTools, mcpHeaders), status: 200 },
  { name: "GET /mcp", send: get("/mcp"), status: 405 },
  { name: "PUT /mcp", send: get("/mcp", {}, "PUT"), status: 405 },
  { name: "/mcp with a slash at its end", send: json("/mcp/", listTools), status: 404 },
  { name: "/mcp without a key", send: open("/mcp", "POST"), status: 401 },

  { name: "another host", send: open("/v1/jobs", "GET", { host: "other.example" }), status: 421 },
  {
    name: "a page of another host",
    send: open("/", "GET", { host: "other.example" }),
    status: 421,
  },
  { name: "the home page", send: open("/"), status: 200, body: "none" },
  { name: "HEAD of a page", send: open("/docs", "HEAD"), status: 200 },
  { name: "a page as Markdown", send: open("/docs.md"), status: 200 },
  { name: "a page that does not exist", send: open("/nothing"), status: 404, body: "none" },
  { name: "the dashboard without a session", send: open("/dashboard/api/events"), status: 401 },
  {
    name: "a form of another site",
    send: open("/sign-in", "POST", { origin: "https://example.com" }),
    status: 403,
  },
];
