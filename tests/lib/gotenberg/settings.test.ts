import { expect, it } from "vitest";
import { ineffectiveVariables, isAllowedUrl, parseSettings } from "#lib/gotenberg/base/settings.ts";

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
