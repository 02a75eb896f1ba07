import { expect, it } from "vitest";
import { readBody } from "#lib/api/http/body.ts";

it.each([
  ["the only file", 1, { file: "" }, "The file is empty."],
  ["a further file", 1, { file: "a", watermark: "" }, "The file `watermark` is empty."],
  ["one of several inputs", 3, { file: ["a", ""] }, "Input 2: the file is empty."],
] as [string, number, Record<string, string | string[]>, string][])(
  "%s that is empty is named: %s",
  async (_, maxInputs, files, message) => {
    const form = new FormData();
    for (const [name, texts] of Object.entries(files)) {
      for (const text of [texts].flat()) form.append(name, new File([text], "a.txt"));
    }
    const request = new Request("http://localhost/", { method: "POST", body: form });
    const target = {
      keyOf: (part: string) => `inputs/job_1/${part}`,
      parts: ["file", "watermark"],
      maxInputs,
      repeatable: [],
      fileLimit: null,
    };
    await expect(readBody({ request, record: {} }, target)).rejects.toMatchObject({
      code: "invalid_input",
      message,
    });
  },
);
