import { existsSync, readFileSync } from "node:fs";
import { writeFile } from "node:fs/promises";
import { afterAll, describe, expect, it, vi } from "vitest";
import { QpdfProcess } from "#lib/engines/pdf/qpdf-process.ts";
import { closeQpdf, countPages, type QpdfArgument, runQpdf } from "#lib/engines/pdf/run-qpdf.ts";
import type * as Spawn from "#lib/engines/sandbox/spawn.ts";
import type { WorkFile, WorkFolder } from "#lib/engines/sandbox/work-folder.ts";
import { WarmPool } from "#lib/engines/warm/pool.ts";
import { runForTenant, sharedTenant } from "#lib/engines/warm/tenant.ts";
import type { FileLimits } from "#lib/limits/limits.ts";
import { mergePdf } from "#lib/operations/document/merge-pdf/index.ts";
import { protectPdf } from "#lib/operations/document/protect-pdf/index.ts";
import { rotatePdf } from "#lib/operations/document/rotate-pdf/index.ts";
import { splitPdf } from "#lib/operations/document/split-pdf/index.ts";
import { makePdfBytes } from "#tests/samples/pdf/pdf-bytes.ts";
import { makeRichPdf } from "#tests/samples/pdf/rich-pdf.ts";
import { execProgram } from "#tests/samples/zygote/exec-program.ts";
import { runOperation, temporaryWorkFolder } from "#tests/support/operation.ts";

const starts = vi.hoisted(() => ({ count: 0 }));

vi.mock("#lib/engines/sandbox/spawn.ts", async (load) => {
  const original = await load<typeof Spawn>();
  const spawnProcess: typeof Spawn.spawnProcess = (...args) => {
    starts.count++;
    return original.spawnProcess(...args);
  };
  return { ...original, spawnProcess };
});

afterAll(closeQpdf);

const never = new AbortController().signal;

async function prepare(
  pdf: Buffer,
  limits: Partial<FileLimits> = {},
): Promise<{ work: WorkFolder; file: WorkFile; output: WorkFile }> {
  const work = temporaryWorkFolder(limits);
  const file = work.input("pdf");
  await writeFile(file.path, pdf);
  return { work, file, output: work.output("pdf") };
}

/** A PDF with an array of so many numbers, which qpdf holds in memory. */
function makeLongArray(count: number): Buffer {
  return makeRichPdf({ pages: 1, catalog: `/Long [${"1 ".repeat(count)}]` });
}

