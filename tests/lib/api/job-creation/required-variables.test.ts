import { afterEach, beforeEach, expect, it } from "vitest";
import { requireEngines } from "#lib/api/job-creation/require-engines.ts";
import { env } from "#lib/env.ts";
import { findOperation } from "#lib/operations/catalogue/index.ts";

const settings: { TRANSCRIBE_URL?: string | undefined } = env;

/** Another test of the same worker may have set it. */
const before = settings.TRANSCRIBE_URL;
beforeEach(() => {
  settings.TRANSCRIBE_URL = undefined;
});
afterEach(() => {
  settings.TRANSCRIBE_URL = before;
});

it("an operation whose server is not named answers 503 with the variable", async () => {
  const operation = findOperation("audio/transcribe");
  if (!operation) throw new Error("no such operation");
  await expect(requireEngines(operation)).rejects.toMatchObject({
    code: "unavailable",
    status: 503,
    message: expect.stringContaining("TRANSCRIBE_URL"),
    // To wait does not help.
    headers: {},
  });
});
