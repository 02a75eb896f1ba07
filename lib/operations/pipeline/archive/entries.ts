import type { WorkFile } from "#lib/engines/sandbox/work-folder.ts";
import type { MediaType, MediaTypeId } from "#lib/media/types.ts";

/** A file and its name in an archive. */
export interface ArchiveEntry {
  readonly file: WorkFile;
  /** The name of the entry, without folders, and no other entry's. */
  readonly name: string;
  readonly bytes: number;
  /** Whether it would hardly become smaller. */
  readonly isCompressed: boolean;
}

/** Formats that compress little or not at all. */
const uncompressed: ReadonlySet<MediaTypeId> = new Set([
  "svg",
  "bmp",
  "ico",
  "tiff",
  "dng",
  "raw",
  "wav",
  "aiff",
  "caf",
]);

const compressedDocuments: ReadonlySet<MediaTypeId> = new Set([
  "docx",
  "xlsx",
  "pptx",
  "odt",
  "ods",
  "odp",
  "epub",
  "zip",
  "tgz",
  "7z",
]);

/** Whether files of a type are compressed already, so that it is in vain to compress them again. */
export function isCompressedType({ id, kind }: MediaType): boolean {
  const isMedia = kind === "image" || kind === "video" || kind === "audio";
  return compressedDocuments.has(id) || (isMedia && !uncompressed.has(id));
}

/** Longer ones are cut; a file system has 255 bytes for a name. */
const maxNameBytes = 200;

/**
 * The names of files in an archive, in order: `a.png`, and `a (2).png` for a second one. Names that
 * differ only in their case count as the same, as on Windows and macOS.
 */
export function uniqueNames(filenames: readonly string[]): string[] {
  const taken = new Set<string>();
  return filenames.map((filename) => {
    const safe = makeSafe(filename);
    const dot = safe.lastIndexOf(".");
    const [stem, extension] = dot > 0 ? [safe.slice(0, dot), safe.slice(dot)] : [safe, ""];
    let name = safe;
    for (let count = 2; taken.has(keyOf(name)); count++) name = `${stem} (${count})${extension}`;
    taken.add(keyOf(name));
    return name;
  });
}

const keyOf = (name: string) => name.normalize("NFC").toLowerCase();

// biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are replaced
const unsafe = /[/\\:*?"<>|\u0000-\u001f\u007f]/g;

/** Makes a name that is neither a path nor has another meaning on a system. */
function makeSafe(filename: string): string {
  const clean = filename.normalize("NFC").replaceAll(unsafe, "_").trim();
  const name = /^\.*$/.test(clean) ? "file" : clean;
  if (Buffer.byteLength(name) <= maxNameBytes) return name;
  const { read } = new TextEncoder().encodeInto(name, new Uint8Array(maxNameBytes));
  return name.slice(0, read);
}
