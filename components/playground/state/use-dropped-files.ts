"use client";

import { toast } from "#components/ui/toast/toast.ts";
import type { Batch } from "../batch/use-batch.ts";
import type { DroppedFile } from "../form/dropped-files.ts";
import type { FormOperation } from "../form/form-field.ts";
import type { useSources } from "./use-sources.ts";

const load = () => import("../batch/take-files.ts");

/** A function that puts dropped files into the form: as its file, as its files in order, or as a batch. */
export function useDroppedFiles(
  operation: FormOperation | undefined,
  files: ReturnType<typeof useSources>,
  batch: Batch,
): (dropped: readonly DroppedFile[]) => Promise<void> {
  const field = operation?.files.find(({ part }) => part === "file");
  return async (dropped) => {
    if (!field) return toast.error("This operation takes no file.");
    const { max } = field.count;
    if (max > 1) {
      const added = dropped.map(({ file }) => ({ kind: "file", file }) as const);
      return files.change("file", (before) => [...before, ...added].slice(0, max));
    }
    files.onBusy(true);
    try {
      const { takeFiles } = await load();
      const taken = await takeFiles(dropped, field.extensions.includes("zip"));
      if (taken.kind === "rejected") return toast.error(taken.message);
      if (!batch.choose(taken.kind === "many" ? taken.files : [])) return;
      const { file } = taken.kind === "one" ? taken : { file: undefined };
      files.change("file", () => (file ? [{ kind: "file", file }] : []));
    } catch {
      toast.error("The files could not be read. Try again.");
    } finally {
      files.onBusy(false);
    }
  };
}
