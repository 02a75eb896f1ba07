import type { WorkFile } from "#lib/engines/sandbox/work-folder.ts";
import { formatNumber } from "#lib/formats/pdf/objects/serialize.ts";
import {
  isDict,
  type PdfDict,
  type PdfName,
  type PdfRef,
} from "#lib/formats/pdf/objects/values.ts";
import { PdfWriter } from "#lib/formats/pdf/objects/writer.ts";
import { PdfAssembly } from "#lib/formats/pdf/pages/assembly.ts";
import type { PdfSource } from "#lib/formats/pdf/pages/source.ts";
import { frameOf, type PageFrame } from "./page-frame.ts";
import { writeUndeclaredMetadata } from "./undeclared-metadata.ts";

/** Draws over pages. */

export interface Overlay {
  /** An image or a form. */
  readonly object: PdfRef;
  /**
   * The matrices from the space of the object (an image is the unit square) to the upright page,
   * applied in order.
   */
  readonly matrices: readonly (readonly number[])[];
}

export interface OverlayRequest {
  readonly source: PdfSource;
  readonly output: WorkFile;
  /** What screen readers skip it as (ISO 32000-1, 14.8.2.2). */
  readonly artifact: "Watermark" | "Footer";
  /** The opacity from 0 to 1. */
  readonly opacity: number;
  /** Writes what is drawn, before the pages. */
  readonly prepare: (writer: PdfWriter) => Promise<void> | void;
  /** Whether it is drawn under the content of the page; by default over it. */
  readonly layer?: "over" | "under";
  /** Whether the document, which is a PDF/A file, is none with the overlays. */
  readonly isUndeclared?: boolean;
  /** Places the overlay of a page; undefined for a page without one. `index` starts at 0. */
  readonly place: (frame: PageFrame, index: number) => Overlay | undefined;
}

/** Writes all pages of `source` to `output`, with the overlays on top. */
export async function drawOverlays(request: OverlayRequest) {
  const { source, output, artifact, opacity, layer = "over", prepare, place } = request;
  const { isUndeclared = false } = request;
  const writer = new PdfWriter(output.path, source.file.version);
  await prepare(writer);
  const state = writer.add({ "/Type": "/ExtGState", "/ca": opacity, "/CA": opacity });
  // Closes what the content of a page leaves open, so that the overlay starts with its coordinates.
  const opening = writer.addStream({}, Buffer.from("q\n"));
  const assembly = new PdfAssembly(
    writer,
    isUndeclared ? { metadata: writeUndeclaredMetadata(source, writer) } : {},
  );
  const change = (page: PdfDict, index: number): PdfDict => {
    const frame = frameOf(source.file, source.pages[index]?.dict ?? {});
    const overlay = place(frame, index);
    if (!overlay) return page;
    const resources = asDict(page["/Resources"]);
    const states = asDict(resources["/ExtGState"]);
    const objects = asDict(resources["/XObject"]);
    const stateName = freeName(states, "/Overlay");
    const name = freeName(objects, "/Overlay");
    const matrices = [frame.matrix, ...overlay.matrices].map(
      (matrix) => `${matrix.map(formatNumber).join(" ")} cm`,
    );
    const drawing = [
      `${layer === "over" ? "Q " : ""}q /Artifact <</Type /Pagination /Subtype /${artifact}>> BDC`,
      `${stateName} gs`,
      ...matrices,
      `${name} Do`,
      "EMC Q\n",
    ];
    const closing = writer.addDeflated({}, Buffer.from(drawing.join("\n")));
    const contents = Array.isArray(page["/Contents"]) ? page["/Contents"] : [];
    const layers = layer === "over" ? [opening, ...contents, closing] : [closing, ...contents];
    return {
      ...page,
      "/Contents": layers,
      "/Resources": {
        ...resources,
        "/ExtGState": { ...states, [stateName]: state },
        "/XObject": { ...objects, [name]: overlay.object },
      },
    };
  };
  assembly.add(source, { change });
  assembly.finish();
  return { ...output, pages: assembly.pages };
}

const asDict = (value: PdfDict[PdfName] | undefined): PdfDict => (isDict(value) ? value : {});

/** A name that `dict` does not have. */
function freeName(dict: PdfDict, name: PdfName): PdfName {
  let free = name;
  for (let count = 1; free in dict; count++) free = `${name}${count}`;
  return free;
}
