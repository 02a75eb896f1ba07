import { existsSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { z } from "zod";
import { mediaTypeOfExtension } from "#lib/media/types.ts";
import { operations } from "#lib/operations/catalogue/index.ts";
import { defineOperation } from "#lib/operations/define.ts";
import { samplesFor } from "#tests/samples/catalogue-samples.ts";
import { runOperation } from "#tests/support/operation.ts";

const root = join(import.meta.dirname, "../..");

describe.each(operations)("$id", (operation) => {
  it("is the file of its id and has a test of its own", async () => {
    const exported = await import(
      /* @vite-ignore */ join(root, `lib/operations/${operation.id}/index.ts`)
    );
    expect(Object.values(exported)).toContain(operation);
    expect(
      existsSync(
        join(root, `lib/operations/${operation.id}/${operation.id.split("/")[1]}.test.ts`),
      ),
    ).toBe(true);
  });

  it("describes every parameter in the schema that clients see", () => {
    const schema = z.toJSONSchema(operation.params, { io: "input" });
    for (const field of Object.values(schema.properties ?? {})) {
      expect((field as { description?: string }).description).toMatch(/\.$/);
    }
  });

  it("runs its example, and gives the type that it promises", async () => {
    const { input, files } = await samplesFor(operation);
    const run = await runOperation(operation, input, operation.example, files);
    const [output] = run.outputs;
    const type = mediaTypeOfExtension(output?.extension ?? "").id;
    expect(type).toBe(operation.produces(input.type, run.params));
  });
});

describe("a bad entry fails when the catalogue is loaded", () => {
  const good = {
    id: "image/test" as const,
    summary: "Test.",
    accepts: ["png" as const],
    params: z.strictObject({ size: z.number().describe("Size.") }),
    example: { size: 1 },
    produces: () => "png" as const,
    engine: "runner" as const,
    requires: [],
    run: async () => ({ outputs: [] }),
  };

  it.each([
    ["an id that is no path", { id: "image/Bad_Id" as `image/${string}` }, /kebab-case/],
    ["nothing accepted", { accepts: [] }, /accepts nothing/],
    ["an example that does not parse", { example: { size: "x" as unknown as number } }, /example/],
    [
      "a parameter without description",
      { params: z.strictObject({ size: z.number() }) },
      /description/,
    ],
  ])("%s", (_name, change, message) => {
    expect(() => defineOperation({ ...good, ...change })).toThrow(message);
  });

  it("a parameter named as a field of every request", () => {
    const params = z.strictObject({ input: z.string().describe("Input.") });
    expect(() => defineOperation({ ...good, params, example: { input: "x" } })).toThrow(
      /every request/,
    );
  });
});
