import { setTimeout as wait } from "node:timers/promises";
import { expect, it } from "vitest";
import type { UploadedFile } from "#lib/api/http/store-upload.ts";
import { GotenbergError } from "#lib/gotenberg/base/errors.ts";
import { step } from "#lib/gotenberg/plan/plan.ts";
import type { Caller } from "#lib/gotenberg/run/caller.ts";
import { mapInParallel } from "#lib/gotenberg/run/map-in-parallel.ts";
import { runPlan } from "#lib/gotenberg/run/run-plan.ts";
import { mediaType } from "#lib/media/types.ts";

const numbers = Array.from({ length: 20 }, (_, index) => index + 1);

it("keeps the order of the files, and processes eight at a time", async () => {
  let running = 0;
  let most = 0;
  const results = await mapInParallel(numbers, 8, async (number) => {
    most = Math.max(most, ++running);
    await wait(20 - number);
    running--;
    return number;
  });
  expect(results).toEqual(numbers);
  expect(most).toBe(8);
});

it("begins no further file after one has failed, and waits for those that are running", async () => {
  const begun: number[] = [];
  const ended: number[] = [];
  const mapping = mapInParallel(numbers, 8, async (number) => {
    begun.push(number);
    await wait(number === 3 ? 5 : 50);
    if (number === 3) throw new Error("number 3");
    ended.push(number);
  });
  await expect(mapping).rejects.toThrow("number 3");
  expect(begun).toEqual(numbers.slice(0, 8));
  expect(ended).toHaveLength(7);
});

it("a request whose third file fails reports that, not the time limit that the first one reaches later", async () => {
  const files = numbers.map((number): UploadedFile => {
    const type = mediaType("pdf");
    return { key: "", filename: `${number}.pdf`, type, bytes: 1, sha256: "" };
  });
  const source = { files };
  const parts = { part: { zip: new Map() } };
  const steps = [step("document/watermark-pdf", {}, { parts })];
  // It fails before any job is created: no caller is needed.
  const caller = {} as Caller;
  let zips = 0;
  const zip = async (): Promise<UploadedFile> => {
    const number = ++zips;
    await wait(number === 3 ? 5 : 50);
    throw number === 3 ? new GotenbergError(400, "bad file") : new GotenbergError(503, "time");
  };
  await expect(runPlan({ source, steps }, { caller, zip })).rejects.toMatchObject({
    status: 400,
    message: "bad file",
  });
  expect(zips).toBe(8);
});
