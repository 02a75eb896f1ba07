import { type DroppedFile, maxBatchFiles } from "../form/dropped-files.ts";

/** What the form takes: a file, or many on which it is run one by one. */
export type TakenFiles =
  | { readonly kind: "one"; readonly file: File }
  | { readonly kind: "many"; readonly files: readonly DroppedFile[] }
  | { readonly kind: "rejected"; readonly message: string };

const isArchive = ({ file }: DroppedFile) => /\.zip$/i.test(file.name);

/** Files of a form for one. Archives are unpacked, unless the operation takes archives. */
export async function takeFiles(
  dropped: readonly DroppedFile[],
  takesArchives: boolean,
): Promise<TakenFiles> {
  const [first, ...others] = dropped;
  if (!first) return { kind: "rejected", message: "There are no files in it." };
  if (others.length === 0 && (takesArchives || !isArchive(first))) {
    return { kind: "one", file: first.file };
  }
  const files: DroppedFile[] = [];
  for (const one of dropped) {
    if (takesArchives || !isArchive(one)) {
      files.push(one);
      continue;
    }
    const { ArchiveError, unzip } = await import("./unzip.ts");
    try {
      files.push(...(await unzip(one.file)));
    } catch (error) {
      if (error instanceof ArchiveError) return { kind: "rejected", message: error.message };
      throw error;
    }
  }
  if (files.length > maxBatchFiles) {
    const message = `There are more than ${maxBatchFiles} files. Choose fewer, or use the command line.`;
    return { kind: "rejected", message };
  }
  return { kind: "many", files };
}
