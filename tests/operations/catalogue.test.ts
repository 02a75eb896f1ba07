import { expect, it } from "vitest";
import { mediaTypeOfExtension } from "#lib/media/types.ts";
import { operations } from "#lib/operations/catalogue/index.ts";
import { makeOperationSamples } from "#tests/samples/catalogue-samples.ts";
import { runOperation } from "#tests/support/operation.ts";

it.each(operations)(
  "$id runs its example, and its output has the declared type",
  async (operation) => {
    const { inputs, files } = await makeOperationSamples(operation);
    const run = await runOperation(operation, inputs, operation.example, files);
    const [output] = run.outputs;
    const type = mediaTypeOfExtension(output?.extension ?? "").id;
    expect(type).toBe(operation.produces(inputs[0]?.type ?? "unknown", run.params));
  },
);
