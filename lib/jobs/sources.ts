import type { JobRow, JobSource } from "#lib/db/schema/jobs.ts";

/** All files of a job, the main one first. */
export function sourcesOf({ source, parts }: Pick<JobRow, "source" | "parts">): JobSource[] {
  return [...(source.kind === "none" ? [] : [source]), ...Object.values(parts)];
}

/** The name of the input `index`, counted from 0, among the files of a job: `file`, `file-2`, … */
export function inputPart(index: number): string {
  return index === 0 ? "file" : `file-${index + 1}`;
}

/** The index of the input that a job's file is; undefined if it is another file. */
export function inputIndexOf(part: string): number | undefined {
  const match = /^file(?:-(\d+))?$/.exec(part);
  return match ? Number(match[1] ?? 1) - 1 : undefined;
}

/** The bytes of the files that are already in storage. */
export function storedBytes(sources: readonly JobSource[]): number {
  return sources.reduce((sum, one) => sum + (one.kind === "stored" ? one.bytes : 0), 0);
}
