import { inflateSync } from "node:zlib";
import { openImage } from "#lib/engines/image/open.ts";
import type { WorkerCall } from "#lib/engines/worker/worker-function.ts";
import { JobError } from "#lib/errors.ts";
import { declaredPart } from "#lib/formats/pdf/archival/declaration.ts";
import { PdfCopier } from "#lib/formats/pdf/objects/copier.ts";
import { PdfFile } from "#lib/formats/pdf/objects/file.ts";
import { isDict, type PdfDict, PdfRef } from "#lib/formats/pdf/objects/values.ts";
import type { PdfWriter } from "#lib/formats/pdf/objects/writer.ts";
import { listPages } from "#lib/formats/pdf/pages/page-tree.ts";
import { readPacket } from "#lib/formats/pdf/pages/read-packet.ts";
import { embedImage } from "../images/embed-image.ts";
import { selectPages } from "../page-selection.ts";
import { openInput } from "../pages/tasks.ts";
import { type DrawnObject, findBreach, hasTransparency } from "./breach.ts";
import { drawOverlays } from "./draw-overlays.ts";
import { frameOf } from "./page-frame.ts";

/** Functions of a worker that draw over the pages of a PDF, the first file of the call. */

/** Where an overlay is on a page: 0 left or top, 0.5 in the middle, 1 right or bottom. */
export interface OverlayAnchor {
  readonly across: number;
  readonly down: number;
}

export interface WatermarkOptions {
  readonly anchor: OverlayAnchor;
  readonly opacity: number;
  /** The angle in degrees clockwise. */
  readonly angle: number;
  /** The width before the rotation, as a share of the width of the page. */
  readonly scale: number;
  /** What is kept free at the edges, as a share of the shorter side of the page. */
  readonly margin: number;
  readonly layer?: "over" | "under";
  readonly pages?: string;
  /** Whether the page that is drawn is that of a file, and not a text. */
  readonly isFile?: boolean;
}

/** Draws the image, which is the second file, over or under the selected pages. */
export const drawWatermark = async (call: WorkerCall<WatermarkOptions>) => {
  const image = await openImage(requireFile(call.files[1]), call.work.limits);
  return placeWatermark(
    call,
    { width: image.width, height: image.height, isTransparent: image.metadata.hasAlpha },
    (writer) => embedImage(image, writer),
    ({ width, height }) => [[width, 0, 0, height, -width / 2, -height / 2]],
  );
};

/** Draws the first page of the second file, a normalized PDF, over or under the selected pages. */
export const drawPage = async (call: WorkerCall<WatermarkOptions>) => {
  const file = new PdfFile(requireFile(call.files[1]).path);
  const [page] = listPages(file, call.work.limits.pdfPages);
  if (!page) throw new JobError("corrupt", "The PDF of the watermark has no pages.");
  const { width: pageWidth, height: pageHeight, matrix } = frameOf(file, page.dict);
  const embed = async (writer: PdfWriter) => {
    const copier = new PdfCopier(file, writer);
    const form = embedPage(file, page.dict, call.options.opacity, writer, copier);
    copier.finish();
    return form;
  };
  const part = call.options.isFile ? declaredPart(readPacket(file) ?? "") : undefined;
  const drawn = {
    width: pageWidth,
    height: pageHeight,
    isTransparent:
      "/Group" in page.dict || hasTransparency(file, [page.dict["/Resources"] ?? null]),
    ...(call.options.isFile ? { part } : {}),
  };
  return placeWatermark(call, drawn, embed, (size) => [
    [size.width / pageWidth, 0, 0, size.height / pageHeight, -size.width / 2, -size.height / 2],
    invert(matrix),
  ]);
};

/**
 * The page as a form, in its own coordinates. If it is transparent, it is a group: the opacity is that of all of it, also
 * where its content sets another one. PDF/A-1 has no groups, but opaque forms.
 */
function embedPage(
  file: PdfFile,
  page: PdfDict,
  opacity: number,
  writer: PdfWriter,
  copier: PdfCopier,
): PdfRef {
  const resolved = file.resolve(page["/Contents"]);
  const refs = Array.isArray(resolved) ? resolved : [page["/Contents"]];
  const contents = refs.flatMap((ref) => {
    const data = ref instanceof PdfRef ? readContent(file, ref) : undefined;
    return data ? [data, Buffer.from("\n")] : [];
  });
  const box = page["/CropBox"] ?? page["/MediaBox"] ?? [0, 0, 612, 792];
  const form: PdfDict = {
    "/Type": "/XObject",
    "/Subtype": "/Form",
    "/BBox": box,
    ...(opacity < 1 || "/Group" in page
      ? { "/Group": { "/Type": "/Group", "/S": "/Transparency", "/I": true } }
      : {}),
    "/Resources": page["/Resources"] ?? {},
  };
  // `value` of a dictionary is one.
  return writer.addDeflated(copier.value(form) as PdfDict, Buffer.concat(contents));
}

