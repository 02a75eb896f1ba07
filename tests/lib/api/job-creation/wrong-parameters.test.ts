import { describe, expect, it } from "vitest";
import { parseParams } from "#lib/api/job-creation/parse-params.ts";
import { RequestError } from "#lib/errors.ts";
import { operations } from "#lib/operations/catalogue/index.ts";
import type { Operation } from "#lib/operations/define.ts";
import { expectMessage } from "#tests/support/expect-error.ts";

/** The message of the error with which `operation` rejects the parameters `given`. */
function rejectionOf(operation: Operation, given: Record<string, unknown>): string {
  try {
    parseParams(operation, { ...operation.example, ...given }, "json");
  } catch (error) {
    if (!(error instanceof RequestError)) throw error;
    expect(error.code).toBe("invalid_parameter");
    expectMessage(error.message);
    return error.message;
  }
  throw new Error(`${operation.id} accepts ${Object.keys(given)}`);
}

const values = [null, [], {}, [1], 2 ** 53 + 1, -1e308, "x".repeat(300_000)];

describe.each(operations)("$id rejects", (operation) => {
  it("a wrong type for each parameter, and names the parameter", () => {
    for (const name of Object.keys(operation.params.shape)) {
      const isValid = (value: unknown) =>
        operation.params.safeParse({ ...operation.example, [name]: value }).success;
      for (const value of values.filter((one) => !isValid(one))) {
        const message = rejectionOf(operation, { [name]: value });
        expect(message).toMatch(new RegExp(`^\`${name}(?:\\[0\\])?\` must `));
      }
    }
  });

  it("unknown parameters", () => {
    const names = ["account_id", "toString", "Input", "input ", "x".repeat(1000), "<b>"];
    for (const name of names) rejectionOf(operation, { [name]: "x" });
  });
});
