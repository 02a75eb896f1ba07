import { PassThrough } from "node:stream";
import { expect, test } from "vitest";
import { readLines } from "#lib/engines/warm/read-lines.ts";

function read(chunks: (string | Buffer)[], maxLength = 100) {
  const stream = new PassThrough();
  const lines: string[] = [];
  let tooLong = 0;
  readLines(
    stream,
    maxLength,
    (line) => lines.push(line),
    () => tooLong++,
  );
  for (const chunk of chunks) stream.write(chunk);
  return { lines, tooLong: () => tooLong };
}

const umlaut = Buffer.from("ü\n");

test.each([
  ["lines that are split between chunks", ["a", "b\nc", "\n", "d"], ["ab", "c"]],
  ["several lines in a chunk", ["a\n\nb\n"], ["a", "", "b"]],
  [
    "Unicode line separators as text",
    ["a\u2028b\u2029c\u0085d\re\n"],
    ["a\u2028b\u2029c\u0085d\re"],
  ],
  ["a character that is split between chunks", [umlaut.subarray(0, 1), umlaut.subarray(1)], ["ü"]],
])("reads %s", async (_, chunks, expected) => {
  const { lines } = read(chunks);
  await expect.poll(() => lines).toEqual(expected);
});

test("reports a line that is too long once and stops reading", async () => {
  const { lines, tooLong } = read(["ok\n", "x".repeat(60), "x".repeat(60), "x\nlate\n"]);
  await expect.poll(tooLong).toBe(1);
  expect(lines).toEqual(["ok"]);
});
