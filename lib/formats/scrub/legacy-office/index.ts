import { isEncryptedPackage } from "../../ole/ole.ts";
import { EncryptedDocumentError } from "../document-errors.ts";
import type { Patch, PatchSource } from "../patch.ts";
import { readCompoundFile } from "./compound-file.ts";
import { planExcel } from "./excel.ts";
import { planPowerPoint } from "./powerpoint.ts";
import { emptyPropertySet } from "./property-set.ts";
import { planWord } from "./word.ts";

/**
 * Removes personal metadata from DOC, XLS and PPT files and from documents inside them. Works in
 * place, so that no text, sheet or slide moves. Throws `EncryptedDocumentError`,
 * `UnsupportedVersionError` for files from before Office 97, and `RangeError` where a structure is
 * broken.
 */
export async function planLegacyOffice(file: PatchSource): Promise<Patch[]> {
  const { storages, slackPatches } = await readCompoundFile(file);
  const names = [...(storages[0]?.streams.keys() ?? [])];
  // An encrypted presentation has an encrypted summary.
  if (isEncryptedPackage(names) || names.includes("EncryptedSummary")) {
    throw new EncryptedDocumentError();
  }
  const plans: (readonly Patch[])[] = [slackPatches];
  for (const storage of storages) {
    for (const [name, stream] of storage.streams) plans.push(emptyPropertySet(name, stream));
    for (const plan of [planWord, planExcel, planPowerPoint]) plans.push(await plan(storage));
  }
  return plans.flat();
}
