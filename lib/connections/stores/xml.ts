import { DOMParser, type Element } from "@xmldom/xmldom";
import { StoreError } from "./store.ts";

/** The XML of stores, read by local names. */

/** The root element of a response. Throws `StoreError` if it is no XML. */
export function parseXml(text: string): Element {
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

/** All elements below `parent` with this local name, in order. */
export function elementsNamed(parent: Element, name: string): Element[] {
  return [...parent.getElementsByTagNameNS("*", name)];
}

/** The text of the first element below `parent` with this local name; undefined if there is none. */
export function textNamed(parent: Element, name: string): string | undefined {
  return elementsNamed(parent, name)[0]?.textContent ?? undefined;
}

/** A date of a list; null for anything else. */
export function dateOf(text: string | undefined): Date | null {
  const date = new Date(text ?? "");
  return Number.isNaN(date.getTime()) ? null : date;
}
