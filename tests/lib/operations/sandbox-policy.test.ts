import { describe, expect, it } from "vitest";
import type { MediaTypeId } from "#lib/media/types.ts";
import { findOperation, operations } from "#lib/operations/catalogue/index.ts";
import type { Operation } from "#lib/operations/define.ts";
import { needsSandbox } from "#lib/operations/sandbox-policy.ts";

function operation(id: string): Operation {
  const found = findOperation(id);
  if (!found) throw new Error(`no operation ${id}`);
  return found;
}

const usesBrowserOrOffice = ({ requires }: Operation) =>
  requires.includes("chromium") || requires.includes("libreoffice");

describe("a file needs a sandbox", () => {
  it.each<[id: string, types: readonly MediaTypeId[]]>([
    ["document/html-to-pdf", ["html"]],
    ["document/markdown-to-pdf", ["md", "txt"]],
    ["document/doc-to-pdf", ["docx", "ods", "csv", "dxf"]],
    ["document/email-to-pdf", ["eml", "msg"]],
    ["document/to-markdown", ["docx", "epub", "eml", "html"]],
    ["document/merge-pdf", ["docx", "html", "svg"]],
    ["document/fill-form", ["pdf"]],
    ["document/thumbnail", ["html", "pptx"]],
    ["pipeline/thumbnail", ["html", "odt", "svg", "csv", "vsdx"]],
    ["image/resize", ["svg"]],
    ["document/watermark-pdf", ["svg"]],
    ["video/overlay-image", ["svg"]],
    ["pipeline/file-inspect", ["svg"]],
  ])("in %s if it is %j", (id, types) => {
    for (const type of types)
      expect([type, needsSandbox(operation(id), type)]).toEqual([type, true]);
  });

  it("in each operation that has no other engine for it", () => {
    for (const one of operations.filter(usesBrowserOrOffice)) {
      const free = one.accepts.filter((type) => !needsSandbox(one, type));
      const others: readonly MediaTypeId[] = free.filter((type) => type !== "pdf");
      // Images, video and audio are read by other engines everywhere.
      expect([
        one.id,
        others.filter((type) => /^(?:html|docx|odt|rtf|eml|svg)$/.test(type)),
      ]).toEqual([one.id, []]);
    }
  });
});

describe("a file needs no sandbox", () => {
  it.each<[id: string, types: readonly MediaTypeId[]]>([
    ["image/resize", ["png", "jpeg", "heic"]],
    ["video/transcode", ["mp4"]],
    ["pipeline/thumbnail", ["png", "mp4", "mp3", "pdf"]],
    ["document/thumbnail", ["pdf"]],
    ["document/merge-pdf", ["pdf", "png"]],
    ["document/to-markdown", ["pdf"]],
    ["document/split-pdf", ["pdf"]],
    ["pipeline/hash", ["html", "docx", "svg"]],
  ])("in %s if it is %j", (id, types) => {
    for (const type of types)
      expect([type, needsSandbox(operation(id), type)]).toEqual([type, false]);
  });
});
