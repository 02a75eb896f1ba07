import { execFile } from "node:child_process";
import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, inject, it } from "vitest";
import { python } from "#scripts/commands/clients/python-wheel.ts";
import { createClient } from "#tests/service/http/client.ts";

/** The tests of the Python package, run by pytest against the service. */

const folder = join(import.meta.dirname, "../../../packages/python");

it("the tests of the Python package pass", async () => {
  const account = await createClient();
  const other = await createClient();
  const { url: hostUrl, folder: hostFolder } = inject("host");
  const reports = await mkdtemp(join(tmpdir(), "mediamill-pytest-"));
  const report = join(reports, "report.xml");
  const env = {
    ...process.env,
    PYTHONPATH: join(folder, "src"),
    PYTHONDONTWRITEBYTECODE: "1",
    MEDIAMILL_BASE_URL: inject("service").url,
    MEDIAMILL_API_KEY: account.key,
    TEST_OTHER_API_KEY: other.key,
    TEST_HOST_URL: hostUrl,
    TEST_HOST_FOLDER: hostFolder,
    TEST_WEBHOOK_SECRET: account.webhookSecret,
  };
  const output = await new Promise<string>((resolve) => {
    const args = ["-m", "pytest", "-q", "--tb=short", `--junit-xml=${report}`];
    execFile(python, args, { cwd: folder, env }, (_error, stdout, stderr) =>
      resolve(stdout + stderr),
    );
  });
  const totals = await readTotals(report, output);
  await rm(reports, { recursive: true });
  process.stdout.write(`pytest: ${totals.tests} tests, ${totals.failed} failed\n`);
  expect(totals.failed, output).toBe(0);
  expect(totals.skipped, output).toBe(0);
  // A run that found no tests is not a success.
  expect(totals.tests).toBeGreaterThan(30);
});

/** The totals of pytest's report. Throws with what pytest printed if it wrote none. */
async function readTotals(report: string, output: string) {
  const xml = await readFile(report, "utf8").catch(() => "");
  const count = (name: string) =>
    Number(new RegExp(`<testsuite [^>]*${name}="(\\d+)"`).exec(xml)?.[1]);
  const totals = {
    tests: count("tests"),
    failed: count("failures") + count("errors"),
    skipped: count("skipped"),
  };
  if (Number.isNaN(totals.tests)) throw new Error(`pytest did not run:\n${output}`);
  return totals;
}
