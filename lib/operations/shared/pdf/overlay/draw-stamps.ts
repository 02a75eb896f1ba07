import type { WorkerCall } from "#lib/engines/worker/worker-function.ts";
import { PdfCopier } from "#lib/formats/pdf/objects/copier.ts";
import { PdfFile } from "#lib/formats/pdf/objects/file.ts";
import { isDict, type PdfDict, PdfRef } from "#lib/formats/pdf/objects/values.ts";
import type { PdfWriter } from "#lib/formats/pdf/objects/writer.ts";
import { listPages } from "#lib/formats/pdf/pages/page-tree.ts";
import { selectPages } from "../page-selection.ts";
import { openInput } from "../pages/tasks.ts";
import { findBreach, hasTransparency } from "./breach.ts";
import { drawOverlays } from "./draw-overlays.ts";
import { type OverlayAnchor, requireFile } from "./tasks.ts";

export interface StampOptions {
  readonly anchor: OverlayAnchor;
  /** The points that are kept free at the edges. */
  readonly margin: number;
  readonly pages?: string;
}

/** Draws the pages of the second file, also a normalized PDF, in order over the selected pages. */
export const drawStamps = async (call: WorkerCall<StampOptions>) => {
  const { files, options, work } = call;
  const { anchor, margin } = options;
  const source = openInput(call);
  const selected = selectPages(options.pages, source.pages.length);
  const stamps = new PdfFile(requireFile(files[1]).path);
  const stampPages = listPages(stamps, work.limits.pdfPages);
  const resources = stampPages.map(({ dict }) => dict["/Resources"] ?? null);
  const breach = findBreach(source.file, {
    name: "these page numbers",
    isTransparent: hasTransparency(stamps, resources),
  });
  const forms = new Map<number, { readonly object: PdfRef; width: number; height: number }>();
  const prepare = (writer: PdfWriter) => {
    const copier = new PdfCopier(stamps, writer);
    for (const { number } of stampPages) if (number !== undefined) copier.replace(number, null);
    for (const [at, index] of selected.entries()) {
      const { dict } = stampPages[at] ?? {};
      if (!dict) continue;
      const box = stamps.array(dict["/MediaBox"]);
      const [, , width, height] = box.map(Number);
      const contents = dict["/Contents"];
      const content = contents instanceof PdfRef ? stamps.object(contents.number) : undefined;
      const data = content && stamps.readData(content);
      if (!content || !data || !width || !height) throw new Error("Chromium wrote another page");
      const object = writer.allocate();
      const form: PdfDict = {
        ...(isDict(content.value) ? content.value : {}),
        "/Type": "/XObject",
        "/Subtype": "/Form",
        "/BBox": box,
        "/Resources": dict["/Resources"] ?? {},
      };
      // `value` of a dictionary is one.
      writer.writeStream(object, copier.value(form) as PdfDict, data);
      forms.set(index, { object, width, height });
    }
    copier.finish();
  };
  const output = await drawOverlays({
    source,
    output: work.scratch("pdf"),
    artifact: "Footer",
    opacity: 1,
    isUndeclared: breach !== undefined,
    prepare,
    place: (frame, index) => {
      const form = forms.get(index);
      if (!form) return undefined;
      const fit = Math.min(1, frame.width / (form.width + 2 * margin));
      const width = form.width * fit;
      const height = form.height * fit;
      // Scaled, too: a wide stamp stays on the page on both sides.
      const side = margin * fit;
      const x = side + anchor.across * (frame.width - 2 * side - width);
      const y = margin + (1 - anchor.down) * (frame.height - 2 * margin - height);
      return { object: form.object, matrices: [[fit, 0, 0, fit, x, y]] };
    },
  });
  return { outputs: [output], warnings: breach ? [breach] : [] };
};
