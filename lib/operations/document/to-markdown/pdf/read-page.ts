import type { PDFPageProxy } from "pdfjs-dist";
import { type Matrix, multiply } from "#lib/formats/pdf/structure/matrix.ts";
import { safeUrl } from "../content/escape.ts";
import type { ImageCollector } from "../content/images.ts";
import type { Omitted } from "../content/omitted.ts";
import { readGraphics } from "./graphics.ts";
import { boxOf, toMatrix } from "./matrix.ts";
import type { Box, Page, Run, StructureNode } from "./page.ts";

/** Reads the text, lines, links, images and structure of a page. */
export async function readPage(
  page: PDFPageProxy,
  images: ImageCollector,
  omitted: Omitted,
  withStructure: boolean,
): Promise<Page> {
  const { pageNumber: number } = page;
  const content = await page.getTextContent({ includeMarkedContent: true });
  const viewport = page.getViewport({ scale: 1, rotation: findRotation(page, content.items) });
  const view = toMatrix(viewport.transform);
  // The list is read before the runs: the fonts are known after it.
  const { rules, dots, images: placed } = await readGraphics(page, view, images);
  const links = await readLinks(page, view, omitted);
  const runs: Run[] = [];
  const marks: (string | undefined)[] = [];
  const artifacts: boolean[] = [];
  for (const item of content.items) {
    if (!("str" in item)) {
      if (/^begin/.test(item.type)) {
        marks.push("id" in item && item.id ? `${item.id}` : marks.at(-1));
        artifacts.push(artifacts.at(-1) === true || ("tag" in item && item.tag === "Artifact"));
      } else {
        marks.pop();
        artifacts.pop();
      }
      continue;
    }
    if (item.str.trim() === "") continue;
    const run = toRun(item, multiply(toMatrix(item.transform), view), fontOf(page, item.fontName));
    if (!run) continue;
    const own = { ...run, mark: marks.at(-1), isArtifact: artifacts.at(-1) === true };
    runs.push(...splitAtLinks(own, links));
  }
  const structure = withStructure ? ((await page.getStructTree()) as StructureNode | null) : null;
  const { width, height } = viewport;
  return {
    number,
    width,
    height,
    runs: structure ? dropRepeated(runs) : addMarkers(dropRepeated(runs), dots),
    rules,
    images: placed,
    structure: structure ?? undefined,
  };
}

/** The rotation in degrees in which most text of the page is upright: that of the page, if not of a sideways table. */
function findRotation(page: PDFPageProxy, items: readonly object[]): number {
  const view = toMatrix(page.getViewport({ scale: 1 }).transform);
  const lengths = [0, 0, 0, 0];
  for (const item of items) {
    if (!("str" in item)) continue;
    const { str, transform } = item as { str: string; transform: number[] };
    const [across, down] = multiply(toMatrix(transform), view);
    const quarter = (4 + Math.round((2 * Math.atan2(down, across)) / Math.PI)) % 4;
    lengths[quarter] = (lengths[quarter] ?? 0) + str.trim().length;
  }
  const turn = lengths.indexOf(Math.max(...lengths));
  return (page.rotate + 360 - 90 * turn) % 360;
}

/** Fonts that only equations use: those of TeX, and those with a table for equations. */
const mathFont = /(?:^|\+)(?:CM(?:MI|SY|EX|BSY|MIB)\d|MS[AB]M\d|EU[FS]M\d)|math(?!ew)/i;

interface Font {
  readonly name: string;
  readonly isMono: boolean;
}

function fontOf(page: PDFPageProxy, id: string): Font {
  // Fonts that cannot be loaded are not there.
  const font = page.commonObjs.has(id) ? (page.commonObjs.get(id) as { name?: string }) : undefined;
  const name = font?.name ?? "";
  return {
    name,
    isMono:
      /mono|courier|consolas|menlo|typewriter|cmtt|inconsolata/i.test(name) && !/cjk/i.test(name),
  };
}

/** Ligatures, Arabic letters by their form, and Chinese radicals as the letters that they stand for. */
function normalizeText(text: string): string {
  return (
    text
      .replaceAll("\u00a0", " ")
      // A hyphenation point, before the hyphen that shows it or where none is shown.
      .replace(/\u00ad(?!$)/g, "")
      .replace(/[\u2e80-\u2fdf\ufb00-\ufdff\ufe70-\ufefc]/g, (letter) => letter.normalize("NFKC"))
  );
}

interface TextItem {
  readonly str: string;
  readonly dir: string;
  readonly width: number;
  readonly height: number;
}

