import type { PDFDict, PDFDocument, PDFPage } from "@cantoo/pdf-lib";
import { JobError } from "#lib/errors.ts";
import { key } from "#lib/formats/pdf/forms/collect-fields.ts";
import type { Corners } from "#lib/formats/pdf/structure/corners.ts";
import { contains, overlaps } from "#lib/formats/pdf/structure/matrix.ts";
import {
  fromPageBox,
  mediaView,
  type PageBox,
  type PageView,
  readCorners,
  viewOf,
} from "#lib/formats/pdf/structure/page-boxes.ts";
import { rightToLeft } from "#lib/formats/pdf/text/reading-order.ts";
import { isPdfDamage } from "../../shared/pdf/open-document.ts";
import { clearField, removeAnnotations } from "./clean-document.ts";
import { ContentRewriter } from "./content/rewrite-content.ts";
import { type Glyph, type Rewriter, UncertainContent } from "./content/rewriter.ts";
import { dropUnused } from "./content/used-names.ts";
import type { MatchedWord } from "./find-matches.ts";
import type { Losses } from "./losses.ts";
import { readContents } from "./read-contents.ts";
import { replaceResources } from "./replace-resources.ts";

export interface PageRedaction {
  /** Matches, each with its words. */
  readonly matches: readonly (readonly MatchedWord[])[];
  /** The rectangles to remove as well, in points from the top left of the visible page. */
  readonly regions: readonly PageBox[];
  /** Receives what the page loses. */
  readonly losses: Losses;
}

export interface RedactedPage {
  /** The areas that are filled, in the coordinates of the page. */
  readonly areas: readonly Corners[];
  /** Whether the content was rewritten; if not, the page has to become a picture. */
  readonly isRewritten: boolean;
}

/** Removes everything below the matches and regions of a page, except the content of an uncertain one. */
export async function redactPage(
  document: PDFDocument,
  page: PDFPage,
  redaction: PageRedaction,
  color: string,
  mustBePicture: boolean,
): Promise<RedactedPage> {
  // Words are measured from the top left of the media box, which may be larger than what is visible.
  const view = mediaView(page);
  const shown = viewOf(page);
  const regions = redaction.regions.map((box) => fromPageBox(box, shown));
  const areasOf = (boxes: readonly PageBox[]) => [
    ...mergeLines(boxes).map((box) => fromPageBox(box, view)),
    ...regions,
  ];
  const words = redaction.matches.flat();
  const whole = words.map(({ word }) => word.box);
  const contents = readContents(page);
  const resources = page.node.Resources();
  let areas = areasOf(whole);
  let isRewritten = false;
  try {
    if (mustBePicture || !resources) throw new UncertainContent("requested");
    const glyphs = await listGlyphs(contents, resources);
    const chosen = chooseGlyphs(glyphs, words, view, regions);
    areas = areasOf(chosen.boxes);
    const used = resources.clone();
    let index = 0;
    const rewriter: Rewriter = {
      ...replaceResources(document, areas, redaction.losses),
      areas,
      regions,
      removesGlyph: () => chosen.removed.has(index++),
    };
    const scope = { owner: page.node, resources: used };
    const rewritten = (await new ContentRewriter(rewriter, scope).rewrite(contents)) ?? contents;
    dropUnused(used, rewritten);
    page.node.set(key("Resources"), used);
    const fill = areas.map(([x0, y0, x1, y1]) => `${x0} ${y0} ${x1 - x0} ${y1 - y0} re`);
    const text = `q\n${rewritten}\nQ\nq ${color} ${fill.join(" ")} f Q\n`;
    const stream = document.context.flateStream(Buffer.from(text, "latin1"));
    page.node.set(key("Contents"), document.context.register(stream));
    isRewritten = true;
  } catch (error) {
    const isOfPage = error instanceof UncertainContent || error instanceof JobError;
    if (!isOfPage && !isPdfDamage(error)) throw error;
    // An uncertain or damaged content stream. The picture shows what a reader shows.
    redaction.losses.pictures.add(page.node);
  }
  removeCovered(page, areas);
  return { areas, isRewritten };
}

