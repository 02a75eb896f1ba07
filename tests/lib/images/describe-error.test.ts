import { expect, it } from "vitest";
import { createJobFailure } from "#lib/engines/sandbox/failures/failures.ts";
import { describeError } from "#lib/images/serve/describe-error.ts";

it("a picture that needs too much memory is the fault of its URL", () => {
  const error = createJobFailure("out_of_memory", new Error("killed"));
  expect(describeError(error)).toEqual({ status: 422, message: error.message });
});
