import type { PdfCopier } from "../objects/copier.ts";
import { readText, textString } from "../objects/text.ts";
import {
  isArray,
  isDict,
  type PdfDict,
  type PdfName,
  PdfRef,
  type PdfString,
  type PdfValue,
  without,
} from "../objects/values.ts";
import type { PdfWriter } from "../objects/writer.ts";
import { JoinedFonts, writeDefaults } from "./form-defaults.ts";
import { mergeDicts, type SelectedFields } from "./form-fields.ts";
import type { PdfSource } from "./source.ts";
import type { SelectedStructure } from "./structure-tree.ts";
import { readNameTree, type TreeEntry, writeNameTree, writeNumberTree } from "./trees.ts";

/** Name trees that are read, of several files if they are merged. */
const collectedTrees = ["/EmbeddedFiles", "/JavaScript"] as const;

/** Collects the entries of a catalog that several files may have. All values are of the written file. */
export class CatalogParts {
  isTagged = true;
  #form: PdfDict | undefined;
  readonly #fonts = new JoinedFonts();
  readonly #fields: PdfValue[] = [];
  readonly #calculated: PdfValue[] = [];
  #layers: PdfDict | undefined;
  #structure: PdfDict | undefined;
  #markInfo: PdfDict | undefined;
  /** The top elements of the tags. */
  readonly structureKids: PdfValue[] = [];
  readonly #structureParents: TreeEntry<number>[] = [];
  readonly #trees = new Map<PdfName, TreeEntry<PdfString>[]>();
  readonly #associated: PdfValue[] = [];
  #otherNames: PdfDict = {};

  /** The least key that is free in the parent tree of the structure. */
  nextStructureKey = 0;

