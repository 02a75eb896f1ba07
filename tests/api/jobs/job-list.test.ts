import { beforeAll, expect, it } from "vitest";
import type { Job } from "#lib/jobs/view/job.ts";
import { insertKey } from "#tests/service/accounts.ts";
import { Client, createClient } from "#tests/service/http/client.ts";
import { expectError } from "#tests/support/expect-error.ts";

const client = new Client();
const made: Job[] = [];
let lister: Awaited<ReturnType<typeof createClient>>;

beforeAll(async () => {
  lister = await createClient();
  for (const order of ["1", "2", "3", "4"]) {
    const file = { bytes: `note ${order}`, filename: `Note_${order}.txt` };
    const metadata = JSON.stringify({ order, "shop name": "müller" });
    made.unshift(await lister.run("pipeline/file-inspect", file, { metadata }));
  }
  made.unshift(await lister.runUrl("pipeline/file-inspect", "http://127.0.0.1:1/"));
});

const list = async (query: string) => {
  const response = await lister.request(query.startsWith("/") ? query : `/v1/jobs?${query}`);
  expect(response.status).toBe(200);
  const { jobs } = (await response.json()) as { jobs: Job[] };
  const links = [...(response.headers.get("link") ?? "").matchAll(/<(.+?)>; rel="(\w+)"/g)];
  return {
    ids: jobs.map((job) => job.id),
    total: response.headers.get("x-total-count"),
    links: Object.fromEntries(links.map(([, path, rel]) => [rel, path])),
  };
};
const ids = (from: number, to: number) => made.slice(from, to).map((job) => job.id);

it("follows the links forwards and backwards, without a gap or a repeat", async () => {
  const first = await list(`limit=2&starting_after=${made[0]?.id}`);
  expect([first.ids, first.total]).toEqual([ids(1, 3), "5"]);
  const last = await list(first.links.next ?? "");
  expect([last.ids, last.links.next]).toEqual([ids(3, 5), undefined]);
  const back = await list(last.links.prev ?? "");
  expect(back.ids).toEqual(ids(1, 3));
  const newest = await list(back.links.prev ?? "");
  expect([newest.ids, newest.links.prev]).toEqual([ids(0, 1), undefined]);
  expect((await list(newest.links.next ?? "")).ids).toEqual(ids(1, 3));
  expect((await list(`starting_after=${made.at(-1)?.id}`)).ids).toEqual([]);
});

it("refuses two positions at once, and another account's job as one that does not exist", async () => {
  const mine = made[0]?.id;
  const { id: theirs } = await client.runUrl("image/sharpen", "http://127.0.0.1:1/");
  const both = [`starting_after=${mine}&ending_before=${mine}`, `ending_before=${mine}&offset=0`];
  for (const query of [...both, `starting_after=${theirs}`, `ending_before=${theirs}`]) {
    const response = await lister.request(`/v1/jobs?${query}`);
    await expectError(response, "invalid_parameter");
  }
});

it("filters by file name, error code and metadata", async () => {
  expect((await list("filename=NOTE_2")).ids).toEqual(ids(3, 4));
  expect((await list("filename=note")).total).toBe("4");
  expect((await list("filename=note%25")).total).toBe("0");
  expect((await list("error_code=address_refused")).ids).toEqual(ids(0, 1));
  expect((await list("metadata[order]=3")).ids).toEqual(ids(2, 3));
  expect((await list("metadata[order]=3&metadata[shop%20name]=m%C3%BCller")).total).toBe("1");
  expect((await list("metadata[order]=3&metadata[shop%20name]=else")).total).toBe("0");
  const page = await list("metadata[shop%20name]=m%C3%BCller&limit=3");
  expect((await list(page.links.next ?? "")).ids).toEqual(ids(4, 5));
});

it("filters by the API key that created the job", async () => {
  const other = await insertKey(lister.id);
  const second = new Client(other.key);
  const job = await second.run("pipeline/file-inspect", { bytes: "x", filename: "x.txt" });
  expect((await list(`key=${other.keyId}`)).ids).toEqual([job.id]);
  expect((await list(`key=key_${"0".repeat(24)}`)).ids).toEqual([]);
});

it.each([
  "starting_after=job_1",
  `starting_after=job_${"0".repeat(24)}`,
  `ending_before=job_${"0".repeat(24)}`,
  `starting_after=job_${"0".repeat(24)}&offset=0`,
  "error_code=broken",
  "filename=",
  "filename=a%00b",
  "key=mm_live_1",
  "metadata=7",
  "metadata[]=7",
  "metadata[a]=1&metadata[a]=2",
  "metadata[a]=1&metadata=2",
  "metadata[__proto__]=7",
  "metadata[a]=%00",
  `metadata[a]=${"x".repeat(501)}`,
  Array.from({ length: 17 }, (_, index) => `metadata[${index}]=1`).join("&"),
  "status[a]=failed",
])("a query that is not valid answers 400: %s", async (query) => {
  await expectError(await client.request(`/v1/jobs?${query}`), "invalid_parameter");
});
