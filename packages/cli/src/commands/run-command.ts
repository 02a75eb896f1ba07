import type { Command } from "commander";
import { UsageError } from "../errors.ts";
import { describedInputs } from "./operation-command.ts";

/**
 * The words of `run image/resize …` as those of `image resize …`: the operation has its name from the
 * API and may stand at any place among flags of the program. Other words stay as they are.
 */
export function expandRun(words: readonly string[]): readonly string[] {
  const at = words.indexOf("run");
  const [group, operation, ...rest] = words[at + 1]?.split("/") ?? [];
  // Before it are only flags of the program and their values.
  const isCommand = at >= 0 && (at === 0 || words[0]?.startsWith("-") === true);
  if (!isCommand || !group || !operation || rest.length > 0) return words;
  return [...words.slice(0, at), group, operation, ...words.slice(at + 2)];
}

const help = `
Example:
  mediamill run image/resize ./in --out ./out --width 800 --watch

The flags of an operation: mediamill run image/resize --help`;

/** Adds the description of `mediamill run`. Its words reach it only if they name no operation. */
export function addRunCommand(program: Command): void {
  program
    .command("run")
    .description("Run an operation by its name in the API, such as image/resize")
    .argument("<operation>", "The operation: <group>/<operation>.")
    .argument("[files...]", describedInputs)
    .allowUnknownOption()
    .addHelpText("after", help)
    .action((operation: string) => {
      throw new UsageError(
        `${operation} is not an operation. Name one as image/resize; mediamill operations lists them.`,
      );
    });
}
