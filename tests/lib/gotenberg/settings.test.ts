import { expect, it } from "vitest";
import { isAllowedUrl, parseSettings } from "#lib/gotenberg/base/settings.ts";
import { ineffectiveVariables } from "#lib/gotenberg/base/variables.ts";

const parse = (variables: Record<string, string>) =>
  parseSettings(new Map(Object.entries(variables)));

it("reads Gotenberg's variables", () => {
  const settings = parse({
    API_ROOT_PATH: "/pdf/",
    API_TIMEOUT: "1m",
    API_BODY_LIMIT: "5MB",
    API_ENABLE_BASIC_AUTH: "true",
    GOTENBERG_API_BASIC_AUTH_USERNAME: "foo",
    GOTENBERG_API_BASIC_AUTH_PASSWORD: "bar",
    CHROMIUM_DISABLE_ROUTES: "true",
    WEBHOOK_DENY_LIST: "^https://a\\.example/,^http:",
  });
  expect(settings).toMatchObject({
    rootPath: "/pdf/",
    timeoutMs: 60_000,
    maxBodyBytes: 5_000_000,
    basicAuth: { username: "foo", password: "bar" },
    traceHeader: "Gotenberg-Trace",
  });
  expect(settings.disabled.has("chromium")).toBe(true);
  expect(isAllowedUrl("https://b.example/", settings.webhooks)).toBe(true);
  expect(isAllowedUrl("http://b.example/", settings.webhooks)).toBe(false);
});

it("a timeout that is longer than a timer of Node.js is that of a timer", () => {
  expect(parse({ API_TIMEOUT: "1000h" }).timeoutMs).toBe(2 ** 31 - 1);
});

it("the pages of the port are in the log if the operator says so", () => {
  expect([...parse({}).unlogged]).toEqual(["health", "root", "version", "debug", "metrics"]);
  const variables = {
    API_DISABLE_HEALTH_CHECK_ROUTE_TELEMETRY: "false",
    PROMETHEUS_DISABLE_ROUTE_LOGGING: "false",
  };
  expect([...parse(variables).unlogged]).toEqual(["root", "version", "debug"]);
});

it("shows what has an effect to the operator, without what is secret", () => {
  const { debug } = parse({
    API_ENABLE_DEBUG_ROUTE: "true",
    GOTENBERG_API_KEY: "mm_live_secret",
    GOTENBERG_API_BASIC_AUTH_PASSWORD: "bar",
    CHROMIUM_PROXY_SERVER: "http://a.example",
  });
  expect(debug).toEqual({ isEnabled: true, flags: { "api-enable-debug-route": "true" } });
  expect(parse({ GOTENBERG_BUILD_DEBUG_DATA: "false" }).debug).toEqual({ isEnabled: false });
});

it("private addresses can be refused although the service may call them", () => {
  const { webhooks, pages } = parse({ WEBHOOK_DENY_PRIVATE_IPS: "true" });
  const urls = ["http://10.0.0.1/", "http://2130706433/", "http://[::1]/", "http://a.localhost/"];
  expect(urls.map((url) => isAllowedUrl(url, webhooks))).toEqual([false, false, false, false]);
  expect(isAllowedUrl("https://example.com/", webhooks)).toBe(true);
  expect(isAllowedUrl("http://10.0.0.1/", pages)).toBe(true);
});

it.each([
  ["API_ROOT_PATH", "pdf"],
  ["API_TIMEOUT", "soon"],
  ["CHROMIUM_DENY_LIST", "("],
])("rejects %s=%s and names the variable", (name, value) => {
  expect(() => parse({ [name]: value })).toThrow(`${name}: `);
});

it("warns about each variable that has no effect", () => {
  const variables = new Map([
    ["API_TIMEOUT", "1m"],
    ["CHROMIUM_MAX_CONCURRENCY", "3"],
    ["PDFENGINES_MERGE_ENGINES", ""],
  ]);
  expect(ineffectiveVariables(variables)).toEqual(["CHROMIUM_MAX_CONCURRENCY has no effect here."]);
});
