import { expect, it } from "vitest";
import { createClients } from "#tests/service/accounts.ts";
import { fetchDocument, findFaults, listEndpoints } from "#tests/service/http/openapi.ts";

it("reports jobs by operation, key, day and error code, as JSON and CSV", async () => {
  const [client] = await createClients(1, "pro");
  if (!client) throw new Error("no client");
  const text = { bytes: "some text", filename: "a.txt" };
  await client.run("pipeline/file-inspect", text);
  await client.runUrl("image/sharpen", "http://10.0.0.1/");
  const document = await fetchDocument();
  const endpoint = listEndpoints(document).find((one) => one.operationId === "readUsage");
  if (!endpoint) throw new Error("the endpoint is not documented");
  const report = async (query: string) => {
    const response = await client.request(`/v1/usage?${query}`);
    expect(await findFaults(document, endpoint, response.clone())).toEqual([]);
    return response;
  };
  const today = new Date(new Date().toISOString().slice(0, 10));
  const tomorrow = new Date(today.getTime() + 86_400_000).toISOString();
  const range = `created_after=${today.toISOString()}&created_before=${tomorrow}`;
  const errors = [{ error_code: "address_refused", jobs: 1 }];
  const counts = { jobs: 2, completed: 1, failed: 1, cancelled: 0, bytes: 9, errors };

  const byOperation = await (await report(`group_by=operation&${range}`)).json();
  expect(byOperation).toMatchObject({
    group_by: "operation",
    created_after: today.toISOString(),
    created_before: tomorrow,
    total: { ...counts, duration_p50_ms: expect.any(Number), duration_p95_ms: expect.any(Number) },
    groups: [
      { group: "image/sharpen", jobs: 1, failed: 1, errors },
      { group: "pipeline/file-inspect", jobs: 1, completed: 1, bytes: 9 },
    ],
  });
  expect(byOperation.groups[0]).not.toHaveProperty("duration_p50_ms");
  expect(await (await report(`group_by=key&${range}`)).json()).toMatchObject({
    groups: [{ ...counts, group: expect.stringMatching(/^key_/), name: "First key" }],
  });
  // This month, by default. A day has a group even without a job.
  const byDay = await (await report("group_by=day")).json();
  expect(byDay.groups).toHaveLength(today.getUTCDate());
  expect(byDay.groups.at(-1)).toMatchObject(counts);
  expect(await (await report(`group_by=error_code&${range}`)).json()).toMatchObject({
    groups: [{ group: "address_refused", jobs: 1, failed: 1, errors }],
  });

  const csv = await report(`group_by=operation&format=csv&${range}`);
  expect(csv.headers.get("content-type")).toBe("text/csv; charset=utf-8");
  expect((await csv.text()).split("\r\n")).toEqual([
    "operation,jobs,completed,failed,cancelled,bytes,duration_p50_ms,duration_p95_ms,errors",
    "image/sharpen,1,0,1,0,0,,,address_refused: 1",
    expect.stringMatching(/^pipeline\/file-inspect,1,1,0,0,9,\d+,\d+,$/),
    "",
  ]);

  for (const [query, message] of [
    ["format=csv", "`format` needs `group_by`"],
    ["group_by=color", "`group_by`"],
    ["group_by=day&created_after=2026-01-01T12:00:00Z", "the start of a day in UTC"],
    ["group_by=day&created_after=2020-01-01T00:00:00Z", "1 to 366 days after"],
    ["group_by=day&created_before=2020-01-01T00:00:00Z&created_after=2020-01-01T00:00:00Z", "1 to"],
  ] as const) {
    const response = await report(query);
    expect(response.status).toBe(400);
    expect((await response.json()).error).toContain(message);
  }
  const plain = await (await report("")).json();
  expect(Object.keys(plain)).toEqual([
    "plan",
    "gb_used",
    "gb_included",
    "gb_remaining",
    "total_jobs",
  ]);
});
