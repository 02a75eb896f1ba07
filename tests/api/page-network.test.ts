import { once } from "node:events";
import { writeFile } from "node:fs/promises";
import { createServer } from "node:http";
import { join } from "node:path";
import { expect, inject, it, onTestFinished } from "vitest";
import { networkPage } from "#tests/hostile/network-page.ts";
import { countRequests } from "#tests/servers/request-counter.ts";
import { createClient } from "#tests/service/http/client.ts";
import { until } from "#tests/service/stack.ts";
import { readUsageRows, setUsage } from "#tests/service/usage.ts";

const { url: host, folder, webhookPort } = inject("host");

it("the page of an account loads what it names", async () => {
  const client = await createClient("free");
  const file = { bytes: networkPage(`${host}/count/account`), filename: "a.html" };
  const job = await client.run("document/html-to-pdf", file);
  expect(job.status).toBe("completed");
  expect(job.warnings.join()).not.toContain("network");
  expect(await countRequests(host, "account")).toBeGreaterThan(5);
});

it("what a page loads counts as usage, and cannot exceed the plan", async () => {
  await writeFile(join(folder, "loaded.bin"), Buffer.alloc(1_000_000));
  const script = `<p>still</p><script>fetch("${host}/loaded.bin", { mode: "no-cors" })</script>`;
  const file = { bytes: script, filename: "a.html" };
  const client = await createClient("free");
  await setUsage(client.email, 1e9 - 500_000);
  const rejected = await client.run("document/html-to-pdf", file);
  expect(rejected).toMatchObject({
    status: "failed",
    error_code: "usage_limit_reached",
    error: "What the file loads from the network would exceed your plan's monthly usage limit.",
  });
  await setUsage(client.email, 0);
  expect((await client.run("document/html-to-pdf", file)).status).toBe("completed");
  const [row] = await readUsageRows(client.email);
  expect(row).toMatchObject({ used: 1_000_000 + script.length, reserved: 0 });
});

it("a page that floods a server sends 500 requests", async () => {
  const client = await createClient("free");
  // The page waits for its last response, for longer than for requests in general.
  const script = `window.isDone = false;
  const loop = async (_, loop) => {
    for (let count = 0; count < 30; count++) await fetch("${host}/count/flood/" + loop + "-" + count).catch(() => {});
  };
  Promise.all(Array.from({ length: 20 }, loop)).then(() => { window.isDone = true; });`;
  const job = await client.run(
    "document/html-to-pdf",
    { bytes: `<p>still</p><script>${script}</script>`, filename: "a.html" },
    { wait_for_expression: "window.isDone" },
  );
  expect(job.status).toBe("completed");
  expect(job.warnings[0]).toBe(
    "The files of a job load at most 500 resources from the network. Further ones were not loaded.",
  );
  expect(await countRequests(host, "flood")).toBe(500);
});

it("a host that FETCH_ALLOW names for webhooks is closed to inputs, further files and pages", async () => {
  const requests: string[] = [];
  const server = createServer((request, response) => {
    requests.push(`${request.method} ${request.url}`);
    response.end("<p>SECRET</p>");
  }).listen(webhookPort, "127.0.0.1");
  onTestFinished(() => void server.close());
  await once(server, "listening");
  const base = `http://127.0.0.1:${webhookPort}`;
  const client = await createClient("free");
  const input = await client.runUrl("document/html-to-pdf", `${base}/input`);
  expect(input).toMatchObject({ status: "failed", error_code: "address_refused" });
  const file = { bytes: `<p>still</p><iframe src="${base}/frame"></iframe>`, filename: "a.html" };
  const response = await client.postForm("/v1/document/html-to-pdf", {
    file,
    webhook_url: `${base}/hook`,
  });
  const page = await client.finish(response);
  expect(page.warnings).toEqual([
    `The frame ${base}/frame could not be loaded (its address is not allowed).`,
  ]);
  await until(async () => requests.length > 0, 20_000);
  expect(requests).toEqual(["POST /hook"]);
});
