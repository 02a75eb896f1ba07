/** Where a file of a request comes from: the browser has it, or we fetch it from its address. */
export type Source =
  | { readonly kind: "file"; readonly file: File }
  | { readonly kind: "url"; readonly url: string };

/** By part: `file`, `watermark`. */
export type Sources = Readonly<Record<string, Source | undefined>>;

/** Whether there is something to send. */
export function isGiven(source: Source | undefined): source is Source {
  return source !== undefined && (source.kind === "file" || source.url.trim() !== "");
}

/** A file of our own host, such as a sample or the input of a job, as if it had been chosen. */
export async function loadFile(url: string, name: string): Promise<File> {
  const answer = await fetch(url);
  if (!answer.ok) throw new Error(`${answer.status}`);
  const bytes = await answer.blob();
  return new File([bytes], name, { type: bytes.type });
}
