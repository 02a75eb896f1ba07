import { copyFile, mkdtemp, stat, writeFile } from "node:fs/promises";
import { availableParallelism } from "node:os";
import sharp from "sharp";
import { closeEngines, warmUpEngines } from "#lib/engines/index.ts";
import { WorkFolder } from "#lib/engines/sandbox/work-folder.ts";
import { runForTenant } from "#lib/engines/warm/tenant.ts";
import { dataPath, env } from "#lib/env.ts";
import { tenantOf } from "#lib/jobs/run/tenant-of.ts";
import { type MediaTypeId, mediaType } from "#lib/media/types.ts";
import { noNetwork } from "#lib/net/no-network.ts";
import type { Operation } from "#lib/operations/define.ts";
import { docToPdf } from "#lib/operations/document/doc-to-pdf/index.ts";
import { htmlToPdf } from "#lib/operations/document/html-to-pdf/index.ts";
import { executeOperation } from "#lib/operations/execute.ts";
import { resize } from "#lib/operations/image/resize/index.ts";
import { makeDocx } from "#tests/samples/office/word.ts";
import { type BenchRow, makeRow, timed } from "../report/rows.ts";

/**
 * One side of the comparison: small jobs with the `ENGINE_ISOLATION` of this process. First one after the
 * other, then as many at a time as there are cores. Sends the rows to its parent.
 */

const crowds = { "one account": 1, "two accounts in turn": 2, "20 accounts in turn": 20 } as const;
const sequentialJobs = 12;
const concurrentJobs = 20;

interface IsolationCase {
  readonly name: string;
  readonly operation: Operation;
  readonly params: Record<string, unknown>;
  readonly path: string;
  readonly type: MediaTypeId;
}

async function makeCases(): Promise<readonly IsolationCase[]> {
  const noise = { type: "gaussian", mean: 128, sigma: 30 } as const;
  const image = { width: 640, height: 400, channels: 3, background: "#888", noise } as const;
  await sharp({ create: image }).jpeg().toFile(dataPath("photo.jpg"));
  await writeFile(dataPath("page.html"), "<!doctype html><h1>One page</h1><p>of text</p>");
  await writeFile(dataPath("document.docx"), makeDocx(["Dear reader,", "this is a document."]));
  return [
    {
      name: "image/resize, 640×400 JPEG",
      operation: resize,
      params: { width: 320 },
      path: dataPath("photo.jpg"),
      type: "jpeg",
    },
    {
      name: "document/html-to-pdf, one page",
      operation: htmlToPdf,
      params: {},
      path: dataPath("page.html"),
      type: "html",
    },
    {
      name: "document/doc-to-pdf, one page",
      operation: docToPdf,
      params: {},
      path: dataPath("document.docx"),
      type: "docx",
    },
  ];
}

/** Runs a job as the runner does for a job of `accountId`. */
async function runAs(accountId: string, one: IsolationCase): Promise<void> {
  const work = WorkFolder.create(await mkdtemp(dataPath("job-")), { network: noNetwork });
  const file = work.input(mediaType(one.type).extension);
  await copyFile(one.path, file.path);
  const { size: bytes } = await stat(file.path);
  const input = { ...file, type: mediaType(one.type), bytes, filename: `input.${one.type}` };
  const params = one.operation.params.parse(one.params);
  const { signal } = new AbortController();
  const request = { input, inputs: [input], files: {}, params, work, signal, progress: () => {} };
  const tenant = tenantOf({ id: "job", plan: "free", accountId });
  await runForTenant(tenant, () => executeOperation(one.operation, request));
  await work.remove();
}

async function measure(one: IsolationCase, crowd: string, accounts: number): Promise<BenchRow[]> {
  const run = (index: number) => runAs(`account-${index % accounts}`, one);
  for (let index = 0; index < 2; index++) await run(index);
  const times: number[] = [];
  for (let index = 0; index < sequentialJobs; index++)
    times.push((await timed(() => run(index))).value);
  let next = 0;
  const work = async () => {
    while (next < concurrentJobs) await run(next++);
  };
  const { value } = await timed(() =>
    Promise.all(Array.from({ length: availableParallelism() }, work)),
  );
  const row = `${one.name}, ${crowd}`;
  return [
    makeRow(`${row}: one at a time`, env.ENGINE_ISOLATION, "ms", times),
    makeRow(`${row}: at once`, env.ENGINE_ISOLATION, "jobs/s", concurrentJobs / (value / 1000)),
  ];
}

await warmUpEngines();
const rows: BenchRow[] = [];
for (const one of await makeCases()) {
  for (const [crowd, accounts] of Object.entries(crowds))
    rows.push(...(await measure(one, crowd, accounts)));
}
await closeEngines();
process.send?.(rows, () => process.exit(0));
