import { readFile } from "node:fs/promises";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { stripMetadata } from "#lib/operations/pipeline/strip-metadata/index.ts";
import { type OfficeSamples, temporaryFolder } from "#tests/samples/documents.ts";
import { containsSecret, personalTags } from "#tests/samples/metadata.ts";
import { makePersonalOffice, readBodies } from "#tests/samples/office/personal-office.ts";
import { runOperation, type Sample } from "#tests/support/operation.ts";

let folder: string;
let remove: () => Promise<void>;
let samples: OfficeSamples;

beforeAll(async () => {
  [folder, remove] = await temporaryFolder();
  samples = await makePersonalOffice(folder);
});

afterAll(async () => {
  await remove();
});

const hexOfSecret = Buffer.from("Secret").toString("hex");

describe.each(["doc", "xls", "ppt", "rtf"] as const)("%s by LibreOffice", (type) => {
  test("has no metadata, and the same text", async () => {
    const before = samples.get(type) as Sample; // makePersonalOffice makes each of them
    expect(await containsSecret(before.path)).toBe(true);
    const { outputs } = await runOperation(stripMetadata, before);
    const after: Sample = { path: outputs[0]?.path ?? "", type };
    expect(await containsSecret(after.path)).toBe(false);
    expect((await readFile(after.path)).includes(hexOfSecret)).toBe(false);
    expect(await personalTags(after.path)).toEqual([]);
    const [bodyBefore, bodyAfter] = await readBodies([before, after], folder);
    expect(bodyAfter).toContain("Kept comment");
    expect(bodyAfter).toEqual(bodyBefore);
  });
});
