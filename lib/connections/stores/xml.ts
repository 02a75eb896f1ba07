import { DOMParser, type Element } from "@xmldom/xmldom";
import { StoreError } from "./store.ts";

/** The XML of stores, read by local names. */

/** More than any store has in a list of a thousand files. A hostile one would occupy the process with more. */
const maxTags = 200_000;

/** The root element of a response. Throws `StoreError` if it is no XML, or too long. */
export function parseXml(text: string): Element {
  if (text.split("<").length > maxTags) throw unreadable("too many tags");
  try {
    const onError = (level: string, message: string) => {
      if (level !== "warning") throw new Error(message);
    };
    const root = new DOMParser({ onError }).parseFromString(text, "text/xml").documentElement;
    if (root) return root;
  } catch (cause) {
    throw unreadable(cause);
  }
  throw unreadable("no element");
}

const unreadable = (cause: unknown) =>
  new StoreError("The store responded with a list that cannot be read.", {
    isPermanent: false,
    cause,
  });

/** The children of `parent` with this local name, in order: never deeper ones, which take quadratic time. */
export function childrenNamed(parent: Element, name: string): Element[] {
  return [...parent.childNodes].filter(
    (node): node is Element => node.nodeType === node.ELEMENT_NODE && node.localName === name,
  );
}

/** The text of the first child of `parent` with this local name; undefined if there is none. */
export function textNamed(parent: Element, name: string): string | undefined {
  return childrenNamed(parent, name)[0]?.textContent ?? undefined;
}

/** A size of a list; 0 for anything that is none. */
export function sizeOf(text: string | undefined): number {
  const bytes = Number(text);
  return Number.isSafeInteger(bytes) && bytes > 0 ? bytes : 0;
}

/** Percent-encoded text; as it is if the encoding is wrong. */
export function decodeText(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

/** A date of a list; null for anything else. */
export function dateOf(text: string | undefined): Date | null {
  const date = new Date(text ?? "");
  return Number.isNaN(date.getTime()) ? null : date;
}
