/** Reading single tags of XML without a parser, for files of which a few attributes are needed. */

import { unescapeXml } from "#lib/formats/markup/escape.ts";

/** The start tags called `name`, with any prefix. */
export function findTags(xml: string, name: string): string[] {
  return xml.match(new RegExp(`<(?:[\\w-]{1,40}:)?${name}\\s[^>]{0,4000}>`, "g")) ?? [];
}

/** The value of an attribute of a start tag; empty if it is absent. */
export function tagAttribute(tag: string, name: string): string {
  const match = new RegExp(`\\s${name}\\s*=\\s*(?:"([^"]*)"|'([^']*)')`).exec(tag);
  return unescapeXml(match?.[1] ?? match?.[2] ?? "");
}
