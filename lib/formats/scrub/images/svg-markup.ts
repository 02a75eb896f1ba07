import { DamagedDataError } from "#lib/media/damaged-data.ts";
import { scrubImage } from "../image.ts";

/** Removes metadata from the text of an SVG document; all other text stays as it is. */

/** Namespaces whose elements and attributes are drawn. */
const drawnNamespaces = new Set([
  "",
  "http://www.w3.org/2000/svg",
  "http://www.w3.org/1999/xlink",
  "http://www.w3.org/1999/xhtml",
  "http://www.w3.org/1998/Math/MathML",
  "http://www.w3.org/2001/xml-events",
  "http://www.w3.org/XML/1998/namespace",
]);

/** One token: comment, CDATA section, processing instruction, document type, tag, or text. */
const tokenPattern =
  /<!--[\s\S]*?-->|<!\[CDATA\[[\s\S]*?\]\]>|<\?[\s\S]*?\?>|<!DOCTYPE(?:[^[>"']|"[^"]*"|'[^']*')*(?:\[(?:[^\]"']|"[^"]*"|'[^']*')*\]\s*)?>|<\/?[\w:](?:[^<>"']|"[^"]*"|'[^']*')*>|[^<]+/gy;

const attributePattern = /(?<!\s)(\s+)([\w.:-]+)(\s*=\s*)("[^"]*"|'[^']*')/g;
const namePattern = /^<\/?([\w.:-]+)/;

/** Elements that are open at the same time; deeper markup is an attack on memory. */
const maxDepth = 10_000;

type Namespaces = ReadonlyMap<string, string>;

/**
 * Returns `svg` without comments, `metadata` elements, processing instructions of programs, and
 * everything that belongs to other namespaces than those that are drawn: the document names, export
 * paths and window states of editors. Titles stay, because they are shown and read aloud. JPEG and
 * PNG images in it lose their metadata too. Throws `RangeError` where the markup is broken.
 */
export function scrubMarkup(svg: string): string {
  const kept: string[] = [];
  const scopes: Namespaces[] = [new Map([["xml", "http://www.w3.org/XML/1998/namespace"]])];
  let entities: Namespaces = new Map();
  /** How many elements are open since the first removed one. */
  let removedDepth = 0;
  let position = 0;
  for (const [token] of svg.matchAll(tokenPattern)) {
    position += token.length;
    const isTag = /^<[/\w:]/.test(token);
    if (!isTag) {
      if (token.startsWith("<!DOCTYPE")) entities = readEntities(token);
      if (removedDepth === 0) kept.push(keepOther(token));
      continue;
    }
    const isClosing = token.startsWith("</");
    const isEmpty = token.endsWith("/>");
    if (isClosing) {
      if (removedDepth === 0) kept.push(token);
      if (removedDepth > 0) removedDepth--;
      else if (scopes.length > 1) scopes.pop();
      else throw new DamagedDataError("closing tag without its element");
      continue;
    }
    if (removedDepth > 0) {
      if (!isEmpty) removedDepth++;
      continue;
    }
    const scope = readNamespaces(token, scopes.at(-1) ?? new Map(), entities);
    if (isRemoved(token, scope)) {
      if (!isEmpty) removedDepth = 1;
      continue;
    }
    kept.push(scrubTag(token, scope));
    if (!isEmpty) scopes.push(scope);
    if (scopes.length > maxDepth) throw new DamagedDataError("elements nested too deeply");
  }
  const isWhole = position === svg.length && removedDepth === 0 && scopes.length === 1;
  if (!isWhole) throw new DamagedDataError("markup is broken");
  return scrubPictures(kept.join(""));
}

/** A style sheet is a processing instruction that is drawn; comments in a document type are not. */
function keepOther(token: string): string {
  if (token.startsWith("<!--")) return "";
  if (token.startsWith("<?")) return /^<\?xml(-stylesheet)?\s/.test(token) ? token : "";
  return token.startsWith("<!DOCTYPE") ? token.replace(/<!--[\s\S]*?(?:-->|$)/g, "") : token;
}

/** Entities that editors declare to shorten namespaces. */
function readEntities(doctype: string): Namespaces {
  const declaration = /<!ENTITY\s+([\w.-]+)\s+(?:"([^"]*)"|'([^']*)')/g;
  const found = [...doctype.matchAll(declaration)];
  return new Map(found.map(([, name = "", double, single]) => [name, double ?? single ?? ""]));
}

/** The namespaces by prefix inside `tag`; the default one has an empty prefix. */
function readNamespaces(tag: string, outer: Namespaces, entities: Namespaces): Namespaces {
  let scope = outer;
  for (const [, , name = "", , quoted = ""] of tag.matchAll(attributePattern)) {
    if (name !== "xmlns" && !name.startsWith("xmlns:")) continue;
    const value = quoted.slice(1, -1).replace(/&([\w.-]+);/g, (whole, entity: string) => {
      return entities.get(entity) ?? whole;
    });
    scope = new Map(scope).set(name.slice("xmlns:".length), value);
  }
  return scope;
}

function splitName(name: string): readonly [prefix: string, local: string] {
  const colon = name.indexOf(":");
  return [name.slice(0, Math.max(0, colon)), name.slice(colon + 1)];
}

/** An SVG without a declaration of its prefixes still uses `xlink` as everywhere. */
function isDrawn(prefix: string, scope: Namespaces): boolean {
  const namespace = scope.get(prefix);
  return namespace === undefined
    ? prefix === "" || prefix === "xlink"
    : drawnNamespaces.has(namespace);
}

function isRemoved(tag: string, scope: Namespaces): boolean {
  const [prefix, local] = splitName(namePattern.exec(tag)?.[1] ?? "");
  return local === "metadata" || !isDrawn(prefix, scope);
}

/** Returns `tag` without the attributes of editors and the declarations of their namespaces. */
function scrubTag(tag: string, scope: Namespaces): string {
  return tag.replace(attributePattern, (whole, _space: string, name: string) => {
    const [prefix, local] = splitName(name);
    if (prefix === "") return whole;
    return isDrawn(prefix === "xmlns" ? local : prefix, scope) ? whole : "";
  });
}

/** Removes the metadata of JPEG and PNG images that are part of the document as data URLs. */
function scrubPictures(svg: string): string {
  const picture = /(data:image\/(?:jpe?g|png);base64,)([A-Za-z0-9+/=\s]+)/g;
  return svg.replace(picture, (whole, start: string, base64: string) => {
    const scrubbed = scrubImage(Buffer.from(base64, "base64"));
    return scrubbed ? `${start}${scrubbed.toString("base64")}` : whole;
  });
}
