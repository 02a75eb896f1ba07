import type { Metadata } from "next";

/** The canonical URL of a page of the docs, and its Markdown. `path` starts with `/docs`. */
export function docsAlternates(path: string): Metadata["alternates"] {
  return { canonical: path, types: { "text/markdown": `${path}.md` } };
}
