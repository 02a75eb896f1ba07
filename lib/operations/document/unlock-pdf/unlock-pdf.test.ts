import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { makePdf } from "#tests/samples/metadata.ts";
import { runOperation, temporaryWorkFolder } from "#tests/support/operation.ts";
import { unlockPdf } from "./index.ts";

// More is in the tests of document/protect-pdf, which make the protected files.

test("the sample opens with its password only", async () => {
  const sample = { path: "public/samples/inputs/contract-protected.pdf", type: "pdf" } as const;
  const { outputs } = await runOperation(unlockPdf, sample, { ...unlockPdf.example });
  expect(outputs[0]?.pages).toBe(1);
  const wrong = runOperation(unlockPdf, sample, { password: "wrong" });
  await expect(wrong).rejects.toMatchObject({ code: "encrypted" });
});

test("a damaged file is reported", async () => {
  const path = join(temporaryWorkFolder().root, "damaged.pdf");
  writeFileSync(path, makePdf().subarray(0, 100));
  const run = runOperation(unlockPdf, { path, type: "pdf" }, { password: "x" });
  await expect(run).rejects.toMatchObject({ code: "corrupt" });
});
