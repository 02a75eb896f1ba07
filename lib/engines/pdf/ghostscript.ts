import { existsSync } from "node:fs";
import type { ArchivalLevel } from "#lib/formats/pdf/archival/levels.ts";
import { EngineError } from "../sandbox/failures/errors.ts";
import { runEngine } from "../sandbox/run-engine.ts";
import type { WorkFile, WorkFolder } from "../sandbox/work-folder.ts";
import { translatePdfError } from "./run-pdf.ts";

/** A page with transparency becomes a picture at 1b, of up to a few hundred megabytes. */
const memoryBytes = 3 * 2 ** 30;

/** Encodings of fonts, outside of /usr on Debian. Without them, text becomes nameless glyphs. */
const resources = ["/var/lib/ghostscript"].filter((folder) =>
  existsSync(/* turbopackIgnore: true */ folder),
);

/** Pixels per inch of pages that become pictures. */
const pictureResolution = 300;

/** Pictures keep their pixels, and JPEG files are copied. */
const keptPictures = ["Color", "Gray", "Mono"].flatMap((kind) => [
  `-dDownsample${kind}Images=false`,
  ...(kind === "Mono"
    ? []
    : [`-dAutoFilter${kind}Images=false`, `-d${kind}ImageFilter=/FlateEncode`]),
]);

/**
 * Writes the pages of `file` again with Ghostscript: all fonts embedded, all colors in RGB or gray, and
 * for 1b without transparency. Links and bookmarks stay. Throws what `runPdfEngine` throws.
 */
export async function rewriteWithGhostscript(
  file: WorkFile,
  level: ArchivalLevel,
  work: WorkFolder,
  signal: AbortSignal,
): Promise<WorkFile> {
  const output = work.scratch("pdf");
  const args = [
    "-q",
    "-dSAFER",
    "-dBATCH",
    "-dNOPAUSE",
    "-sDEVICE=pdfwrite",
    "-dPDFSTOPONERROR=false",
    `-dPDFA=${level.slice(0, 1)}`,
    "-dPDFACompatibilityPolicy=1",
    "-sColorConversionStrategy=RGB",
    "-sProcessColorModel=DeviceRGB",
    "-dEmbedAllFonts=true",
    "-dSubsetFonts=true",
    "-dAutoRotatePages=/None",
    ...keptPictures,
    ...(level === "1b" ? [`-r${pictureResolution}`] : []),
    "-o",
    output.name,
    file.name,
  ];
  try {
    await runEngine({
      engine: "ghostscript",
      command: "gs",
      args,
      ...work.view,
      readable: resources,
      variables: { TMPDIR: "tmp" },
      signal,
      limits: {
        timeoutMs: work.limits.pdfSeconds * 1000,
        memoryBytes,
        limitsAddressSpace: true,
        fileBytes: work.limits.resultBytes,
      },
    });
  } catch (error) {
    throw error instanceof EngineError ? translatePdfError(error) : error;
  }
  return output;
}
