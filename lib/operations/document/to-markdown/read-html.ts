import { type Page, readPage } from "#lib/formats/html/read-page.ts";
import { safeUrl } from "./content/escape.ts";
import type { ImageCollector } from "./content/images.ts";
import type { Omitted } from "./content/omitted.ts";

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
 * The body of a page as the HTML that Markdown is written from. Throws `JobError` if elements are nested too deeply.
 */
export function readHtml(html: string, source: HtmlSource): Promise<string> {
  return toContent(readPage(html), source);
}

/** The body of a page, with links and images that work outside of it. */
export async function toContent({ body, omitted }: Page, source: HtmlSource): Promise<string> {
  source.omitted.add("recording", omitted.recordings);
  source.omitted.add("object", omitted.objects);
  for (const link of Array.from(body.querySelectorAll("a[href]"))) rewriteLink(link, source);
  for (const image of Array.from(body.querySelectorAll("img"))) await placeImage(image, source);
  return body.innerHTML;
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
