import { writeFile } from "node:fs/promises";
import { availableParallelism } from "node:os";
import { setTimeout as wait } from "node:timers/promises";
import { afterAll, expect, it, vi } from "vitest";
import { closeLibreOffice, convertToPdf } from "#lib/engines/libreoffice/libreoffice.ts";
import { LibreOfficeProcess } from "#lib/engines/libreoffice/process.ts";
import { env } from "#lib/env.ts";
import { mediaType } from "#lib/media/types.ts";
import { engineRestarts } from "#lib/metrics.ts";
import { temporaryWorkFolder } from "#tests/support/operation.ts";

const settings: { ENGINE_IDLE_SECONDS: number } = env;
const idleSeconds = 1;
settings.ENGINE_IDLE_SECONDS = idleSeconds;

afterAll(() => closeLibreOffice());

async function convert(): Promise<void> {
  const work = temporaryWorkFolder();
  const input = { ...work.input("txt"), type: mediaType("txt") };
  await writeFile(input.path, "text");
  const { signal } = new AbortController();
  await convertToPdf({ input, output: work.output("pdf"), work, pages: "", signal });
}

async function countStopped(): Promise<number> {
  const { values } = await engineRestarts.get();
  const stopped = values.find(
    ({ labels }) => labels.engine === "libreoffice" && labels.reason === "idle",
  );
  return stopped?.value ?? 0;
}

it("without documents, one LibreOffice stays warm, and the next document starts none", async () => {
  const start = vi.spyOn(LibreOfficeProcess, "start");
  const size = env.MEDIA_CONCURRENCY ?? availableParallelism();
  await Promise.all(Array.from({ length: size }, () => convert()));
  const started = start.mock.calls.length;
  await vi.waitFor(async () => expect(await countStopped()).toBe(started - 1), { timeout: 20_000 });
  await wait(2 * idleSeconds * 1000);
  expect(await countStopped()).toBe(started - 1);
  await convert();
  expect(start).toHaveBeenCalledTimes(started);
});
