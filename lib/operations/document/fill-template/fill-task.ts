import type { WorkerCall } from "#lib/engines/worker/worker-function.ts";
import { JobError } from "#lib/errors.ts";
import { readRegular } from "#lib/files/regular-files.ts";
import { DocumentPackage } from "#lib/formats/office/package/read-package.ts";
import { type Relationship, readRelationships } from "#lib/formats/office/package/relationships.ts";
import { attribute, child, children } from "#lib/formats/office/package/xml.ts";
import { exceedsProgramLimits } from "#lib/media/damaged-data.ts";
import { PartMover } from "./move-parts.ts";
import { PackageEdit } from "./package-edit.ts";
import { PictureStore } from "./pictures.ts";
import { placePictures } from "./place-picture.ts";
import { placeSheetPictures } from "./sheet-pictures.ts";
import { readSharedStrings } from "./sheets/cells.ts";
import { type FilledSheet, fillSheet, moveReferences } from "./sheets/fill-sheet.ts";
import { References } from "./sheets/references.ts";
import { createLike, fillText } from "./tags/fill-text.ts";
import { GrowthLimit, Scope } from "./tags/scope.ts";

interface FillOptions {
  readonly type: "docx" | "xlsx" | "pptx";
  /** The URLs of the files after the first two. */
  readonly urls: readonly string[];
}

interface Filling {
  readonly edit: PackageEdit;
  readonly main: string;
  readonly scope: Scope;
  readonly limit: GrowthLimit;
  readonly pictures: PictureStore;
}

/**
 * Fills an Office Open XML template, in a worker. The files are the template, a JSON object and the
 * pictures of `urls`. Its result has the URLs of pictures that the template
 * shows and that were not given. Throws `JobError` (`corrupt` with the place and tag,
 * `too_complex`, `encrypted`).
 */
export const fillFile = async ({
  files: [template, data, ...fetched],
  options: { type, urls },
  work,
}: WorkerCall<FillOptions>) => {
  if (!template || !data) throw new Error("a file is missing");
  const scope = new Scope(JSON.parse(await readRegular(data.path, "utf8")));
  const source = await DocumentPackage.open(template.path, work.limits);
  try {
    const edit = new PackageEdit(source);
    const root = [...(await readRelationships(source, "")).values()];
    const main = root.find(({ kind }) => kind === "officeDocument")?.target;
    if (!main) throw new JobError("corrupt", "The document is damaged: it has no main part.");
    const folder = { docx: "word", xlsx: "xl", pptx: "ppt" }[type];
    const byUrl = new Map(fetched.map((file, index) => [urls[index] ?? "", file]));
    const pictures = new PictureStore(edit, folder, work, byUrl);
    const filling = { edit, main, scope, limit: new GrowthLimit(), pictures };
    await { docx: fillDocument, xlsx: fillWorkbook, pptx: fillSlides }[type](filling);
    const output = work.scratch(template.extension);
    await edit.write(output.path, work.limits.officeBytes);
    return { outputs: [output], result: { missing: [...pictures.missing] } };
  } catch (error) {
    if (!exceedsProgramLimits(error)) throw error;
    const message = "The template is nested too deeply.";
    throw new JobError("too_complex", message, { cause: error });
  } finally {
    source.close();
  }
};

const textParts: Readonly<Record<string, string>> = {
  header: "a header",
  footer: "a footer",
  footnotes: "the footnotes",
  endnotes: "the endnotes",
};

async function fillDocument(filling: Filling): Promise<void> {
  await fillTextPart(filling, filling.main, "the document");
  for (const { kind, target, isExternal } of await related(filling)) {
    const place = textParts[kind];
    if (place && !isExternal) await fillTextPart(filling, target, place);
  }
}

async function fillSlides(filling: Filling): Promise<void> {
  const root = await filling.edit.root(filling.main);
  const byId = await readRelationships(filling.edit.source, filling.main);
  const list = child(root, "sldIdLst");
  for (const [index, slide] of (list ? children(list) : []).entries()) {
    const ids = slide.attributes;
    const id = [...ids].find(({ name }) => name.endsWith(":id"))?.value ?? "";
    const target = byId.get(id)?.target;
    if (!target) continue;
    const place = `slide ${index + 1}`;
    await fillTextPart(filling, target, place);
    for (const part of (await readRelationships(filling.edit.source, target)).values())
      if (part.kind === "notesSlide" && !part.isExternal)
        await fillTextPart(filling, part.target, `the notes of ${place}`);
  }
}

async function fillTextPart(
  { edit, scope, limit, pictures }: Filling,
  part: string,
  place: string,
): Promise<void> {
  const root = await edit.root(part);
  const runs = fillText(root, place, scope, limit);
  await placePictures(part, runs, pictures, edit);
}

async function fillWorkbook(filling: Filling): Promise<void> {
  const { edit, main, scope, limit, pictures } = filling;
  const root = await edit.root(main);
  const byId = await readRelationships(edit.source, main);
  const relations = [...byId.values()];
  const stringsPart = relations.find(({ kind }) => kind === "sharedStrings")?.target;
  const strings = stringsPart ? await edit.source.readXml(stringsPart) : undefined;
  const texts = readSharedStrings(strings?.documentElement ?? undefined);
  const list = child(root, "sheets");
  const sheets: { readonly part: string; readonly filled?: FilledSheet }[] = [];
  for (const sheet of list ? children(list, "sheet") : []) {
    const { kind, target: part = "" } = byId.get(attribute(sheet, "id") ?? "") ?? {};
    if (kind === "chartsheet") sheets.push({ part });
    if (kind !== "worksheet") continue;
    const name = attribute(sheet, "name") ?? "";
    sheets.push({ part, filled: fillSheet(await edit.root(part), name, texts, scope, limit) });
  }
  // Formulas refer to other sheets, too, so all sheets must have their rows.
  const references = new References(
    sheets.flatMap(({ filled }) => (filled ? [[filled.name, filled.rows] as const] : [])),
  );
  const mover = new PartMover(edit, references);
  mover.moveNames(root);
  for (const { part, filled } of sheets) {
    if (filled) moveReferences(filled, references);
    await mover.moveSheetParts(part, filled);
    if (filled) await placeSheetPictures(part, filled.pictures, pictures, edit);
  }
  await recalculateOnLoad(filling, relations);
}

/** Programs calculate all formulas, and the order in which they do it, when they open the workbook. */
async function recalculateOnLoad(
  { edit, main }: Filling,
  relations: readonly Relationship[],
): Promise<void> {
  const root = await edit.root(main);
  let settings = child(root, "calcPr");
  if (!settings) {
    const before = ["sheets", "functionGroups", "externalReferences", "definedNames"];
    const previous = children(root).findLast(({ localName }) => before.includes(localName ?? ""));
    settings = createLike(root, "calcPr");
    root.insertBefore(settings, previous?.nextSibling ?? null);
  }
  settings.setAttribute("fullCalcOnLoad", "1");
  const chain = relations.find(({ kind }) => kind === "calcChain")?.target;
  if (chain) await edit.remove(chain, main);
}

async function related({ edit, main }: Filling): Promise<Relationship[]> {
  return [...(await readRelationships(edit.source, main)).values()];
}
