import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { processPath } from "#lib/engines/sandbox/process-folder.ts";
import type { JobErrorCode } from "#lib/errors.ts";
import { type MediaTypeId, mediaType } from "#lib/media/types.ts";
import type { Operation } from "#lib/operations/define.ts";
import { type Bait, layBait } from "./canary.ts";
import type { Sample } from "./watched-run.ts";

/** The catalogue of bad inputs: data that every operation of a kind is held against. */

/** What becomes of a job: it completes, or fails with a code. */
export type Answer = "completes" | JobErrorCode;

export interface BadInput {
  readonly id: string;
  /** What it is taken for, by its name or its first bytes: operations that accept this type get it. */
  readonly type: MediaTypeId;
  /** Its bytes, or the path of a file that is not changed. Built once a process. */
  readonly build: (bait: Bait) => Buffer | string | Promise<Buffer | string>;
  /** What an operation that reads all of the content may answer. */
  readonly answers: readonly Answer[];
  /**
   * Where it is another thing, by operation, its group, or `operation/part` for a file beside the main
   * one: some hear only the sound, some only copy.
   */
  readonly except?: Readonly<Partial<Record<string, readonly Answer[]>>>;
  /** Seconds within which an answer must be there, on a machine that has much else to do; 120. */
  readonly seconds?: number;
  /** Bytes that all engines together may use at most, those that are warm but idle included. */
  readonly mostBytes?: number;
  /** What the client calls it. */
  readonly filename?: string;
  /** Takes long however fast the machine is, so that the long runs alone have it. */
  readonly isSlow?: boolean;
}

/** Both copy or tell what there is, without decoding it: damage that they do not meet is none to them. */
const shallow = ["pipeline/strip-metadata", "pipeline/file-inspect"];

/** What `operation` may answer to `row`, as its main file or as `part`. */
export function expectedAnswers(
  row: BadInput,
  operation: Operation,
  part?: string,
): readonly Answer[] {
  if (part) return row.except?.[`${operation.id}/${part}`] ?? row.answers;
  const stated = row.except?.[operation.id] ?? row.except?.[operation.group];
  if (stated) return stated;
  // What is wrong with a file is what an inspection has to tell.
  if (operation.id === "pipeline/file-inspect") return ["completes"];
  return shallow.includes(operation.id) ? ["completes", ...row.answers] : row.answers;
}

const built = new Map<BadInput, Promise<Sample>>();

/** The row's file, built when first asked for. */
export function buildBadInput(row: BadInput): Promise<Sample> {
  const known = built.get(row) ?? build(row);
  built.set(row, known);
  return known;
}

async function build(row: BadInput): Promise<Sample> {
  const content = await row.build(await layBait());
  const { type, filename } = row;
  const named = filename === undefined ? {} : { filename };
  if (typeof content === "string") return { path: content, type, ...named };
  const folder = processPath("built");
  mkdirSync(folder, { recursive: true });
  const path = join(folder, `${built.size}.${mediaType(type).extension}`);
  writeFileSync(path, content);
  return { path, type, ...named };
}
