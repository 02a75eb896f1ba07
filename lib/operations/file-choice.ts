import type { Operation } from "./definition.ts";

/**
 * What is wrong if a request has both a file and the parameter that it stands in for, or neither: a message.
 * `parts` are the names of the files that the request has.
 */
export function findChoiceFault(
  { files = {} }: Pick<Operation, "files">,
  params: Readonly<Record<string, unknown>>,
  parts: Readonly<Record<string, unknown>>,
): string | undefined {
  for (const [part, { insteadOf }] of Object.entries(files)) {
    if (insteadOf === undefined) continue;
    const hasParameter = params[insteadOf] !== undefined;
    const hasFile = parts[part] !== undefined;
    if (hasParameter !== hasFile) continue;
    const names = `\`${insteadOf}\` or \`${part}_url\``;
    return hasFile
      ? `Send either ${names}, not both.`
      : `Either ${names} is required. You can also send the file as \`${part}\`.`;
  }
  return undefined;
}
