import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { describeSchema, outputSchema } from "#lib/api/http/schema-messages.ts";
import { operations } from "#lib/operations/catalogue/index.ts";

const samples = join(import.meta.dirname, "../../../public/samples");

// The site has no sample of operations that need a server of the operator.
const recorded = operations.filter(({ variables }) => !variables);

it.each(recorded)("the recorded result of $id is as declared", ({ id, result: schema }) => {
  const path = join(samples, `${id}.json`);
  if (!existsSync(path)) throw new Error(`No sample: run \`npm run samples -- ${id}\`.`);
  const { job } = JSON.parse(readFileSync(path, "utf8"));
  if (!schema) expect(job.result).toBeNull();
  else expect(schema.parse(job.result)).toEqual(job.result);
});

it("a result is an object whose fields are described or speak for themselves", () => {
  for (const { id, result } of operations) {
    if (!result) continue;
    const schema = outputSchema(result);
    expect(schema.type, id).toBe("object");
    for (const [name, field] of Object.entries(schema.properties ?? {})) {
      expect(describeSchema(field), `${id}: ${name}`).not.toBe("a valid value");
    }
  }
});