/** Makes a run. Returns undefined if the text is not written horizontally, like a watermark. */
function toRun(
  item: TextItem,
  matrix: Matrix,
  { name, isMono }: Font,
): Omit<Run, "isArtifact"> | undefined {
  const [a, b, c, d, x, y] = matrix;
  const size = Math.hypot(c, d);
  if (Math.abs(b) > 0.05 * Math.abs(a) || a <= 0 || size < 1) return undefined;
  return {
    text: normalizeText(item.str),
    left: x,
    right: x + item.width,
    top: y - 0.8 * size,
    bottom: y + 0.2 * size,
    baseline: y,
    size,
    bold: /bold|black|heavy|semibold|demi|cmbx/i.test(name),
    italic: /italic|oblique|cmti/i.test(name),
    mono: isMono,
    isMath: mathFont.test(name),
    rightToLeft: item.dir === "rtl",
  };
}

/** The distance, in font sizes, between a drawn bullet and the text of its item. */
const maxMarkerGap = 3;

/** Bullets that are drawn as shapes, as characters before the text of their items. */
function addMarkers(runs: readonly Run[], dots: readonly Box[]): Run[] {
  const markers = dots.flatMap((dot): Run[] => {
    const y = (dot.top + dot.bottom) / 2;
    const near = runs.filter(
      (run) =>
        y > run.top &&
        y < run.bottom &&
        run.left >= dot.right - 1 &&
        run.left - dot.right < maxMarkerGap * run.size,
    );
    const isFirst = !runs.some(
      (run) => y > run.top && y < run.bottom && Math.abs(run.right - dot.left) < 3,
    );
    const [text] = near.toSorted((a, b) => a.left - b.left);
    return text && isFirst ? [{ ...text, ...dot, text: "•", link: undefined, mono: false }] : [];
  });
  return [...markers, ...runs];
}

interface Link {
  readonly box: Box;
  readonly url: string;
}

/** Text that is not in the content of the page: filled form fields, and what readers wrote. */
function countAnnotation(
  annotation: { subtype?: string; fieldType?: string; fieldValue?: unknown; contentsObj?: unknown },
  omitted: Omitted,
): void {
  const { subtype, fieldType, fieldValue, contentsObj } = annotation;
  const isFilled = [fieldValue].flat().some((one) => typeof one === "string" && one.trim() !== "");
  if (subtype === "Widget" && /^(Tx|Ch)$/.test(fieldType ?? "") && isFilled) omitted.add("field");
  const text = contentsObj && typeof contentsObj === "object" && "str" in contentsObj;
  if (/^(FreeText|Text)$/.test(subtype ?? "") && text && contentsObj.str) omitted.add("comment");
}

/** The external links of a page. */
async function readLinks(page: PDFPageProxy, view: Matrix, omitted: Omitted): Promise<Link[]> {
  const annotations = await page.getAnnotations();
  for (const annotation of annotations) countAnnotation(annotation, omitted);
  return annotations.flatMap(({ subtype, url, rect }) => {
    const safe = subtype === "Link" && typeof url === "string" ? safeUrl(url) : undefined;
    const [left = 0, bottom = 0, right = 0, top = 0] = Array.isArray(rect) ? rect : [];
    return safe ? [{ url: safe, box: boxOf(view, left, bottom, right, top) }] : [];
  });
}

/** A run with its link; if only a part of it is under a link, two or three runs. */
function splitAtLinks(run: Run, links: readonly Link[]): Run[] {
  const y = (run.top + run.bottom) / 2;
  const link = links.find(
    ({ box }) =>
      y > box.top && y < box.bottom && box.left < run.right - 1 && box.right > run.left + 1,
  );
  if (!link) return [run];
  const [start, end] = run.rightToLeft
    ? [0, run.text.length]
    : [
        findBoundary(run, link.box.left, /^|(?<!\S)\S|\b\w/gu),
        findBoundary(run, link.box.right, /$|(?<=\w)\b/gu),
      ];
  const parts = [
    cutRun(run, 0, start),
    { ...cutRun(run, start, end), link: link.url },
    cutRun(run, end, run.text.length),
  ];
  return parts.filter(({ text }) => text !== "");
}

/** The boundary of a word, as an index of the text, that is nearest to a place of the run. */
function findBoundary({ text, left, right }: Run, x: number, boundary: RegExp): number {
  const at = ((x - left) / (right - left)) * text.length;
  const boundaries = [...text.matchAll(boundary)].map(({ index }) => index);
  return boundaries.toSorted((a, b) => Math.abs(a - at) - Math.abs(b - at))[0] ?? 0;
}

function cutRun(run: Run, start: number, end: number): Run {
  const width = (run.right - run.left) / Math.max(1, run.text.length);
  const left = run.left + start * width;
  const right = run.left + end * width;
  return { ...run, text: run.text.slice(start, end), left, right };
}

/** Bold type is sometimes made by writing a text twice. */
function dropRepeated(runs: readonly Run[]): Run[] {
  const seen = new Set<string>();
  return runs.filter((run) => {
    const key = `${run.text}|${Math.round(run.left)}|${Math.round(run.baseline)}`;
    if (seen.has(key)) return false;
    seen.add(key);
    return true;
  });
}
