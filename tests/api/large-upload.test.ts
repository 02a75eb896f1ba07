import { expect, inject, it } from "vitest";
import { createClients } from "#tests/service/accounts.ts";
import { measureWebMemory, uploadZeros } from "#tests/service/http/large-upload.ts";

const megabyte = 1e6;

it("an upload of 300 MB does not fill the web process's memory", async () => {
  const [client] = await createClients(1, "pro");
  if (!client) throw new Error("no account");
  const upload = () => uploadZeros(client, 300 * megabyte);
  const { result, before, peak } = await measureWebMemory(inject("service").dataDir, upload);
  expect(result.status).toBe(202);
  const job = await client.finish(result);
  expect(job).toMatchObject({ status: "completed", input: { bytes: 300 * megabyte } });
  // Other tests use memory at the same time. An upload held in memory would need twice this limit.
  expect(peak - before).toBeLessThan(150 * megabyte);
  await client.request(`/v1/jobs/${job.id}`, { method: "DELETE" });
}, 180_000);
