import { afterEach, beforeEach, expect, it } from "vitest";
import { listUnavailableOperations } from "#lib/api/job-creation/unavailable-operations.ts";
import { db } from "#lib/db/client.ts";
import { recordHeartbeat, removeRunner } from "#lib/db/queries/jobs/runners.ts";
import { runners } from "#lib/db/schema/runners.ts";
import { env } from "#lib/env.ts";

const settings: { TRANSCRIBE_URL?: string | undefined } = env;
const before = settings.TRANSCRIBE_URL;
const id = "run_without_chromium";

beforeEach(() => {
  settings.TRANSCRIBE_URL = undefined;
});
afterEach(async () => {
  settings.TRANSCRIBE_URL = before;
  await removeRunner(db(), id);
});

it("operations without their server or engine are listed, and no others", async () => {
  await db().delete(runners);
  await recordHeartbeat(db(), {
    id,
    kind: "media",
    report: { engines: { chromium: null, ffmpeg: "7.1" } },
  });
  const found = await listUnavailableOperations();
  const byId = new Map(found.map((one) => [one.id, one]));
  expect(byId.get("audio/transcribe")).toMatchObject({ variable: "TRANSCRIBE_URL" });
  expect(byId.get("document/html-to-pdf")).toEqual({
    id: "document/html-to-pdf",
    message: expect.stringContaining("chromium"),
    variable: null,
  });
  expect(byId.has("image/resize")).toBe(false);
});
