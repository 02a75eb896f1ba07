/** The source of an input file: a file in the browser, or a URL that the service fetches. */
export type Source =
  | { readonly kind: "file"; readonly file: File }
  | { readonly kind: "url"; readonly url: string };

/** Sources by part name, in order: `file`, `watermark`. */
export type Sources = Readonly<Record<string, readonly Source[] | undefined>>;

/** Whether a file or a URL is set. */
export function isProvided(source: Source | undefined): source is Source {
  return source !== undefined && (source.kind === "file" || source.url.trim() !== "");
}

/** The sources of a part that are set: at most as many as it takes. */
export function providedSources(sources: Sources, part: string, max: number): Source[] {
  return (sources[part] ?? []).filter(isProvided).slice(0, max);
}

/** The file's name, or the URL. */
export function sourceName(source: Source): string {
  return source.kind === "file" ? source.file.name : source.url;
}

const keys = new WeakMap<Source, number>();
let lastKey = 0;

/** A key that a source keeps while it moves in a list. */
export function sourceKey(source: Source): number {
  const key = keys.get(source) ?? ++lastKey;
  keys.set(source, key);
  return key;
}

/** Loads a file of this host, such as a sample or the input of a job. */
export async function loadFile(url: string, name: string): Promise<File> {
  const response = await fetch(url);
  if (!response.ok) throw new Error(`the file returned status ${response.status}`);
  const bytes = await response.blob();
  return new File([bytes], name, { type: bytes.type });
}
