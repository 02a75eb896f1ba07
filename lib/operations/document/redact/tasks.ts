import { type PDFDocument, PDFHexString, PDFName, PDFStream, PDFString } from "@cantoo/pdf-lib";
import type { WorkFile, WorkFolder } from "#lib/engines/sandbox/work-folder.ts";
import type { WorkerCall } from "#lib/engines/worker/worker-function.ts";
import { JobError } from "#lib/errors.ts";
import { readRegular, writeNew } from "#lib/files/regular-files.ts";
import { key } from "#lib/formats/pdf/forms/collect-fields.ts";
import { decodePacket } from "#lib/formats/pdf/pages/read-packet.ts";
import { overlaps } from "#lib/formats/pdf/structure/matrix.ts";
import {
  fromPageBox,
  mediaView,
  type PageBox,
  toPageBox,
  viewOf,
} from "#lib/formats/pdf/structure/page-boxes.ts";
import { decodeTextString } from "#lib/formats/pdf/structure/text-string.ts";
import { parseColor } from "#lib/media/color.ts";
import { openDocument, translateStructureErrors } from "../../shared/pdf/open-document.ts";
import { cleanDocument, isMatch, isMatchInPacket, isMetadata } from "./clean-document.ts";
import { cleanStructure } from "./clean-structure.ts";
import { compileMatchers, matchPage, parseWords, type RedactionOptions } from "./find-matches.ts";
import { createLosses } from "./losses.ts";
import { paintBoxes, parsePpm } from "./pictures/picture-pixels.ts";
import { redactPage } from "./redact-page.ts";
import { dropReplaced } from "./replace-resources.ts";
import { textOfStream } from "./stream-text.ts";

/** Worker functions that redact a PDF in steps; between them, poppler reads and renders its pages. */

export interface RedactOptions extends RedactionOptions {
  readonly color: string;
  /** Numbers of pages that become pictures in any case. */
  readonly pictures: readonly number[];
}

const saving = { updateFieldAppearances: false, addDefaultPage: false, useObjectStreams: false };

async function save(document: PDFDocument, work: WorkFolder): Promise<WorkFile> {
  const output = work.scratch("pdf");
  await writeNew(output.path, await document.save(saving));
  return output;
}

function fillOperator(color: string): string {
  const { red, green, blue } = parseColor(color);
  return `${[red, green, blue].map((value) => (value / 255).toFixed(4)).join(" ")} rg`;
}

/**
 * Writes the PDF, which is the only file, without matches outside of its pages, and a copy that
 * shows hidden layers.
 */
export const prepareRedaction = async ({
  files: [pdf],
  options,
  work,
}: WorkerCall<RedactOptions>) => {
  if (!pdf) throw new Error("no file");
  const document = await openDocument(pdf);
  return translateStructureErrors(async () => {
    const cleaned = cleanDocument(document, compileMatchers(options));
    const outputs = [await save(document, work)];
    document.catalog.delete(key("OCProperties"));
    outputs.push(await save(document, work));
    return { outputs, result: { ...cleaned } };
  });
};

/**
 * Reports the areas, and the pages that have to become pictures. The files are the PDF and its
 * words.
 */
export const redactPages = async ({
  files,
  options,
  work,
  progress,
}: WorkerCall<RedactOptions>) => {
  const [pdf, words] = files;
  if (!pdf || !words) throw new Error("a file is missing");
  const document = await openDocument(pdf);
  const pages = parseWords(await readRegular(words.path, "utf8"));
  return translateStructureErrors(async () => {
    const matchers = compileMatchers(options);
    const areas: { page: number; box: PageBox }[] = [];
    const pictures: number[] = [];
    const losses = createLosses();
    const onPages = new Set<(typeof options.regions)[number]>();
    let matched = 0;
    for (const [index, page] of document.getPages().entries()) {
      const number = index + 1;
      const matches = matchPage(pages[index] ?? [], matchers);
      const regions = options.regions.filter((region) => (region.page ?? number) === number);
      if (matches.length + regions.length === 0) continue;
      const view = viewOf(page);
      const whole = mediaView(page).corners;
      for (const region of regions) {
        if (overlaps(fromPageBox(region, view), whole)) onPages.add(region);
      }
      matched += matches.length;
      const mustBePicture = options.pictures.includes(number);
      const redaction = { matches, regions, losses };
      const done = await redactPage(
        document,
        page,
        redaction,
        fillOperator(options.color),
        mustBePicture,
      );
      if (!done.isRewritten) pictures.push(number);
      areas.push(...done.areas.map((corners) => ({ page: number, box: toPageBox(corners, view) })));
      progress((100 * number) / document.getPageCount());
    }
    if (options.regions.some(({ page = 1 }) => page > document.getPageCount())) {
      throw new JobError(
        "empty",
        `A region is on a page that the PDF does not have; it has ${document.getPageCount()}.`,
      );
    }
    if (areas.length > 0) {
      dropReplaced(document, losses);
      cleanStructure(document, losses);
    }
    const outside = options.regions.length - onPages.size;
    return { outputs: [await save(document, work)], result: { areas, pictures, matched, outside } };
  });
};

