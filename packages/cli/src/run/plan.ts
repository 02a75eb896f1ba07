import { stat } from "node:fs/promises";
import { basename, join, resolve, sep } from "node:path";
import type { CatalogueOperation } from "../catalogue/operation.ts";
import { splitId } from "../catalogue/operation.ts";
import { UsageError } from "../errors.ts";
import { labelOf, type Source, stemOf } from "./sources.ts";

/** Where the outputs of a job go. */
export type Destination =
  | { readonly kind: "stdout" }
  | { readonly kind: "file"; readonly path: string }
  | {
      readonly kind: "folder";
      readonly path: string;
      /** Whether `-o` named it. Else a result without files is printed. */
      readonly isGiven: boolean;
      /**
       * The name that is put before the extension of outputs, because another input has the same
       * name without it.
       */
      readonly fullName?: string | undefined;
    };

/** One job to create. */
export interface Task {
  readonly sources: readonly Source[];
  readonly label: string;
  readonly destination: Destination;
}

export interface PlanFlags {
  readonly output?: string | undefined;
  readonly json?: boolean | undefined;
  readonly printUrls?: boolean | undefined;
}

/** One task for each input; one for all of them if the operation takes several. */
export async function planTasks(
  operation: Pick<CatalogueOperation, "id" | "inputs">,
  sources: readonly Source[],
  flags: PlanFlags,
): Promise<Task[]> {
  checkCount(operation, sources);
  const isTogether = operation.inputs.max !== 1;
  const groups = isTogether ? [sources] : sources.map((source) => [source]);
  const { output } = flags;
  const isFolder =
    output !== undefined &&
    (output.endsWith("/") || output.endsWith(sep) || (await exists(output)));
  if (groups.length > 1 && output !== undefined && !isFolder) {
    const advice = output === "-" ? "a folder" : `\`-o ${output}/\``;
    throw new UsageError(`There are ${groups.length} inputs; -o must be ${advice}.`);
  }
  const names = countNames(groups);
  const tasks = groups.map((own) => {
    const destination = isFolder
      ? folderFor(own, output, true, names)
      : destinationOf(own, flags, names);
    const label = own.length === 1 && own[0] ? labelOf(own[0]) : splitId(operation.id)[1];
    return { sources: own, label, destination };
  });
  checkOverwrites(tasks);
  return tasks;
}

function destinationOf(
  sources: readonly Source[],
  { output, json, printUrls }: PlanFlags,
  names: ReadonlyMap<string, number>,
): Destination {
  if (output === "-") return { kind: "stdout" };
  if (output !== undefined) return { kind: "file", path: output };
  const hasFile = sources.some(({ kind }) => kind !== "stdin");
  const isPipe = !process.stdout.isTTY && !json && !printUrls;
  if (!hasFile && isPipe) return { kind: "stdout" };
  return folderFor(sources, ".", false, names);
}

function folderFor(
  sources: readonly Source[],
  output: string,
  isGiven: boolean,
  names: ReadonlyMap<string, number>,
): Destination {
  const [source] = sources;
  if (sources.length !== 1 || source?.kind !== "file")
    return { kind: "folder", path: output, isGiven };
  const fullName = (names.get(nameKey(source)) ?? 0) > 1 ? basename(source.path) : undefined;
  return { kind: "folder", path: join(output, source.folder), isGiven, fullName };
}

function nameKey(source: Source & { kind: "file" }): string {
  return join(source.folder, stemOf(source));
}

/** How many single inputs share a name without its extension. */
function countNames(groups: readonly (readonly Source[])[]): Map<string, number> {
  const counts = new Map<string, number>();
  for (const [source, ...others] of groups) {
    if (source?.kind !== "file" || others.length > 0) continue;
    const key = nameKey(source);
    counts.set(key, (counts.get(key) ?? 0) + 1);
  }
  return counts;
}

function checkCount(
  { id, inputs }: Pick<CatalogueOperation, "id" | "inputs">,
  sources: readonly Source[],
): void {
  const { min, max } = inputs;
  const command = id.replace("/", " ");
  if (max === 0 && sources.length > 0) {
    throw new UsageError(`${command} takes no file. Give its parameters as flags; see --help.`);
  }
  if (max > 0 && sources.length === 0) {
    const noun = max === 1 ? "a file" : "files";
    throw new UsageError(`Name ${noun}, a URL, or - for stdin. See mediamill ${command} --help.`);
  }
  if (max !== 1 && (sources.length < min || sources.length > max)) {
    throw new UsageError(`${command} takes ${min} to ${max} files, not ${sources.length}.`);
  }
}

function checkOverwrites(tasks: readonly Task[]): void {
  const inputs = new Set(tasks.flatMap(({ sources }) => pathsOf(sources)));
  const full = new Map<string, string>();
  for (const { destination, label } of tasks) {
    if (destination.kind === "file" && inputs.has(resolve(destination.path))) {
      throw new UsageError(`-o ${destination.path} is an input. Name another file or folder.`);
    }
    if (destination.kind !== "folder" || !destination.fullName) continue;
    const target = resolve(destination.path, destination.fullName);
    const other = full.get(target);
    if (other) {
      throw new UsageError(
        `${other} and ${label} have the same name, so one output would replace the other. Run them with different -o folders, or use -r on a folder above.`,
      );
    }
    full.set(target, label);
  }
}

/** The complete paths of local inputs. */
export function pathsOf(sources: readonly Source[]): string[] {
  return sources.flatMap((source) => (source.kind === "file" ? [resolve(source.path)] : []));
}

async function exists(path: string): Promise<boolean> {
  return (await stat(path).catch(() => undefined))?.isDirectory() ?? false;
}