describe("a warm process", () => {
  it.each<[string, readonly string[]]>([
    ["normalized", ["--decrypt", "--object-streams=disable", "--stream-data=preserve"]],
    ["linearized", ["--linearize"]],
    ["with flat annotations", ["--flatten-annotations=screen", "--object-streams=generate"]],
    ["with one level of pages", ["--pages", ".", "1-z", "--"]],
    ["as JSON", ["--json=2", "--json-key=qpdf", "--json-stream-data=none"]],
  ])("writes the bytes that qpdf's program writes: %s", async (_, options) => {
    const { work, file, output } = await prepare(makeRichPdf({ pages: 3 }));
    const isJson = options.some((option) => option.startsWith("--json"));
    const fixed = isJson ? options : [...options, "--deterministic-id"];
    const isAfterInput = options.includes("--pages");
    const arrange = <Input extends QpdfArgument>(input: Input) =>
      isAfterInput ? ["--deterministic-id", input, ...options] : [...fixed, input];
    await runQpdf({ args: arrange(file), output }, work, never);
    const other = work.scratch("pdf");
    execProgram("qpdf", ["--newline-before-endstream", ...arrange(file.path), other.path]);
    // The names of the files are the only difference between the two runs.
    const read = (path: string) =>
      readFileSync(path, "latin1").replaceAll(/"(inputfile|maxobjectid)".*/g, "");
    expect(read(output.path)).toBe(read(other.path));
  });

  it("counts pages, and says whether a file is encrypted or was repaired", async () => {
    const { work, file, output } = await prepare(makeRichPdf({ pages: 12 }));
    const plain = { encrypted: false, repaired: false, hasGaps: false, isDynamic: false };
    expect(await countPages(file, work, never)).toEqual({ pages: 12, ...plain });
    const lying = makeRichPdf({ pages: 3 }).toString("latin1").replace("/Count 3", "/Count 9");
    await writeFile(file.path, lying, "latin1");
    expect(await countPages(file, work, never)).toEqual({ pages: 3, ...plain });
    await writeFile(file.path, makeRichPdf({ pages: 12 }));
    const encrypt = { userPassword: "", ownerPassword: "owner", "256bit": {} };
    await runQpdf({ job: { encrypt }, input: file, output }, work, never);
    expect(await countPages(output, work, never)).toMatchObject({ pages: 12, encrypted: true });
    expect(work.takeWarnings()).toEqual([]);
    const damaged = makeRichPdf({ pages: 2 })
      .toString("latin1")
      .replace(/startxref\n\d+/, "");
    await writeFile(file.path, damaged, "latin1");
    expect(await countPages(file, work, never)).toMatchObject({ pages: 2, repaired: true });
    expect(work.takeWarnings()).toEqual([expect.stringContaining("was repaired")]);
  });

  it("sees no file of another run", async () => {
    const { work, file, output } = await prepare(makeRichPdf({ pages: 1 }));
    await runQpdf({ args: [file], output }, work, never);
    for (const name of ["in/in-0.pdf", "out/out-0.pdf"]) {
      const run = runQpdf({ args: ["--show-npages", name] }, work, never);
      await expect(run).rejects.toThrow(/qpdf did not run: .*No such file/);
    }
  });

  it("says that the service is wrong if it gives an argument that does not exist", async () => {
    const { work, file } = await prepare(makeRichPdf({ pages: 1 }));
    const run = runQpdf({ args: ["--no-such-option", file] }, work, never);
    await expect(run).rejects.toThrow("qpdf did not run: unrecognized argument");
  });
});

describe("a run fails, and the next one succeeds", () => {
  const failures: Record<
    string,
    { pdf: () => Buffer; limits?: Partial<FileLimits>; code: string }
  > = {
    "that takes too long": {
      pdf: () => makeRichPdf({ pages: 3000 }),
      limits: { pdfSeconds: 0.005 },
      code: "timed_out",
    },
    "whose output is too large": {
      pdf: () => makeRichPdf({ pages: 100 }),
      limits: { resultBytes: 10_000 },
      code: "too_large",
    },
    "of a file that is no PDF": { pdf: () => Buffer.from("hello"), code: "corrupt" },
  };
  it.each(Object.entries(failures))(
    "%s",
    { timeout: 120_000 },
    async (_, { pdf, limits = {}, code }) => {
      const failing = await prepare(pdf(), limits);
      const { work, file, output } = failing;
      await expect(runQpdf({ args: [file], output }, work, never)).rejects.toMatchObject({ code });
      expect(existsSync(output.path)).toBe(false);
      const next = await prepare(makeRichPdf({ pages: 1 }));
      expect(await countPages(next.file, next.work, never)).toMatchObject({ pages: 1 });
    },
  );

  it("that is aborted", async () => {
    const { work, file } = await prepare(makeRichPdf({ pages: 3000 }));
    const abort = new AbortController();
    const running = countPages(file, work, abort.signal);
    abort.abort();
    await expect(running).rejects.toMatchObject({ name: "EngineError", aborted: true });
    const next = await prepare(makeRichPdf({ pages: 1 }));
    expect(await countPages(next.file, next.work, never)).toMatchObject({ pages: 1 });
  });
});

