import { writeNew } from "#lib/files/regular-files.ts";
import type { WorkFolder } from "../../sandbox/work-folder.ts";

/** Linux limits one argument to 128 KiB. */
const maxArgumentLength = 100_000;

/**
 * Returns `args` with filters that are too long for the command line moved to files, from which
 * ffmpeg reads them.
 */
export async function moveLongFilters(
  args: readonly string[],
  work: WorkFolder,
): Promise<readonly string[]> {
  if (args.every((argument) => argument.length <= maxArgumentLength)) return args;
  const moved = [...args];
  for (const [index, argument] of args.entries()) {
    const option = args[index - 1] ?? "";
    if (argument.length <= maxArgumentLength || !option.startsWith("-filter:")) continue;
    const script = work.scratch("txt");
    await writeNew(script.path, argument);
    moved[index - 1] = option.replace("-filter:", "-filter_script:");
    moved[index] = script.name;
  }
  return moved;
}
