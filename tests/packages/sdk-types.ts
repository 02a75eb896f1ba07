import type { Job } from "#lib/jobs/view/job.ts";
import type { JobStep } from "#lib/jobs/view/steps.ts";
import type { JobData, JobStepData, Mediamill } from "#packages/sdk/src/index.ts";

/** What the service sends has the types of the SDK, which are generated from the API's schemas. */
export const jobOfService = (job: Job): JobData => job;
export const stepOfService = (step: JobStep): JobStepData => step;
/** Only the error code is any text. */
export const jobOfClient = (job: JobData): Omit<Job, "error_code"> => job;

/** What must compile, and what must not. The type check of the project is the test. */
export async function check(mm: Mediamill): Promise<void> {
  const input = "photo.jpg";
  await mm.run("image/resize", { input, width: 800 });
  await mm.run("image/resize", { input: new Blob(), width: 800, fit: "cover" }, { timeout: 5 });
  await mm.run("image/animated", { inputs: [input, new URL("https://example.com/a.png")] });
  await mm.run("image/qr-code", { text: "a" });
  await mm.run("image/watermark-image", { input, watermark: new Blob() });
  await mm.run("image/watermark-image", { input, watermark_url: "https://example.com/a.png" });
  mm.chain(input).resize({ width: 1 }).convert({ format: "png" }).add("image/blur", {});

  // @ts-expect-error: there is no such operation
  await mm.run("image/resizes", { input });
  // @ts-expect-error: there is no such parameter
  await mm.run("image/resize", { input, widht: 800 });
  // @ts-expect-error: a number is needed
  await mm.run("image/resize", { input, width: "800" });
  // @ts-expect-error: one of the fits is needed
  await mm.run("image/resize", { input, fit: "covers" });
  // @ts-expect-error: the text is required
  await mm.run("image/qr-code", {});
  // @ts-expect-error: it takes no file
  await mm.run("image/qr-code", { input, text: "a" });
  // @ts-expect-error: it takes several files
  await mm.run("image/animated", { input });
  // @ts-expect-error: a file is needed
  await mm.run("image/resize", { width: 800 });
  // @ts-expect-error: the watermark is required
  await mm.run("image/watermark-image", { input });
  // @ts-expect-error: one of both
  await mm.run("image/watermark-image", { input, watermark: input, watermark_url: input });
  // @ts-expect-error: a chain has operations on one file only
  mm.chain(input).add("image/qr-code", { text: "a" });
  // @ts-expect-error: the format is required
  mm.chain(input).convert({});
}

/** What the results of jobs are. */
export async function checkResults(mm: Mediamill): Promise<unknown[]> {
  const input = "speech.mp3";
  const { result } = await mm.run("audio/silence-detect", { input });
  const starts: number[] = result.silences.map(({ start }) => start);
  const inspected = await mm.run("pipeline/file-inspect", { input });
  const hash: string | null = inspected.result.sha256;
  const mixed = await mm.run("audio/mix", { inputs: [input, input] });
  const ducked: number | undefined = mixed.result?.ducked.length;
  const resized: null = (await mm.run("image/resize", { input })).result;
  const created = await mm.create("image/palette", { input });
  const color: string | undefined = (await mm.jobs.wait(created)).result?.colors[0]?.hex;

  return [
    starts,
    hash,
    ducked,
    resized,
    color,
    // @ts-expect-error: there is no such field
    result.silence,
    // @ts-expect-error: it has a result only if it ducks
    mixed.result.ducked,
    // @ts-expect-error: the job may not be completed yet
    created.result.colors,
    // @ts-expect-error: it is a number
    result.duration.length,
    // @ts-expect-error: the operation returns files only
    (await mm.run("image/resize", { input })).result.width,
  ];
}
