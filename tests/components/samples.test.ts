import { stat } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import { sampleOf } from "#components/samples/samples.ts";
import { operations } from "#lib/operations/catalogue/index.ts";

const folder = join(import.meta.dirname, "../../public/samples");

test.each(operations.map(({ id }) => id))(
  "the site has a sample of %s that still parses",
  async (id) => {
    const sample = sampleOf(id);
    if (!sample) throw new Error("run `npm run samples`");
    const operation = operations.find((one) => one.id === id);
    expect(operation?.params.safeParse(sample.params).success).toBe(true);
    expect((await stat(join(folder, sample.input.file))).size).toBe(sample.input.bytes);
    for (const output of sample.outputs) {
      expect((await stat(join(folder, output.file))).size).toBe(output.bytes);
      if (output.poster) await stat(join(folder, output.poster));
    }
  },
);
