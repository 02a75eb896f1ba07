import { afterAll, beforeAll, expect, it } from "vitest";
import type { Job } from "#lib/jobs/view/job.ts";
import { type S3Server, startS3Server } from "#tests/servers/storage/s3.ts";
import { ApiClient } from "#tests/service/http/api-client.ts";
import { type Stack, startSmallStack } from "#tests/service/stack.ts";

let store: S3Server;
let stack: Stack;
let client: ApiClient;
let job: Job;

beforeAll(async () => {
  store = await startS3Server();
  stack = await startSmallStack({ ...store.variables, DOWNLOADS: "proxy" });
  client = new ApiClient(stack.url, stack.apiKey);
  job = await client.run("pipeline/file-inspect", { bytes: "in a bucket", filename: "note.txt" });
});
afterAll(async () => {
  await stack?.stop();
  await store.close();
});

it("with DOWNLOADS=proxy the service itself sends the files of a bucket, and ranges of them", async () => {
  const signed = await fetch(job.outputs[0]?.url ?? "", { redirect: "manual" });
  expect([signed.status, await signed.json()]).toMatchObject([200, { bytes: 11 }]);
  const headers = { range: "bytes=0-1" };
  const part = await client.request(`/v1/jobs/${job.id}/output`, { headers });
  expect([part.status, await part.text()]).toEqual([206, "{\n"]);
});
