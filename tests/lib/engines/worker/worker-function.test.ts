import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { afterAll, describe, expect, test } from "vitest";
import { z } from "zod";
import type { WorkFolder } from "#lib/engines/sandbox/work-folder.ts";
import { callInWorker } from "#lib/engines/worker/call.ts";
import { drawSvg, readHeader } from "#lib/engines/worker/image/worker-functions.ts";
import { closeWorkerPool } from "#lib/engines/worker/pool.ts";
import {
  loadWorkerFunction,
  type WorkerCall,
  workerFunction,
} from "#lib/engines/worker/worker-function.ts";
import { rotatePages } from "#lib/operations/shared/pdf/pages/worker-functions.ts";
import { rewritePdf } from "#lib/operations/shared/pdf/rewrite.ts";
import { temporaryWorkFolder } from "#tests/support/operation.ts";

afterAll(closeWorkerPool);

const root = join(import.meta.dirname, "../../../..");
const modules = readdirSync(join(root, "lib"), { recursive: true, encoding: "utf8" })
  .filter((path) => path.endsWith(".ts") && !path.endsWith(".test.ts"))
  .map((path) => join(root, "lib", path))
  .filter((path) => /= workerFunction\(/.test(readFileSync(path, "utf8")));

test("the definitions are found", () => expect(modules.length).toBeGreaterThan(20));

test.each(modules)("%s defines functions that exist, in the order of the file", async (path) => {
  const module = pathToFileURL(path).href;
  const count = [...readFileSync(path, "utf8").matchAll(/^export const \w+ = workerFunction\(/gm)];
  const loaded = count.map((_, index) => loadWorkerFunction(module, index));
  for (const run of await Promise.all(loaded)) expect(run).toBeTypeOf("function");
  await expect(loadWorkerFunction(module, count.length)).rejects.toThrow(
    "defines no worker function",
  );
});

describe("a wrong argument is a type error", () => {
  const calls = (work: WorkFolder, signal: AbortSignal) => {
    const common = { files: [], work, signal };
    return [
      // @ts-expect-error: the width is a number.
      () => callInWorker(drawSvg, { ...common, options: { width: "wide" } }),
      // @ts-expect-error: the function has options.
      () => callInWorker(drawSvg, common),
      // @ts-expect-error: the function has no options.
      () => callInWorker(readHeader, { ...common, options: { width: 1 } }),
      // @ts-expect-error: the angle is missing.
      () => rewritePdf(rotatePages, { inputs: [], work, signal, options: { pages: "1" } }),
      async () => {
        const { result } = await callInWorker(readHeader, common);
        // @ts-expect-error: the result has no such field.
        return result.depthInMeters;
      },
      () => {
        const run = async (_: WorkerCall) => ({ outputs: [], result: { pages: 1 } });
        // @ts-expect-error: the schema has another type than the function's result.
        return workerFunction("file:///none", async () => run, z.object({ pages: z.string() }));
      },
    ];
  };
  // The compiler is the test: `npm run verify -- types` reports an expected error that is none.
  test("is checked", () => expect(calls).toBeTypeOf("function"));
});

test("a worker runs the function that its caller names", async () => {
  const work = temporaryWorkFolder();
  const task = callInWorker(readHeader, { work, signal: new AbortController().signal });
  await expect(task).rejects.toMatchObject({
    code: "internal",
    cause: { message: expect.stringContaining("the call has no file") },
  });
});
