import { expect, inject, it } from "vitest";
import { createClients } from "#tests/service/accounts.ts";
import { uploadZeros, measureWebMemory } from "#tests/service/large-upload.ts";

const megabyte = 1e6;

it("an upload of 300 MB leaves the web process's memory as it was", async () => {
  const [client] = await createClients(1, "pro");
  if (!client) throw new Error("no account");
  const upload = () => uploadZeros(client, 300 * megabyte);
  const { result, before, peak } = await measureWebMemory(inject("service").dataDir, upload);
  expect(result.status).toBe(202);
  const job = await client.finish(result);
  expect(job).toMatchObject({ status: "completed", input: { bytes: 300 * megabyte } });
  // What other tests have the process do meanwhile counts too; held whole, it would be twice as much.
  expect(peak - before).toBeLessThan(150 * megabyte);
  await client.request(`/v1/jobs/${job.id}`, { method: "DELETE" });
}, 180_000);
