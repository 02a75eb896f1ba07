import { createHash } from "node:crypto";
import type { EngineName } from "#lib/engines/sandbox/failures/errors.ts";
import { type MediaTypeId, mediaType } from "#lib/media/types.ts";
import type { Operation } from "#lib/operations/define.ts";

/** A case of the full matrix of rows and operations, as far as the choice needs to know it. */
interface Choosable {
  readonly id: string;
  readonly operation: Pick<Operation, "id" | "requires">;
  readonly row?: { readonly id?: string; readonly type?: MediaTypeId };
  /** The part that the row is, if it is not the main file. */
  readonly extraFile?: string;
}

/** Engines that only write, or read tags, which `pipeline/file-inspect` meets with every row. */
const otherEngines: readonly EngineName[] = ["cjxl", "exiftool", "tesseract"];

/** Operations that read no content, or each type with one of their engines. They stand for no engine. */
const mixedOperations: readonly string[] = [
  "document/merge-pdf",
  "document/ocr",
  "document/thumbnail",
  "pipeline/archive",
  "pipeline/hash",
  "pipeline/thumbnail",
];

/** Engines that read only PDF files. Of other types they get what another engine has written. */
const pdfEngines: readonly EngineName[] = ["qpdf", "poppler", "ghostscript", "ocrmypdf"];

/** Engines that read pages and office files, but no PDF, picture, sound or video of a user. */
const pageEngines: readonly EngineName[] = ["chromium", "libreoffice"];

function readsType(engine: EngineName, type: MediaTypeId): boolean {
  if (pdfEngines.includes(engine)) return type === "pdf";
  if (engine === "jpegtran") return type === "jpeg";
  return !pageEngines.includes(engine) || !(type === "pdf" || isMedia(type));
}

function isMedia(type: MediaTypeId): boolean {
  return ["image", "video", "audio"].includes(mediaType(type).kind);
}

/** The engines that decode the input of a case; `none` stands for code of the runner itself. */
function decodersOf({
  operation: { id, requires },
  row,
}: Choosable): readonly (EngineName | "none")[] {
  if (mixedOperations.includes(id)) return [];
  const decoders = requires.filter(
    (engine) => !otherEngines.includes(engine) && (!row?.type || readsType(engine, row.type)),
  );
  if (decoders.length > 0) return decoders;
  return requires.length > 0 ? requires : ["none"];
}

/**
 * The cases of the full matrix that `npm test` runs: pairwise instead of every row on every operation.
 * Every row meets every engine that reads its type, on an operation of that engine. `isRequired` cases
 * are always chosen. Operations of an engine take turns, and the choice depends on nothing but the ids,
 * so it is the same in each run.
 * `mutated-seeds.test.ts` gives a damaged file to every operation, and `npm run soak bad-inputs` runs
 * the full matrix.
 */
export function chooseCases<Case extends Choosable>(
  cases: readonly Case[],
  isRequired: (one: Case) => boolean = () => false,
): Case[] {
  const chosen = new Set(cases.filter(isRequired));
  const counts = new Map<string, number>();
  const countOf = ({ operation }: Case) => counts.get(operation.id) ?? 0;
  const choose = (one: Case) => {
    chosen.add(one);
    counts.set(one.operation.id, countOf(one) + 1);
  };
  for (const one of chosen) counts.set(one.operation.id, countOf(one) + 1);

  for (const candidates of Map.groupBy(cases, nameOf).values()) {
    const open = new Set(candidates.flatMap(decodersOf));
    const meet = (one: Case) => {
      for (const engine of decodersOf(one)) open.delete(engine);
    };
    for (const one of candidates) if (chosen.has(one)) meet(one);
    const gain = (one: Case) => decodersOf(one).filter((engine) => open.has(engine)).length;
    while (open.size > 0) {
      const [next] = candidates.toSorted(
        (a, b) => gain(b) - gain(a) || countOf(a) - countOf(b) || order(a) - order(b),
      );
      if (!next) break;
      choose(next);
      meet(next);
    }
  }
  return cases.filter((one) => chosen.has(one));
}

/**
 * Operations that together use every engine of `operations`, for each engine one that needs few others:
 * an operation of many engines does not use all of them for each file.
 */
export function coverEngines<One extends Pick<Operation, "requires">>(
  operations: readonly One[],
): One[] {
  const covered = new Set<EngineName | "none">();
  return operations
    .toSorted((a, b) => a.requires.length - b.requires.length)
    .filter(({ requires }) => {
      const engines = requires.length > 0 ? requires : (["none"] as const);
      const addsOne = engines.some((engine) => !covered.has(engine));
      for (const engine of engines) covered.add(engine);
      return addsOne;
    });
}

/** The row as a main file, or as a further file of any name. */
function nameOf({ id, row, extraFile }: Choosable): string {
  return extraFile === undefined ? id : `${row?.id} as a further file`;
}

/** A number that spreads the cases evenly, and is the same in each run. */
function order({ id, operation }: Choosable): number {
  return createHash("sha256").update(`${operation.id}\0${id}`).digest().readUInt32BE(0);
}
