import { JobError } from "#lib/errors.ts";

/**
 * Pages have some dozens of elements in one another, and browsers stop at 512. The time of the parser grows with the
 * square of the depth: at this one it is one or two seconds.
 */
const maxNesting = 5000;

/** Elements without content, and those that the next one of their kind ends. */
const withoutEndTag = new Set(
  (
    "area base br col embed hr img input link meta param source track wbr " +
    "p li dt dd tr td th thead tbody tfoot colgroup option optgroup rp rt body head html"
  ).split(" "),
);

const tagStart = /<(\/?)([a-z][^\s/>]*)/gi;

/**
 * Throws `JobError`, which names `kind`, for text in which elements are nested too deeply. It counts tags, in linear time, and does not
 * find everything that a parser would: the time limit of the job holds for the rest.
 */
export function rejectDeepNesting(html: string, kind = "document"): void {
  let depth = 0;
  tagStart.lastIndex = 0;
  for (let tag = tagStart.exec(html); tag; tag = tagStart.exec(html)) {
    const end = html.indexOf(">", tagStart.lastIndex);
    if (end === -1) return;
    tagStart.lastIndex = end;
    const [, slash, name = ""] = tag;
    if (withoutEndTag.has(name.toLowerCase())) continue;
    if (slash) depth = Math.max(0, depth - 1);
    // Pictures within the page have thousands of elements that end in the same tag.
    else if (html[end - 1] !== "/") depth++;
    if (depth > maxNesting) {
      throw new JobError("too_complex", `The ${kind} is nested too deeply.`);
    }
  }
}
