import { createDocument } from "@mixmark-io/domino";
import { rejectDeepNesting } from "#lib/formats/html/deep-nesting.ts";
import { removeUnshown } from "#lib/formats/html/remove-unshown.ts";
import { safeUrl } from "./content/escape.ts";
import { equationHtml } from "./content/html.ts";
import type { ImageCollector } from "./content/images.ts";
import type { Omitted } from "./content/omitted.ts";
import { mathmlToTex } from "./equations/mathml.ts";

/** What a page shows, without what is not its text: scripts, forms, navigation, hidden elements. */

export interface HtmlSource {
  /** Resolves relative links and images; they stay relative without it. */
  readonly url?: string | undefined;
  readonly images: ImageCollector;
  readonly omitted: Omitted;
  /** Reads an image of the document by its `src`, if it is a part of it. */
  readonly readImage?: (source: string) => Promise<Buffer | undefined>;
  /** Rewrites a link; undefined makes it text. */
  readonly rewriteLink?: (href: string) => string | undefined;
}

/**
 * The body of an HTML document as the HTML that Markdown is written from. Throws `JobError` if elements are nested
 * too deeply.
 */
export async function readHtml(html: string, source: HtmlSource): Promise<string> {
  rejectDeepNesting(html);
  const document = createDocument(html);
  replaceEquations(document);
  source.omitted.add("recording", document.querySelectorAll("video,audio").length);
  source.omitted.add("object", document.querySelectorAll("iframe,object,embed").length);
  // Some sites show a picture of an equation, and hide the equation itself for those who read it aloud.
  removeUnshown(document, "tex-math");
  markPages(document);
  for (const block of Array.from(document.querySelectorAll("pre"))) makeCodeBlock(document, block);
  for (const link of Array.from(document.querySelectorAll("a[href]"))) rewriteLink(link, source);
  for (const image of Array.from(document.querySelectorAll("img"))) await placeImage(image, source);
  for (const term of Array.from(document.querySelectorAll("dt"))) {
    term.innerHTML = `<p><strong>${term.innerHTML}</strong></p>`;
  }
  return document.body.innerHTML;
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

function rewriteLink(link: Element, { url, rewriteLink }: HtmlSource): void {
  const href = (link.getAttribute("href") ?? "").trim();
  const target = rewriteLink ? rewriteLink(href) : resolve(href, url);
  if (target === undefined) link.removeAttribute("href");
  else link.setAttribute("href", target);
}

/** Images at a URL stay where they are; those in the document become files, or their description. */
async function placeImage(image: Element, { url, images, readImage }: HtmlSource): Promise<void> {
  const source = (image.getAttribute("src") ?? "").trim();
  const data = /^data:image\/[\w.+-]+;base64,/.exec(source.slice(0, 100));
  const read = data
    ? async () => Buffer.from(source.slice(data[0].length), "base64")
    : () => readImage?.(source) ?? Promise.resolve(undefined);
  const name = await images.add(source, read);
  const isPart = data !== null || /^(cid|data):/i.test(source) || readImage !== undefined;
  const remote = /^https?:/i.test(source);
  // A picture of one pixel counts readers of an e-mail.
  const isSpacer = ["width", "height"].some((side) =>
    /^[01](px)?$/.test(image.getAttribute(side) ?? ""),
  );
  const target = name ?? (isSpacer || (isPart && !remote) ? undefined : resolve(source, url));
  if (target === undefined || safeUrl(target) === undefined) image.removeAttribute("src");
  else image.setAttribute("src", target);
}

function resolve(href: string, base: string | undefined): string | undefined {
  if (!base || href.startsWith("#")) return href;
  return URL.canParse(href, base) ? new URL(href, base).href : undefined;
}
