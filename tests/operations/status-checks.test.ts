import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, it, onTestFinished } from "vitest";
import { checkedEngines } from "#lib/db/schema/operator/checked-engines.ts";
import { sniffFile } from "#lib/formats/sniff/sniff.ts";
import { statusCheckJobs } from "#lib/jobs/status/checks.ts";
import { findOperation } from "#lib/operations/catalogue/index.ts";
import { runOperation } from "#tests/support/operation.ts";

it.each(checkedEngines)(
  "the status check of %s completes with the file that it expects",
  async (engine) => {
    const {
      operation: id,
      params,
      filename,
      type,
      bytes,
      produces,
      requires,
    } = statusCheckJobs[engine];
    const operation = findOperation(id);
    if (!operation) throw new Error(`there is no operation ${id}`);
    expect(operation.requires).toEqual(requires);
    expect(operation.accepts).toContain(type);
    expect(operation.params.safeParse(params).success).toBe(true);
    const folder = await mkdtemp(join(tmpdir(), "mediamill-check-"));
    onTestFinished(() => rm(folder, { recursive: true }));
    const path = join(folder, filename);
    await writeFile(path, bytes());
    const { outputs } = await runOperation(operation, { path, type, filename }, { ...params });
    expect(outputs).toHaveLength(1);
    expect((await sniffFile(outputs[0]?.path ?? "")).mime).toBe(produces);
  },
);
