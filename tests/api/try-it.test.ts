import { randomBytes } from "node:crypto";
import { expect, inject, it } from "vitest";
import type { JobDetails } from "#lib/jobs/view/details.ts";
import type { Job } from "#lib/jobs/view/job.ts";
import { createClient } from "#tests/service/client.ts";
import { FormBrowser } from "#tests/service/form-browser.ts";

/** The home page of the service in a browser without an account. */
class Visitor extends FormBrowser {
  constructor() {
    super(inject("service").url);
  }

  run(operation: string, fields: Readonly<Record<string, string | File>>, init: RequestInit = {}) {
    const body = new FormData();
    for (const [name, value] of Object.entries(fields)) body.append(name, value);
    return this.send(`/try/run/${operation}`, { method: "POST", body, ...init });
  }

  inspect(file = new File(["some text"], "a.txt")) {
    return this.run("pipeline/file-inspect", { file });
  }
}

/** The last state that a job's event stream sends. */
async function follow(visitor: Visitor, id: string): Promise<JobDetails> {
  const text = await (await visitor.send(`/try/jobs/${id}/events`)).text();
  const last = text.match(/^data: .*$/gm)?.at(-1) ?? "";
  return JSON.parse(last.replace("data: ", "")) as JobDetails; // the service's event
}

const errorOf = async (response: Response) => [
  response.status,
  response.headers.get("x-error-code"),
];

it("a visitor runs an operation on a file and downloads the result, which no one else can see", async () => {
  const visitor = new Visitor();
  const response = await visitor.run("image/qr-code", { text: "https://example.com" });
  expect(response.status).toBe(202);
  const { id } = (await response.json()) as Job; // the service's response
  expect(visitor.setCookies.join()).toMatch(/visitor=[^;]+;.*HttpOnly/i);
  const { job } = await follow(visitor, id);
  expect(job).toMatchObject({ status: "completed", operation: "image/qr-code" });
  const output = await visitor.send(job.outputs[0]?.url ?? "");
  expect(output.headers.get("content-type")).toBe("image/png");
  const archive = await visitor.send(`/try/jobs/${id}/archive`);
  expect(archive.headers.get("content-type")).toBe("application/zip");
  await archive.body?.cancel();
  const hours = (Date.parse(job.outputs[0]?.expires_at ?? "") - Date.now()) / 3_600_000;
  expect(hours).toBeGreaterThan(0.9);
  expect(hours).toBeLessThanOrEqual(1);

  const other = new Visitor();
  expect((await other.send(`/try/jobs/${id}/events`)).status).toBe(404);
  expect((await other.inspect()).status).toBe(202);
  expect((await other.send(`/try/jobs/${id}/events`)).status).toBe(404);
  expect((await (await createClient("free")).request(`/v1/jobs/${id}`)).status).toBe(404);
  // The cookie opens nothing else, and a changed one opens nothing.
  expect((await visitor.send(`/dashboard/jobs/${id}/events`)).status).toBe(401);
  expect((await visitor.open("/dashboard")).path).toMatch(/^\/sign-in/);
  const [[name, value] = ["", ""]] = visitor.cookies;
  const forged = new Visitor();
  forged.cookies.set(
    name,
    value.replace(/.$/, (last) => (last === "0" ? "1" : "0")),
  );
  expect((await forged.send(`/try/jobs/${id}/events`)).status).toBe(404);
});

it("visitors send files only, of at most 10 MB, from the home page only", async () => {
  const visitor = new Visitor();
  const file = new File(["some text"], "a.txt");
  const url = inject("host").url;
  expect(
    await errorOf(await visitor.run("pipeline/file-inspect", { input: `${url}/a.txt` })),
  ).toEqual([403, "forbidden"]);
  const webhook_url = "https://example.com/hook";
  expect(await errorOf(await visitor.run("pipeline/file-inspect", { file, webhook_url }))).toEqual([
    403,
    "forbidden",
  ]);
  expect(await errorOf(await visitor.run("audio/transcribe", { file }))).toEqual([
    403,
    "forbidden",
  ]);
  const large = new File([randomBytes(10_000_001)], "large.bin");
  expect(await errorOf(await visitor.inspect(large))).toEqual([413, "too_large"]);
  const init = { headers: { origin: "https://evil.example", "sec-fetch-site": "cross-site" } };
  expect((await visitor.run("pipeline/file-inspect", { file }, init)).status).toBe(403);
  const bare = { headers: { origin: "none at all", "sec-fetch-site": "none at all" } };
  expect((await visitor.run("pipeline/file-inspect", { file }, bare)).status).toBe(403);
});

it("five runs a visitor, and no more of a network address for those who drop their cookie", async () => {
  const visitor = new Visitor();
  const statuses: number[] = [];
  for (let count = 0; count < 6; count++) statuses.push((await visitor.inspect()).status);
  expect(statuses).toEqual([202, 202, 202, 202, 202, 429]);
  let last = await new Visitor().inspect();
  for (let count = 0; count < 20 && last.status !== 429; count++)
    last = await new Visitor().inspect();
  expect(await errorOf(last)).toEqual([429, "rate_limited"]);
  expect(Number(last.headers.get("retry-after"))).toBeGreaterThan(60);
  expect((await last.json()) as object).toMatchObject({
    error: expect.stringContaining("Create a free account"),
  });
});