  addForm(
    { file }: PdfSource,
    copier: PdfCopier,
    fields: SelectedFields,
    { isWhole, isMerge }: { isWhole: boolean; isMerge: boolean },
  ): void {
    const { roots, kept } = fields;
    const form = file.dict(file.catalog["/AcroForm"]);
    const keepsXfa = isWhole && !isMerge;
    if (roots.length === 0 && !(keepsXfa && "/XFA" in form)) return;
    if (isMerge) writeDefaults(file, roots);
    const resources: Record<PdfName, PdfValue> = {};
    for (const [name, value] of Object.entries(file.dict(form["/DR"]))) {
      resources[name as PdfName] = file.resolve(value);
    }
    const fonts = resources["/Font"];
    if (isMerge && isDict(fonts)) resources["/Font"] = this.#fonts.add(file, fonts, fields);
    this.#fields.push(...roots.map((field) => copier.value(field)));
    const calculated = file
      .array(form["/CO"])
      .filter((field) => field instanceof PdfRef && kept.has(field.number));
    this.#calculated.push(...calculated.map((field) => copier.value(field)));
    const rest = without(
      form,
      "/Fields",
      "/CO",
      "/SigFlags",
      ...(keepsXfa ? [] : ["/XFA" as const]),
      ...(isMerge ? ["/Q" as const] : []),
      ...(isMerge && this.#form ? ["/DA" as const] : []),
    );
    const own = copyDict(copier, {
      ...rest,
      ...(Object.keys(resources).length > 0 ? { "/DR": resources } : {}),
    });
    this.#form = mergeDicts(this.#form ?? {}, own);
  }

  addStructure(
    { file, structure }: PdfSource,
    copier: PdfCopier,
    selected: SelectedStructure,
  ): void {
    const offset = this.nextStructureKey;
    for (const kid of selected.kids) this.structureKids.push(copier.value(kid));
    for (const [key, value] of selected.parents) {
      this.#structureParents.push([key + offset, copier.value(value)]);
      this.nextStructureKey = Math.max(this.nextStructureKey, key + offset + 1);
    }
    const next = file.resolve(structure.root["/ParentTreeNextKey"]);
    if (typeof next === "number") {
      this.nextStructureKey = Math.max(this.nextStructureKey, next + offset);
    }
    const rest = without(
      structure.root,
      "/Type",
      "/K",
      "/ParentTree",
      "/ParentTreeNextKey",
      "/IDTree",
    );
    const own: Record<PdfName, PdfValue> = {};
    for (const [name, value] of Object.entries(rest)) own[name as PdfName] = file.resolve(value);
    this.#structure = mergeDicts(this.#structure ?? {}, copyDict(copier, own));
    this.#markInfo ??= copyDict(copier, file.dict(file.catalog["/MarkInfo"]));
  }

  addLayers({ file }: PdfSource, copier: PdfCopier): void {
    const layers = file.dict(file.catalog["/OCProperties"]);
    if (!("/OCGs" in layers)) return;
    const resolved: Record<PdfName, PdfValue> = {};
    for (const [name, value] of Object.entries(file.dict(layers["/D"]))) {
      resolved[name as PdfName] = file.resolve(value);
    }
    const groups = file.array(layers["/OCGs"]);
    const own = copyDict(copier, { ...layers, "/OCGs": groups, "/D": resolved });
    this.#layers = this.#layers ? joinLayers(this.#layers, own) : own;
  }

  addNames(
    { file }: PdfSource,
    copier: PdfCopier,
    options: { isWhole: boolean; isMerge: boolean; attachments: boolean },
  ): void {
    const { isWhole, isMerge, attachments } = options;
    const names = file.dict(file.catalog["/Names"]);
    for (const name of collectedTrees) {
      if (!(name in names) || (name === "/EmbeddedFiles" && !attachments)) continue;
      const entries = this.#trees.get(name) ?? [];
      this.#trees.set(name, entries);
      const taken = new Set(entries.map(([key]) => readText(key)));
      for (const [key, value] of readNameTree(file, names[name])) {
        entries.push([isMerge ? chooseName(key, taken) : key, copier.value(value)]);
      }
    }
    // Those of pages and templates lead to pages.
    const removed = isWhole ? [] : (["/Pages", "/Templates"] as const);
    if (!isMerge) {
      const rest = without(names, "/Dests", ...collectedTrees, ...removed);
      this.#otherNames = copyDict(copier, rest);
    }
    if (!attachments) return;
    const associated = file.array(file.catalog["/AF"]);
    this.#associated.push(...associated.map((item) => copier.value(item)));
  }

  /** The entries of the catalog. */
  finish(writer: PdfWriter, destinations: PdfRef | undefined): PdfDict {
    const trees = [...this.#trees].map(([name, entries]) => [name, writeNameTree(writer, entries)]);
    const names: PdfDict = {
      ...this.#otherNames,
      ...Object.fromEntries(trees),
      ...(destinations ? { "/Dests": destinations } : {}),
    };
    const calculated: PdfDict = this.#calculated.length > 0 ? { "/CO": this.#calculated } : {};
    const form: PdfDict = { ...this.#form, "/Fields": this.#fields, ...calculated };
    return {
      ...(Object.keys(names).length > 0 ? { "/Names": names } : {}),
      ...(this.#form ? { "/AcroForm": form } : {}),
      ...(this.#layers ? { "/OCProperties": this.#layers } : {}),
      ...(this.#associated.length > 0 ? { "/AF": this.#associated } : {}),
    };
  }

  /** Writes the root of the tags, whose elements are `kids`, and returns the entries of the catalog. */
  finishStructure(writer: PdfWriter, root: PdfRef, kids = this.structureKids): PdfDict {
    writer.write(root, {
      ...this.#structure,
      "/Type": "/StructTreeRoot",
      "/K": kids,
      "/ParentTree": writeNumberTree(writer, this.#structureParents),
      "/ParentTreeNextKey": this.nextStructureKey,
    });
    const markInfo = { ...this.#markInfo, ...(this.isTagged ? {} : { "/Marked": false }) };
    return { "/StructTreeRoot": root, "/MarkInfo": markInfo };
  }
}

function copyDict(copier: PdfCopier, dict: PdfDict): PdfDict {
  return copier.value(dict) as PdfDict; // `value` of a dictionary is one
}

/** Returns `key`, or `key (2)` if another attachment has this name. */
function chooseName(key: PdfString, taken: Set<string>): PdfString {
  const name = readText(key);
  let chosen = name;
  for (let count = 2; taken.has(chosen); count++) chosen = `${name} (${count})`;
  taken.add(chosen);
  return chosen === name ? key : textString(chosen);
}

/** Lists of layers are joined; other settings are those of `first`. */
function joinLayers(first: PdfDict, second: PdfDict): PdfDict {
  const joined: Record<PdfName, PdfValue> = { ...second };
  for (const [key, value] of Object.entries(first)) {
    const name = key as PdfName; // the type of Object.entries is wider
    const other = second[name];
    if (isArray(value) && isArray(other)) joined[name] = [...value, ...other];
    else joined[name] = isDict(value) && isDict(other) ? joinLayers(value, other) : value;
  }
  return joined;
}
