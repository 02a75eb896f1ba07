import { Command } from "commander";
import { type CatalogueOperation, splitId } from "../catalogue/operation.ts";
import { UsageError } from "../errors.ts";
import type { Session } from "../session.ts";
import { addRunFlags, addSteps, describedInputs } from "./operation-command.ts";
import type { RunFlags, RunStep } from "./run-operation.ts";

/** The word before each operation of a chain. */
const separator = "--then";

const help = `
Operations (each takes the output of the one before):
  --then <group>/<operation> [its flags]

Example:
  mediamill chain *.jpg -o out/ --then image/resize --width 800 --then image/convert --format webp

The flags of an operation: mediamill chain --then image/resize --help`;

/** The words before the first `--then`, and those after each. */
export function splitChain(
  words: readonly string[],
): [own: readonly string[], ...steps: (readonly string[])[]] {
  const own: string[] = [];
  const steps: string[][] = [];
  for (const word of words) {
    if (word === separator) steps.push([]);
    else if (word.startsWith(`${separator}=`)) steps.push([word.slice(separator.length + 1)]);
    else (steps.at(-1) ?? own).push(word);
  }
  return [own, ...steps];
}

/**
 * Adds `mediamill chain`, which runs several operations as one job. `steps` are the words after
 * each `--then`, and `load` reads the operations of the service.
 */
export function addChain(
  program: Command,
  session: Session,
  steps: readonly (readonly string[])[],
  load: () => Promise<readonly CatalogueOperation[]>,
): void {
  const command = program
    .command("chain")
    .description("Run several operations, one after the other, as one job")
    .argument("[files...]", describedInputs)
    .addHelpText("after", help);
  addRunFlags(command, false);
  command.action(async (files: string[]) => {
    if (steps.length === 0) {
      throw new UsageError(
        "A chain needs operations. Add them with --then image/resize, and so on.",
      );
    }
    const operations = await load();
    const parsed: RunStep[] = [];
    let flags: RunFlags = command.opts();
    for (const words of steps) {
      const step = await parseStep(program, operations, words);
      parsed.push(step.step);
      flags = { ...flags, ...step.flags };
    }
    const { runOperation } = await import("./run-operation.ts");
    const target = { id: "chain", inputs: { min: 1, max: 1 }, steps: parsed };
    session.exitCode = await runOperation(await session.settings(), target, files, flags);
  });
}

interface ParsedStep {
  readonly step: RunStep;
  /** Flags of the run may stand after the last operation too. */
  readonly flags: RunFlags;
}

async function parseStep(
  program: Command,
  operations: readonly CatalogueOperation[],
  words: readonly string[],
): Promise<ParsedStep> {
  const found: ParsedStep[] = [];
  const parser = new Command(`mediamill chain ${separator}`).copyInheritedSettings(program);
  // Their values were read from all words of the call.
  for (const option of program.options) parser.addOption(option);
  for (const group of new Set(operations.map(({ id }) => splitId(id)[0]))) {
    addSteps(parser, group, operations, (step, _words, flags) => void found.push({ step, flags }));
  }
  const [id = "", ...rest] = words;
  if (id === "") throw new UsageError("--then needs an operation, such as --then image/resize.");
  await parser.parseAsync([...id.split("/"), ...rest], { from: "user" });
  const [step] = found;
  if (!step) throw new UsageError(`--then ${words.join(" ")} is not an operation.`);
  return step;
}
