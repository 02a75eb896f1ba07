import { readdirSync } from "node:fs";
import { stat } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { samples } from "#components/samples/generated.ts";
import { findSample } from "#components/samples/samples.ts";
import { operations } from "#lib/operations/catalogue/index.ts";

const folder = join(import.meta.dirname, "../../public/samples");

/**
 * The operations without a setting of the operator. Without the setting, the others answer 503, so
 * that their samples cannot be made anywhere.
 */
const recordable = operations.filter(({ variables = [] }) => variables.length === 0);

describe.each(recordable)("$id", ({ id, sample: { inputs, params, files } }) => {
  it(`has a current sample: else run \`npm run samples -- ${id}\``, async () => {
    const sample = findSample(id);
    const recorded = inputs.map((name) => ({ file: `inputs/${name}` }));
    expect(sample).toMatchObject({ inputs: recorded, params, files });
    for (const file of [...(sample?.inputs ?? []), ...(sample?.outputs ?? [])]) {
      expect((await stat(join(folder, file.file))).size).toBe(file.bytes);
    }
  });
});

it("there are no outputs of other operations", () => {
  const used = samples.flatMap(({ outputs }) =>
    outputs.flatMap((output) => [
      output.file,
      ...("poster" in output ? [output.poster] : []),
      ...("preview" in output ? [output.preview] : []),
    ]),
  );
  const made = readdirSync(join(folder, "outputs")).map((name) => `outputs/${name}`);
  expect(made.sort()).toEqual(used.sort());
});
