import { expect, it } from "vitest";
import { setMetadata } from "#lib/operations/document/set-metadata/index.ts";
import { toSample } from "#tests/samples/images/images.ts";
import { makeRichPdf } from "#tests/samples/pdf/rich-pdf.ts";
import { runOperation } from "#tests/support/operation.ts";
import { readMetadata } from "./index.ts";

it("reports the tags of the file, and nothing of this machine", async () => {
  const plain = await toSample("pdf", makeRichPdf({ pages: 1 }));
  const titled = await runOperation(setMetadata, plain, { title: "Grüße 東京" });
  const sample = { path: titled.outputs[0]?.path ?? "", type: "pdf" } as const;
  const { outputs, result } = await runOperation(readMetadata, sample);
  expect(outputs[0]?.extension).toBe("json");
  const { tags } = result as { readonly tags: Readonly<Record<string, unknown>> };
  expect(tags).toMatchObject({ Title: "Grüße 東京", PageCount: 1 });
  expect(JSON.stringify(tags)).not.toContain(sample.path.split("/").slice(0, 3).join("/"));
  expect(tags).not.toHaveProperty("Directory");
});
