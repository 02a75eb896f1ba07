import { createDocument } from "@mixmark-io/domino";
import { mathmlToTex } from "../equations/mathml.ts";
import { rejectDeepNesting } from "./deep-nesting.ts";
import { removeUnshown } from "./remove-unshown.ts";
import { equationHtml } from "./simple-elements.ts";
import { collapse } from "./white-space.ts";

/**
 * A page of the web or of a book as a simple document, the one model of a page from which other formats are written.
 * It has the text, structure and pictures that the page shows, and nothing of the styles, scripts, forms and frames.
 * - Equations are `tex-math` elements that hold TeX, with the attribute `display` in a line of their own.
 * - The page breaks of a printed edition are `page-mark` elements that hold the number of the page.
 * - A `pre` holds one `code`, which has the text of the block and the class `language-…` if the language is known.
 * - The terms of a description list are bold paragraphs.
 */
export interface Page {
  /** Its title; empty if it has none, as the language. */
  readonly title: string;
  /** A language tag, such as `en`. */
  readonly language: string;
  readonly document: Document;
  readonly body: Element;
  /** The number of elements that are left out because text cannot have them. */
  readonly omitted: { readonly recordings: number; readonly objects: number };
}

/** Reads a page. Nothing is fetched. Throws `JobError` if elements are nested too deeply. */
export function readPage(html: string): Page {
  rejectDeepNesting(html);
  const document = createDocument(html);
  const root = document.documentElement;
  const title = collapse(document.title).trim();
  const omitted = {
    recordings: document.querySelectorAll("video,audio").length,
    objects: document.querySelectorAll("iframe,object,embed").length,
  };
  replaceEquations(document);
  replaceDrawnPictures(document);
  // Some sites show a picture of an equation, and hide the equation itself for those who read it aloud.
  removeUnshown(document, "tex-math");
  markPages(document);
  for (const block of Array.from(document.querySelectorAll("pre"))) makeCodeBlock(document, block);
  for (const term of Array.from(document.querySelectorAll("dt"))) {
    term.innerHTML = `<p><strong>${term.innerHTML}</strong></p>`;
  }
  const language = /^[a-z]{2,3}(-[\w-]{1,30})?$/i.exec(root.getAttribute("lang") ?? "")?.[0] ?? "";
  // A page of frames has no body.
  return { title, language, document, body: document.body ?? root, omitted };
}

/** Equations in MathML, and in the scripts of MathJax 2, as elements that hold TeX. */
function replaceEquations(document: Document): void {
  const scripts = Array.from(document.querySelectorAll("script[type^='math/tex']"));
  const replace = (element: Element, tex: string, isDisplay: boolean) => {
    const holder = document.createElement("div");
    holder.innerHTML = equationHtml(tex, isDisplay);
    element.replaceWith(...Array.from(holder.childNodes));
  };
  // What MathJax has drawn from the scripts.
  const drawn = scripts.length > 0 ? "[class^=MathJax]" : "tex-math";
  for (const element of Array.from(document.querySelectorAll(drawn))) element.remove();
  for (const script of scripts) {
    const isDisplay = /mode=display/.test(script.getAttribute("type") ?? "");
    replace(script, (script.textContent ?? "").replace(/\s+/g, " ").trim(), isDisplay);
  }
  for (const math of Array.from(document.querySelectorAll("math"))) {
    replace(math, mathmlToTex(math), math.getAttribute("display") === "block");
  }
}

/** Covers of books are often a drawing that shows one picture. */
function replaceDrawnPictures(document: Document): void {
  for (const drawing of Array.from(document.querySelectorAll("svg"))) {
    const [picture, ...others] = Array.from(drawing.querySelectorAll("image"));
    const source = picture?.getAttribute("href") ?? picture?.getAttribute("xlink:href");
    if (!source || others.length > 0) continue;
    const image = document.createElement("img");
    image.setAttribute("src", source);
    image.setAttribute("alt", drawing.querySelector("title")?.textContent?.trim() ?? "");
    drawing.replaceWith(image);
  }
}

/** Page breaks of a printed edition, in EPUB (EPUB Accessibility, "page markers"). */
function markPages(document: Document): void {
  const breaks = "[role=doc-pagebreak],[epub\\:type=pagebreak]";
  for (const element of Array.from(document.querySelectorAll(breaks))) {
    const label = element.getAttribute("aria-label") ?? element.getAttribute("title");
    const mark = document.createElement("page-mark");
    mark.textContent = (label || element.textContent || "").replace(/^page\s+/i, "").trim();
    if (mark.textContent) element.parentNode?.insertBefore(mark, element);
    element.remove();
  }
}

function makeCodeBlock(document: Document, block: Element): void {
  const code = document.createElement("code");
  const language = /\b(?:language|lang)-([\w+#-]+)/.exec(
    `${block.className} ${block.querySelector("code")?.className ?? ""}`,
  )?.[1];
  if (language) code.className = `language-${language}`;
  for (const line of Array.from(block.querySelectorAll("br"))) {
    line.parentNode?.replaceChild(document.createTextNode("\n"), line);
  }
  code.textContent = block.textContent;
  block.textContent = "";
  block.appendChild(code);
}