export interface PictureOptions {
  readonly color: string;
  /** The numbers of the pages, one for each picture. */
  readonly pages: readonly number[];
  readonly areas: readonly { readonly page: number; readonly box: PageBox }[];
}

/** Replaces the content of some pages by pictures (PPM). The files are the PDF and the pictures. */
export const replacePages = async ({ files, options, work }: WorkerCall<PictureOptions>) => {
  const [pdf, ...pictures] = files;
  if (!pdf) throw new Error("no file");
  const document = await openDocument(pdf);
  return translateStructureErrors(async () => {
    for (const [index, number] of options.pages.entries()) {
      const page = document.getPages()[number - 1];
      const picture = pictures[index];
      if (!page || !picture) throw new Error("a picture is missing");
      const { pixels, width, height } = parsePpm(await readRegular(picture.path));
      const view = mediaView(page);
      const shown = viewOf(page);
      const boxes = options.areas
        .filter((area) => area.page === number)
        .map(({ box }) => toPageBox(fromPageBox(box, shown), view));
      const [x0, y0, x1, y1] = view.corners;
      const [shownWidth, shownHeight] =
        view.rotation % 180 === 0 ? [x1 - x0, y1 - y0] : [y1 - y0, x1 - x0];
      paintBoxes(pixels, width, boxes, width / shownWidth, height / shownHeight, options.color);
      const image = document.context.flateStream(pixels, {
        Type: "XObject",
        Subtype: "Image",
        Width: width,
        Height: height,
        ColorSpace: "DeviceRGB",
        BitsPerComponent: 8,
      });
      const ref = document.context.register(image);
      page.node.set(key("Resources"), document.context.obj({ XObject: { Page: ref } }));
      const matrix = {
        0: [x1 - x0, 0, 0, y1 - y0, x0, y0],
        90: [0, y1 - y0, x0 - x1, 0, x1, y0],
        180: [x0 - x1, 0, 0, y0 - y1, x1, y1],
        270: [0, y0 - y1, x1 - x0, 0, x0, y1],
      }[view.rotation];
      const content = document.context.flateStream(`q ${matrix.join(" ")} cm /Page Do Q`);
      page.node.set(key("Contents"), document.context.register(content));
      page.node.delete(key("StructParents"));
      page.node.delete(key("Group"));
    }
    return { outputs: [await save(document, work)] };
  });
};

/** Texts that are shorter occur in streams by chance. */
const minSearchedLength = 4;

/** Reports what is left of the matches. The files are the redacted PDF without compression and its words. */
export const findRemaining = async ({ files, options }: WorkerCall<RedactOptions>) => {
  const [pdf, words] = files;
  if (!pdf || !words) throw new Error("a file is missing");
  const document = await openDocument(pdf);
  const pages = parseWords(await readRegular(words.path, "utf8"));
  return translateStructureErrors(() => {
    const matchers = compileMatchers(options);
    const left = new Set<number>();
    for (const [index, page] of document.getPages().entries()) {
      if (matchPage(pages[index] ?? [], matchers).length > 0) left.add(index + 1);
      const view = mediaView(page);
      const shown = viewOf(page);
      const regions = options.regions.filter((region) => (region.page ?? index + 1) === index + 1);
      const isLeft = regions.some((region) => {
        const [x0, y0, x1, y1] = fromPageBox(region, shown);
        return (pages[index] ?? []).some(({ box }) => {
          const corners = fromPageBox(box, view);
          const x = (corners[0] + corners[2]) / 2;
          const y = (corners[1] + corners[3]) / 2;
          return x > x0 && x < x1 && y > y0 && y < y1;
        });
      });
      if (isLeft) left.add(index + 1);
    }
    const isInObjects = searchObjects(document, options, matchers);
    return { outputs: [], result: { pages: [...left], is_in_objects: isInObjects } };
  });
};

/** Whether a string object matches, or the text of a stream contains one of the texts. */
function searchObjects(
  document: PDFDocument,
  { texts }: RedactOptions,
  matchers: readonly RegExp[],
): boolean {
  const needles = texts
    .map((text) => text.trim().toLowerCase())
    .filter((text) => text.length >= minSearchedLength)
    .flatMap((text) => [Buffer.from(text), Buffer.from(text, "utf16le").swap16()])
    .map((bytes) => bytes.toString("latin1"));
  for (const [, object] of document.context.enumerateIndirectObjects()) {
    if (object instanceof PDFStream && !isBinary(object)) {
      const bytes = Buffer.from(object.getContents());
      const content = textOfStream(bytes);
      if (needles.some((needle) => content.includes(needle))) return true;
      if (isMetadata(object) && isMatchInPacket(decodePacket(bytes), matchers)) return true;
    }
    if (
      (object instanceof PDFString || object instanceof PDFHexString) &&
      isMatch(decodeTextString(object), matchers)
    )
      return true;
  }
  return false;
}

/** Pictures and fonts, in which bytes have other meanings. */
function isBinary({ dict }: PDFStream): boolean {
  const subtype = dict.lookup(key("Subtype"));
  const isImage = subtype === key("Image");
  const isFont =
    subtype instanceof PDFName && /^(Type1C|CIDFontType0C|OpenType)$/.test(subtype.decodeText());
  return isImage || isFont || dict.has(key("Length1")) || dict.lookup(key("Filter")) !== undefined;
}
