import { isEncryptedPackage } from "#lib/media/sniff/ole.ts";
import { LockedDocumentError } from "../document-errors.ts";
import type { Patch, PatchSource } from "../patch.ts";
import { readCompound } from "./compound.ts";
import { planExcel } from "./excel.ts";
import { planPowerPoint } from "./powerpoint.ts";
import { emptyPropertySet } from "./property-set.ts";
import { planWord } from "./word.ts";

/**
 * DOC, XLS and PPT files without what tells of people, in place, so that no text, sheet or slide
 * moves; documents inside them too. Throws `LockedDocumentError`, `OldDocumentError` for what is from
 * before Word 97, and `RangeError` where a structure is broken.
 */
export async function planLegacyOffice(file: PatchSource): Promise<Patch[]> {
  const { storages, leftovers } = await readCompound(file);
  const names = [...(storages[0]?.streams.keys() ?? [])];
  // A presentation under a password hides its summary, too.
  if (isEncryptedPackage(names) || names.includes("EncryptedSummary")) {
    throw new LockedDocumentError();
  }
  const plans: (readonly Patch[])[] = [leftovers];
  for (const storage of storages) {
    for (const [name, stream] of storage.streams) plans.push(emptyPropertySet(name, stream));
    for (const plan of [planWord, planExcel, planPowerPoint]) plans.push(await plan(storage));
  }
  return plans.flat();
}