async function listGlyphs(contents: string, resources: PDFDict): Promise<Glyph[]> {
  const glyphs: Glyph[] = [];
  const rewriter: Rewriter = {
    areas: [],
    regions: [],
    removesGlyph: (glyph) => {
      glyphs.push(glyph);
      return false;
    },
    replaceImage: () => Promise.reject(new Error("no image is replaced")),
    // Text for readers is removed from a form, which does not change the order of its glyphs.
    replaceForm: () => "unused",
    replaceProperties: () => "unused",
    recordLoss: () => undefined,
  };
  const scope = { owner: resources, resources: resources.clone() };
  await new ContentRewriter(rewriter, scope).rewrite(contents);
  return glyphs;
}

/** The numbers of the glyphs to remove, and the boxes that they were in. */
function chooseGlyphs(
  glyphs: readonly Glyph[],
  words: readonly MatchedWord[],
  view: PageView,
  regions: readonly Corners[],
): { removed: Set<number>; boxes: PageBox[] } {
  const removed = new Set<number>();
  const boxes: PageBox[] = [];
  for (const [index, { box }] of glyphs.entries()) {
    if (regions.some((region) => overlaps(region, box))) removed.add(index);
  }
  for (const { word, from, to } of words) {
    const corners = fromPageBox(word.box, view);
    const found = glyphs.flatMap((glyph, index) =>
      contains(corners, ...glyph.center) ? { index, glyph } : [],
    );
    const characters = [...word.text];
    const isWhole = from === 0 && to === word.text.length;
    const isSplit = !isWhole && found.length === characters.length && !rightToLeft.test(word.text);
    if (!isSplit) {
      for (const { index } of found) removed.add(index);
      boxes.push(word.box);
      continue;
    }
    const leftOf = (glyph: Glyph) => toDisplay(glyph.box, view).left;
    const sorted = found.toSorted((a, b) => leftOf(a.glyph) - leftOf(b.glyph));
    const first = [...word.text.slice(0, from)].length;
    const last = [...word.text.slice(0, to)].length;
    const selected = sorted.slice(first, last);
    for (const { index } of selected) removed.add(index);
    const places = selected.map(({ glyph }) => toDisplay(glyph.box, view));
    const left = Math.min(...places.map((place) => place.left));
    const right = Math.max(...places.map((place) => place.left + place.width));
    boxes.push({ ...word.box, left, width: right - left });
  }
  return { removed, boxes };
}

function toDisplay(box: Corners, view: PageView): PageBox {
  const [x0, y0, x1, y1] = view.corners;
  const { rotation } = view;
  if (rotation === 90)
    return { left: box[1] - y0, top: box[0] - x0, width: box[3] - box[1], height: box[2] - box[0] };
  if (rotation === 180)
    return { left: x1 - box[2], top: box[1] - y0, width: box[2] - box[0], height: box[3] - box[1] };
  if (rotation === 270)
    return { left: y1 - box[3], top: x1 - box[2], width: box[3] - box[1], height: box[2] - box[0] };
  return { left: box[0] - x0, top: y1 - box[3], width: box[2] - box[0], height: box[3] - box[1] };
}

/** Joins the boxes of words that follow each other on a line. */
function mergeLines(boxes: readonly PageBox[]): PageBox[] {
  const merged: PageBox[] = [];
  for (const box of boxes) {
    const last = merged.at(-1);
    const gap = last ? box.left - (last.left + last.width) : 0;
    const isNext = last && Math.abs(last.top - box.top) < 1 && gap >= -1 && gap < box.height;
    if (!isNext) merged.push(box);
    else merged[merged.length - 1] = { ...last, width: box.left + box.width - last.left };
  }
  return merged;
}

/** Points by which an annotation may reach into an area, such as a link in the next line. */
const tolerance = 2;

/** Annotations below an area could show or contain what was there. */
function removeCovered(page: PDFPage, boxes: readonly Corners[]): void {
  const areas = boxes.map(([x0, y0, x1, y1]): Corners => {
    const x = Math.min(tolerance, (x1 - x0) / 4);
    const y = Math.min(tolerance, (y1 - y0) / 4);
    return [x0 + x, y0 + y, x1 - x, y1 - y];
  });
  const isCovered = (annotation: PDFDict) => {
    const rect = readCorners(annotation, key("Rect"));
    return rect !== undefined && areas.some((area) => overlaps(area, rect));
  };
  const isWidget = (annotation: PDFDict) => annotation.lookup(key("Subtype")) === key("Widget");
  removeAnnotations(page.node, (annotation) => {
    if (!isCovered(annotation)) return false;
    if (!isWidget(annotation)) return true;
    clearField(annotation);
    return false;
  });
}
