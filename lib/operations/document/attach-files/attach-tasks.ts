import type { WorkerCall } from "#lib/engines/worker/worker-function.ts";
import { readRegular, writeNew } from "#lib/files/regular-files.ts";
import { attachFiles as attach, type NewAttachment } from "../../shared/pdf/attachments.ts";
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

const names = {
  source: "Source",
  data: "Data",
  alternative: "Alternative",
  supplement: "Supplement",
  unspecified: "Unspecified",
} as const satisfies Record<Relationship, string>;

/** The first file of the call with the others attached. */
export async function attachFiles({ files, options, work }: WorkerCall<AttachOptions>) {
  const [input, ...others] = files;
  if (!input) throw new Error("the call has no file");
  const document = await openDocument(input);
  const attachedAt = new Date();
  const attachments: NewAttachment[] = [];
  for (const [index, { path }] of others.entries()) {
    const { name, type, relationship } = options.files[index] ?? {
      name: `file-${index + 1}`,
      type: "application/octet-stream",
      relationship: "unspecified" as const,
    };
    const bytes = await readRegular(path);
    attachments.push({ bytes, name, type, relationship: names[relationship], attachedAt });
  }
  const bytes = await translateStructureErrors(() => {
    attach(document, attachments);
    return document.save({ updateFieldAppearances: false });
  });
  const output = work.scratch("pdf");
  await writeNew(output.path, bytes);
  return { outputs: [{ ...output, pages: document.getPageCount() }] };
}