/** The decoded content of a page, of which qpdf leaves only this filter. Throws `JobError` `corrupt`. */
function readContent(file: PdfFile, ref: PdfRef): Buffer {
  const object = file.object(ref.number);
  const data = file.readData(object);
  if (!data) return Buffer.alloc(0);
  const dict: PdfDict = isDict(object.value) ? object.value : {};
  const filter = file.resolve(dict["/Filter"]);
  const [name, second] = Array.isArray(filter) ? filter : [filter];
  const bytes = Buffer.concat([...data.parts]);
  if (name === null || name === undefined) return bytes;
  const isPlain = name === "/FlateDecode" && second === undefined && !dict["/DecodeParms"];
  if (!isPlain) throw new JobError("corrupt", "The PDF of the watermark has an unusual encoding.");
  try {
    return inflateSync(bytes, { maxOutputLength: maxContentBytes });
  } catch (cause) {
    throw new JobError("corrupt", "The PDF of the watermark is damaged.", { cause });
  }
}

/** More than the content of any page that can be drawn in time. */
const maxContentBytes = 64 * 2 ** 20;

function invert([a = 1, b = 0, c = 0, d = 1, e = 0, f = 0]: readonly number[]): number[] {
  const determinant = a * d - b * c;
  return [
    d / determinant,
    -b / determinant,
    -c / determinant,
    a / determinant,
    (c * f - d * e) / determinant,
    (b * e - a * f) / determinant,
  ];
}

/** Draws an object whose size has the proportions of `natural`; `fill` are the matrices to a size. */
async function placeWatermark(
  call: WorkerCall<WatermarkOptions>,
  natural: Omit<DrawnObject, "name"> & { readonly width: number; readonly height: number },
  embed: (writer: PdfWriter) => Promise<PdfRef>,
  fill: (size: {
    readonly width: number;
    readonly height: number;
  }) => readonly (readonly number[])[],
) {
  const { options, work } = call;
  const { anchor, angle, scale, margin, opacity, layer } = options;
  const source = openInput(call);
  const selected = new Set(selectPages(options.pages, source.pages.length));
  const breach = findBreach(source.file, {
    ...natural,
    name: "this watermark",
    isTransparent: natural.isTransparent || opacity < 1,
  });
  const radians = (angle * Math.PI) / 180;
  const cos = Math.cos(radians);
  const sin = Math.sin(radians);
  let object: PdfRef | undefined;
  const prepare = async (writer: PdfWriter) => {
    object = await embed(writer);
  };
  const output = await drawOverlays({
    source,
    output: work.scratch("pdf"),
    artifact: "Watermark",
    opacity,
    isUndeclared: breach !== undefined,
    ...(layer ? { layer } : {}),
    prepare,
    place: (frame, index) => {
      if (!object || !selected.has(index)) return undefined;
      const free = margin * Math.min(frame.width, frame.height);
      const wide = scale * frame.width;
      const tall = (scale * frame.width * natural.height) / natural.width;
      const box = {
        width: Math.abs(wide * cos) + Math.abs(tall * sin),
        height: Math.abs(wide * sin) + Math.abs(tall * cos),
      };
      const roomAcross = frame.width - 2 * free;
      const roomDown = frame.height - 2 * free;
      const fit = Math.min(1, roomAcross / box.width, roomDown / box.height);
      const x = free + (box.width * fit) / 2 + anchor.across * (roomAcross - box.width * fit);
      const y = free + (box.height * fit) / 2 + (1 - anchor.down) * (roomDown - box.height * fit);
      const width = wide * fit;
      const height = tall * fit;
      const turn = [cos, -sin, sin, cos, x, y];
      return { object, matrices: [turn, ...fill({ width, height })] };
    },
  });
  return { outputs: [output], warnings: breach ? [breach] : [] };
}

/** A file of a call, which the operation gives. */
export function requireFile<File>(file: File | undefined): File {
  if (!file) throw new Error("the call has too few files");
  return file;
}
