import { expect, it } from "vitest";
import { z } from "zod";
import { integerText, metadataFilter } from "#lib/api/definition/parameters.ts";
import { parseQuery } from "#lib/api/http/validate.ts";

const parse = (query: string) =>
  parseQuery(
    z.strictObject({ limit: integerText(1, 100).optional(), metadata: metadataFilter }),
    new URL(`http://localhost/?${query}`),
  );

it("joins the entries of an object", () => {
  expect(parse("metadata[a]=1&metadata[b[c]]=2")).toEqual({ metadata: { a: "1", "b[c]": "2" } });
});

it.each(["metadata[]=1", "metadata[__proto__]=1", "metadata=1"])(
  "says how an object is given: %s",
  (query) => {
    expect(() => parse(query)).toThrow(/^`metadata` must be given as `metadata\[key\]=value`/);
  },
);

it("suggests the parameter that is no object", () => {
  expect(() => parse("limit[]=1")).toThrow("`limit[]` is not a parameter. Did you mean `limit`?");
});
