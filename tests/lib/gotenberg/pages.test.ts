import { expect, it } from "vitest";
import { handleGotenberg, isGotenbergPath } from "#lib/gotenberg/handle.ts";

const get = (path: string, init: RequestInit = {}) =>
  handleGotenberg(new Request(`http://gotenberg:3000${path}`, init), "own");

it("the pages of the port are those of Gotenberg", async () => {
  const root = await get("/", { headers: { "Gotenberg-Trace": "abc" } });
  expect([root.status, root.headers.get("gotenberg-trace")]).toEqual([200, "abc"]);
  expect(await root.text()).toContain("Hey, Gotenberg has no UI, it's an API.");
  expect(await (await get("/version")).text()).toMatch(/^8\.\d+\.\d+$/);
  expect((await get("/favicon.ico")).status).toBe(204);
  const metrics = await get("/prometheus/metrics");
  expect(await metrics.text()).toContain("gotenberg_chromium_requests_queue_size 0\n");
});

it.each([
  ["/nothing", {}, 404, "Not Found"],
  ["/forms/pdfengines/merge", {}, 405, "Method Not Allowed"],
  ["/forms/pdfengines/merge", { method: "POST" }, 401, "Unauthorized"],
])("%s %j is %i", async (path, init, status, text) => {
  const response = await get(path, init);
  expect([response.status, await response.text()]).toEqual([status, text]);
  expect(response.headers.get("content-type")).toBe("text/plain; charset=UTF-8");
});

it("only forms are on the main port", async () => {
  expect(isGotenbergPath("/forms/libreoffice/convert")).toBe(true);
  expect(isGotenbergPath("/version")).toBe(false);
  const response = await handleGotenberg(new Request("http://host/forms/x"), "main");
  expect(response.status).toBe(404);
});
