import { describe, expect, it } from "vitest";
import { readBody } from "#lib/api/http/body.ts";
import { parseParams, repeatableFields } from "#lib/api/job-creation/parse-params.ts";
import { findOperation } from "#lib/operations/catalogue/index.ts";
import type { Operation } from "#lib/operations/define.ts";

function operationOf(id: string): Operation {
  const operation = findOperation(id);
  if (!operation) throw new Error(`there is no operation ${id}`);
  return operation;
}

const pixelate = operationOf("image/pixelate");

/** The parameters of a form with `fields`. */
async function parseForm(...fields: [string, string][]): Promise<Record<string, unknown>> {
  const form = new FormData();
  for (const [name, value] of fields) form.append(name, value);
  const request = new Request("http://localhost/", { method: "POST", body: form });
  const body = await readBody(
    { request, record: {} },
    {
      keyOf: (part) => part,
      parts: ["file"],
      maxInputs: 1,
      repeatable: repeatableFields(pixelate),
      fileLimit: null,
    },
  );
  return parseParams(pixelate, body.fields, body.encoding);
}

describe("a parameter that may be a list", () => {
  it("is repeatable in a form", () => {
    expect(repeatableFields(pixelate)).toEqual(["region"]);
    expect(repeatableFields(operationOf("image/sharpen"))).toEqual([]);
  });

  it.each([
    ["once", [["region", "1,2,3,4"]], "1,2,3,4"],
    [
      "three times",
      [
        ["region", "1,2,3,4"],
        ["size", "8"],
        ["region", "5,6,7,8"],
        ["region", "0,0,1,1"],
      ],
      ["1,2,3,4", "5,6,7,8", "0,0,1,1"],
    ],
    ["as JSON", [["region", '["1,2,3,4", "5,6,7,8"]']], ["1,2,3,4", "5,6,7,8"]],
  ] as [string, [string, string][], unknown][])("%s", async (_, fields, region) => {
    expect(await parseForm(...fields)).toMatchObject({ region });
  });

  it.each(["1,2,3", "[", '["1,2,3,4", 5]', "[]"])("rejects %s", async (text) => {
    await expect(parseForm(["region", text])).rejects.toMatchObject({
      code: "invalid_parameter",
      message: expect.stringMatching(/^`region` must be left,top,width,height in pixels/),
    });
  });

  it("rejects a list with a value that is not valid", async () => {
    const parsed = parseForm(["region", "1,2,3,4"], ["region", "x"]);
    await expect(parsed).rejects.toMatchObject({ code: "invalid_parameter" });
  });
});

it("another parameter must be in the form only once", async () => {
  await expect(parseForm(["size", "8"], ["size", "9"])).rejects.toMatchObject({
    code: "invalid_request",
    message: "`size` must be in the form only once.",
  });
});
