/** The source of an input file: a file in the browser, or a URL that the service fetches. */
export type Source =
  | { readonly kind: "file"; readonly file: File }
  | { readonly kind: "url"; readonly url: string };

/** Sources by part name: `file`, `watermark`. */
export type Sources = Readonly<Record<string, Source | undefined>>;

/** Whether a file or a URL is set. */
export function isProvided(source: Source | undefined): source is Source {
  return source !== undefined && (source.kind === "file" || source.url.trim() !== "");
}

/** Loads a file of this host, such as a sample or the input of a job. */
export async function loadFile(url: string, name: string): Promise<File> {
  const response = await fetch(url);
  if (!response.ok) throw new Error(`the file returned status ${response.status}`);
  const bytes = await response.blob();
  return new File([bytes], name, { type: bytes.type });
}
