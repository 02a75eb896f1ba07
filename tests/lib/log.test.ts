import { DrizzleQueryError } from "drizzle-orm/errors";
import { expect, test } from "vitest";
import { serializeError } from "#lib/log.ts";

test("the log of a failed statement has its cause and stack, but none of its values", () => {
  const cause = Object.assign(new Error("connection closed"), {
    code: "CONNECTION_CLOSED",
    args: ["hash-of-a-key"],
  });
  const statement = `select ${"column, ".repeat(200)} from api_keys where hash = $1`;
  const serialized = serializeError(new DrizzleQueryError(statement, ["hash-of-a-key"], cause));
  const text = JSON.stringify(serialized);
  expect(text).not.toContain("hash-of-a-key");
  expect(serialized.message).toMatch(/^Failed query: select/);
  expect(text.length).toBeLessThan(6000);
  expect(serialized.stack).toContain("log.test.ts");
  expect(serialized.cause).toMatchObject({
    message: "connection closed",
    code: "CONNECTION_CLOSED",
  });
});

test("an error keeps its own fields and every cause", () => {
  const error = new Error("outer", { cause: Object.assign(new Error("inner"), { exitCode: 7 }) });
  expect(serializeError(error)).toMatchObject({
    type: "Error",
    message: "outer",
    cause: { message: "inner", exitCode: 7 },
  });
});
