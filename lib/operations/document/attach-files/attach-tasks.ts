import { AFRelationship } from "@cantoo/pdf-lib";
import type { WorkerCall } from "#lib/engines/worker/worker-function.ts";
import { readRegular, writeNew } from "#lib/files/regular-files.ts";
import { flattenAttachments } from "../../shared/pdf/flatten-attachments.ts";
import { openDocument, translateStructureErrors } from "../../shared/pdf/open-document.ts";
import type { Relationship } from "./relationships.ts";

export interface AttachOptions {
  /** What is said of the files, in their order. */
  readonly files: readonly {
    readonly name: string;
    readonly type: string;
    readonly relationship: Relationship;
  }[];
}

const names: Readonly<Record<Relationship, AFRelationship>> = {
  source: AFRelationship.Source,
  data: AFRelationship.Data,
  alternative: AFRelationship.Alternative,
  supplement: AFRelationship.Supplement,
  unspecified: AFRelationship.Unspecified,
};

/** The first file of the call with the others attached. */
export async function attachFiles({ files, options, work }: WorkerCall<AttachOptions>) {
  const [input, ...others] = files;
  if (!input) throw new Error("the call has no file");
  const document = await openDocument(input);
  const attachedAt = new Date();
  const bytes = await translateStructureErrors(async () => {
    flattenAttachments(document);
    for (const [index, file] of others.entries()) {
      const { name, type, relationship } = options.files[index] ?? {
        name: `file-${index + 1}`,
        type: "application/octet-stream",
        relationship: "unspecified" as const,
      };
      await document.attach(await readRegular(file.path), name, {
        mimeType: type,
        afRelationship: names[relationship],
        creationDate: attachedAt,
        modificationDate: attachedAt,
      });
    }
    return document.save({ updateFieldAppearances: false });
  });
  const output = work.scratch("pdf");
  await writeNew(output.path, bytes);
  return { outputs: [{ ...output, pages: document.getPageCount() }] };
}
