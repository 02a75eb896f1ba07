import { execFileSync } from "node:child_process";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { guideTables } from "#components/docs/guide-tables.ts";
import { componentSchema, type FieldSchema } from "#lib/api/http/schema-messages.ts";
import { jobSchema, outputSchema } from "#lib/jobs/view/job.ts";
import { jobStepSchema } from "#lib/jobs/view/steps.ts";
import {
  renderPythonResponses,
  renderSdkResponses,
} from "#scripts/commands/clients/response-types.ts";

const project = join(import.meta.dirname, "../..");
const message = "change scripts/commands/clients/response-types.ts, which renders the types";

interface FieldType {
  readonly name: string;
  readonly isOptional: boolean;
  readonly isNullable: boolean;
}

describe.each([
  ["JobData", jobSchema],
  ["JobStepData", jobStepSchema],
  ["OutputData", outputSchema],
])("%s", (type, schema) => {
  const { properties = {}, required = [] } = componentSchema(schema);
  const expected = Object.entries(properties).map(
    ([name, property]): FieldType => ({
      name,
      isOptional: !required.includes(name),
      isNullable: property.anyOf?.some((one: FieldSchema) => one.type === "null") ?? false,
    }),
  );

  it("of the SDK has the fields of the API's schema", () => {
    const text = renderSdkResponses();
    const body = new RegExp(`^export interface ${type}\\b(.*)\\{$([^]*?)^\\}`, "m").exec(text);
    const [, parameter = "", lines = ""] = body ?? [];
    const fields = [...lines.matchAll(/^ {2}(\w+)(\??): (?:(.*);|\{)$/gm)];
    const found = fields.map(
      ([, name = "", mark = "", value = ""]): FieldType => ({
        name,
        isOptional: mark === "?",
        isNullable: (value === "Result" ? parameter : value).includes("null"),
      }),
    );
    expect(found, message).toEqual(expected);
  });

  it("of Python has the fields of the API's schema", () => {
    const text = renderPythonResponses();
    const classBody = (name: string) =>
      new RegExp(`^class ${name}\\(.*$([^]*?)(?=^class |(?![^]))`, "m").exec(text)?.[1] ?? "";
    const read = (name: string, isOptional: boolean): FieldType[] =>
      [...classBody(name).matchAll(/^ {4}(\w+): (.*)$/gm)].map(([, field = "", value = ""]) => ({
        name: field,
        isOptional,
        isNullable: value.includes("None"),
      }));
    const isSplit = text.includes(`class ${type}(_${type}Required`);
    const found = isSplit
      ? [...read(`_${type}Required`, false), ...read(type, true)]
      : read(type, false);
    expect(found, message).toEqual(expected);
  });
});

it("no package defines these types by hand", () => {
  const pattern =
    "(interface|class|type) +(JobData|JobStepData|OutputData|JobStatus|JobEventType)\\b";
  const args = ["grep", "-nE", pattern, "--", "packages"];
  const found = () => execFileSync("git", args, { cwd: project, encoding: "utf8" });
  // Git exits with 1 if there is none.
  expect(found, "import them from what is generated").toThrow(/Command failed/);
});

it("the guides list the fields of jobs and outputs", () => {
  const names = (table = "") => [...table.matchAll(/^\| `([^`]+)`/gm)].map(([, name]) => name);
  const top = (table = "") => names(table).filter((name) => !name?.includes("."));
  const fieldsOf = (schema: typeof jobSchema | typeof outputSchema) =>
    Object.keys(componentSchema(schema).properties ?? {});
  expect(top(guideTables.jobFields?.())).toEqual(fieldsOf(jobSchema));
  expect(top(guideTables.outputFields?.())).toEqual(fieldsOf(outputSchema));
  expect(names(guideTables.jobFields?.())).toContain("input.filename");
});
