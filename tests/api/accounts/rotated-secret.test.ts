import { once } from "node:events";
import { readFile } from "node:fs/promises";
import { createServer, type Server } from "node:http";
import { join } from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import { afterAll, beforeAll, expect, it, vi } from "vitest";
import type { Job } from "#lib/jobs/view/job.ts";
import { insertAccount } from "#tests/service/accounts.ts";
import { ApiClient } from "#tests/service/http/api-client.ts";
import { FormBrowser } from "#tests/service/http/form-browser.ts";
import { runAdmin } from "#tests/service/run-admin.ts";
import { freePort, type Stack, startSmallStack } from "#tests/service/stack.ts";

/** A service whose secret is rotated while a person is signed in and a job with a secret parameter waits. */

// It stops and starts a whole service.
vi.setConfig({ testTimeout: 180_000 });

const document = join(import.meta.dirname, "../../../public/samples/inputs/contract.pdf");
const password = "purple lighthouse 9";

let files: Server;
let variables: Record<string, string>;
let input: string;
/** Whether the rest of the job's file may be sent. */
let isReleased = false;
let stack: Stack;
/** Only the first start prints it. */
let apiKey: string;

beforeAll(async () => {
  const port = await freePort();
  input = `http://127.0.0.1:${port}/contract.pdf`;
  const bytes = await readFile(document);
  // Byte by byte until it is released: a server that sends nothing would be given up.
  files = createServer(async (_request, response) => {
    response.writeHead(200, { "content-type": "application/pdf", "content-length": bytes.length });
    let sent = 0;
    while (!isReleased && !response.destroyed) {
      response.write(bytes.subarray(sent, ++sent));
      await wait(500);
    }
    response.end(bytes.subarray(sent));
  }).listen(port, "127.0.0.1");
  await once(files, "listening");
  const web = String(await freePort());
  variables = { PORT: web, FETCH_ALLOW: `127.0.0.1:${port}` };
  stack = await startSmallStack(variables);
  apiKey = stack.apiKey;
});

afterAll(async () => {
  await stack?.stop();
  files.close();
  files.closeAllConnections();
});

it("sessions, links, repeated requests and secret parameters of waiting jobs outlive `secret rotate`", async () => {
  const { dataDir } = stack;
  const { email } = await insertAccount({ password }, dataDir);
  const browser = new FormBrowser(stack.url);
  expect((await browser.signIn(email, password)).status).toBe(200);
  const isSignedIn = async () => (await browser.send("/dashboard/settings")).status === 200;
  const client = new ApiClient(stack.url, apiKey);
  const done = await client.finish(
    await client.postForm("/v1/document/set-metadata", {
      file: { bytes: await readFile(document), filename: "contract.pdf" },
      title: "A title",
    }),
  );
  const link = done.outputs[0]?.url ?? "";
  const statusOfLink = async () => (await fetch(link)).status;
  const send = () =>
    client.postJson(
      "/v1/document/protect-pdf",
      { input, password: "opens it" },
      { "idempotency-key": "protect" },
    );
  const { id }: Job = await (await send()).json();
  expect([await isSignedIn(), await statusOfLink()]).toEqual([true, 200]);

  expect(await stack.stop({ keepsData: true })).toBe(0);
  const rotated = await runAdmin(dataDir, "secret", "rotate");
  const previous = join(dataDir, "secret-previous");
  expect(rotated).toMatchObject({ previous, next: "restart the services" });
  stack = await startSmallStack(variables, undefined, dataDir);
  expect([await isSignedIn(), await statusOfLink()]).toEqual([true, 200]);
  const again = await send();
  expect(again.headers.get("idempotency-replayed")).toBe("true");
  expect(await again.clone().json()).toMatchObject({ id });
  isReleased = true;
  const job = await client.finish(again);
  expect(job).toMatchObject({ id, status: "completed", error: null, params: { password: "***" } });
  const bytes = Buffer.from(await (await fetch(job.outputs[0]?.url ?? "")).arrayBuffer());
  const unlock = async (given: string) => {
    const fields = { file: { bytes, filename: "protected.pdf" }, password: given };
    return (await client.finish(await client.postForm("/v1/document/unlock-pdf", fields))).status;
  };
  expect([await unlock("opens it"), await unlock("another one")]).toEqual(["completed", "failed"]);
});
