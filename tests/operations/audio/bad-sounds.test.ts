import { describe, expect, test } from "vitest";
import { JobError } from "#lib/errors.ts";
import { convert } from "#lib/operations/audio/convert.ts";
import { normalize } from "#lib/operations/audio/normalize.ts";
import { badSounds } from "#tests/support/bad-sounds.ts";
import { toSample } from "#tests/support/images.ts";
import { runOperation } from "#tests/support/operation.ts";

describe.each([
  ["audio/convert", convert, { format: "wav" }],
  ["audio/normalize", normalize, {}],
] as const)("%s", (_, operation, params) => {
  test.each(badSounds)("answers $id in a sentence", async ({ type, bytes, answers }) => {
    const sample = await toSample(type, bytes());
    const outcome = await runOperation(operation, sample, params).catch((error: unknown) => error);
    if (outcome instanceof Error && !(outcome instanceof JobError)) throw outcome;
    const refusal = outcome instanceof JobError ? outcome : undefined;
    expect(answers).toContain(refusal?.code ?? "completed");
    // No path and no address is for the caller to read.
    if (refusal) expect(refusal.message).toMatch(/^[A-Z][^/\\]*\.$/);
  });
});