it("a process that needs more memory than it may use ends, and the next run gets another", async () => {
  const start = () => QpdfProcess.start({ memoryBytes: 200 * 2 ** 20 });
  const pool = new WarmPool({ engine: "qpdf", size: 1, maxUses: 500, start });
  const count = (pdf: Buffer) =>
    runForTenant(sharedTenant, async () => {
      const { file } = await prepare(pdf);
      return pool.run(async (process) => {
        const args = ["--show-npages", await process.slot.linkIn(file)];
        const options = { timeoutMs: 60_000, signal: never };
        return process.request({ args, fileBytes: 1_000_000 }, options);
      });
    });
  await expect(count(makeLongArray(5_000_000))).rejects.toMatchObject({
    name: "EngineError",
    stderrTail: expect.stringContaining("out of memory"),
  });
  expect(await count(makeRichPdf({ pages: 1 }))).toMatchObject({ warned: false, large: false });
  await pool.close();
});

it("a process is replaced after a file that needed much memory", async () => {
  const process = await QpdfProcess.start();
  const count = async (pdf: Buffer) => {
    const { file } = await prepare(pdf);
    const request = { pages: await process.slot.linkIn(file), fileBytes: 1_000_000 };
    const reply = await process.request(request, { timeoutMs: 60_000 });
    await process.reset();
    return reply;
  };
  expect(await count(makeRichPdf({ pages: 1 }))).toMatchObject({ pages: 1 });
  expect(process.healthy).toBe(true);
  expect(await count(makeLongArray(1_500_000))).toMatchObject({ pages: 1 });
  expect(process.healthy).toBe(false);
  await process.close();
});

it("a process is replaced after it has refused a file that needed much memory", async () => {
  const process = await QpdfProcess.start();
  const { file } = await prepare(makePdfBytes({ objects: [`[${"1 ".repeat(1_500_000)}]`] }));
  const request = { pages: await process.slot.linkIn(file), fileBytes: 1_000_000 };
  const reply = await process.request(request, { timeoutMs: 60_000 });
  expect(reply).toMatchObject({ refusal: expect.stringContaining("/Root dictionary") });
  expect(process.healthy).toBe(false);
  await process.close();
});

it("messages of any number and length are taken, and those of one run do not reach the next", async () => {
  const broken = Array.from({ length: 3000 }, () => `<< /Broken ) /${"x".repeat(2000)} >>`);
  const objects = [
    "<< /Type /Catalog /Pages 2 0 R >>",
    "<< /Type /Pages /Kids [3 0 R] /Count 1 >>",
  ];
  objects.push("<< /Type /Page /Parent 2 0 R /MediaBox [0 0 9 9] >>", ...broken);
  const process = await QpdfProcess.start();
  const write = async (pdf: Buffer) => {
    const { file } = await prepare(pdf);
    const args = ["--preserve-unreferenced", await process.slot.linkIn(file), "out/out.pdf"];
    const reply = await process.request({ args, fileBytes: 2 ** 30 }, { timeoutMs: 60_000 });
    await process.reset();
    return reply;
  };
  expect(await write(makePdfBytes({ objects }))).toMatchObject({ warned: true });
  expect(await write(makeRichPdf({ pages: 1 }))).toMatchObject({ warned: false });
  const noPdf = Buffer.from(`%PDF-1.7\n${"x".repeat(10_000_000)}`);
  expect(await write(noPdf)).toMatchObject({ refusal: expect.stringContaining("trailer") });
  expect(process.healthy).toBe(true);
  await process.close();
});

it("operations on the structure of PDFs start no process", async () => {
  const { file } = await prepare(makeRichPdf({ pages: 3 }));
  const pdf = { path: file.path, type: "pdf" } as const;
  const runAll = async () => {
    await runOperation(mergePdf, [pdf, pdf]);
    await runOperation(splitPdf, pdf);
    await runOperation(rotatePdf, pdf, { angle: 90 });
    await runOperation(protectPdf, pdf, { password: "secret" });
  };
  // Starts the warm processes.
  await runAll();
  starts.count = 0;
  await runAll();
  expect(starts.count).toBe(0);
});
