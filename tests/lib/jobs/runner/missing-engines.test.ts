import { chmod, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { sql } from "drizzle-orm";
import { afterAll, beforeAll, expect, it, vi } from "vitest";
import { createApiKey } from "#lib/auth/api-keys.ts";
import { db } from "#lib/db/client.ts";
import type { Job } from "#lib/jobs/view/job.ts";
import { projectFolder } from "#lib/setup/node24.mjs";
import { type BareService, startBareService } from "#tests/service/bare-service.ts";
import { ApiClient } from "#tests/service/http/api-client.ts";
import { acceptFile, makeAccount, readJob, waitForJobState } from "#tests/service/jobs.ts";
import { RunnerProcess } from "#tests/service/runner-process.ts";

/** A real runner on which LibreOffice is not installed, and whose poppler this test breaks and repairs. */

vi.setConfig({ testTimeout: 180_000 });

const pdfinfo = "/usr/bin/pdfinfo";
const document = join(projectFolder, "public/samples/inputs/contract.pdf");
const operation = "document/pdf-to-text";
const params = {};

let folder: string;
let api: BareService;
let client: ApiClient;
let runner: RunnerProcess;

/** The runner's view of the machine, made by bubblewrap as root and as another user. */
const machine = () => [
  "bwrap",
  "--die-with-parent",
  "--dev-bind",
  "/",
  "/",
  "--tmpfs",
  "/usr/lib/libreoffice",
  "--bind",
  join(folder, "pdfinfo"),
  pdfinfo,
  ...(process.getuid?.() === 0 ? ["--cap-add", "ALL"] : []),
];

// The file cannot be written while the check of an engine or a job runs it.
const writePoppler = (program: string | Buffer) =>
  vi.waitFor(() => writeFile(join(folder, "pdfinfo"), program), { timeout: 30_000 });
const breakPoppler = () => writePoppler("#!/missing\n");
const repairPoppler = async () => writePoppler(await readFile(pdfinfo));

const accept = async (path = document, id = operation, given: Record<string, unknown> = params) =>
  (await acceptFile(await makeAccount(), id, given, path)).id;

const post = async () =>
  client.postForm(`/v1/${operation}`, {
    file: { bytes: await readFile(document), filename: "a.pdf" },
    ...params,
  });

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "mediamill-engines-"));
  await breakPoppler();
  await chmod(join(folder, "pdfinfo"), 0o755);
  api = await startBareService({}, { withRunner: false });
  const expiresAt = null;
  const key = { name: "Test", environment: "development", expiresAt } as const;
  const { apiKey } = await createApiKey((await makeAccount()).id, key);
  client = new ApiClient(api.url, apiKey);
});

afterAll(async () => {
  await runner?.stop();
  await api?.kill();
  await rm(folder, { recursive: true, force: true });
});

it("a runner takes none of the jobs of an engine that does not start: they say why, and others are rejected", async () => {
  const accepted = await post();
  expect(accepted.status).toBe(202);
  const { id }: Job = await accepted.json();
  runner = await RunnerProcess.start(
    { NODE_OPTIONS: "--conditions=mediamill-test" },
    "media",
    machine(),
  );
  const warning =
    "The job waits. It needs poppler, which no runner of this server has in a working state.";
  const read = async () => (await client.request(`/v1/jobs/${id}`)).json();
  await expect.poll(read, { timeout: 60_000 }).toMatchObject({ warnings: [warning] });
  expect(await readJob(id)).toMatchObject({ status: "pending", attempts: 0, leaseToken: null });
  // The web process keeps the reports of runners for some seconds.
  await expect.poll(async () => (await post()).status, { timeout: 30_000 }).toBe(503);
  const rejected = await post();
  expect(await rejected.json()).toEqual({
    error: "This operation needs poppler, which no runner of this server has in a working state.",
  });
  expect(runner.started).not.toContain(id);
  await repairPoppler();
  expect(await waitForJobState(id)).toMatchObject({
    status: "completed",
    attempts: 1,
    warnings: [],
  });
  await expect.poll(async () => (await post()).status, { timeout: 30_000 }).toBe(202);
});

it("an engine that no longer starts loses no job", async () => {
  await breakPoppler();
  const id = await accept();
  const { attempts } = await waitForJobState(id, ({ warnings }) => warnings.length > 0);
  // Usually the job finds that poppler does not start; sometimes the runner's check is there before.
  const waiting = { status: attempts === 1 ? "processing" : "pending", attempts, leaseToken: null };
  expect(await readJob(id)).toMatchObject(waiting);
  await repairPoppler();
  expect(await waitForJobState(id)).toMatchObject({ status: "completed", attempts: attempts + 1 });
});

it("a job that has waited for a day for a missing engine fails", async () => {
  const report = join(projectFolder, "public/samples/inputs/report.docx");
  const id = await accept(report, "document/doc-to-pdf", {});
  await waitForJobState(id, ({ warnings }) => warnings.length > 0);
  await db().execute(
    sql`update jobs set created_at = now() - interval '25 hours' where id = ${id}`,
  );
  expect(await waitForJobState(id)).toMatchObject({
    status: "failed",
    errorCode: "internal",
    error: "The job needs libreoffice, which no runner of this server has in a working state.",
    attempts: 0,
  });
});
