import { stripVTControlCharacters } from "node:util";
import { expect, test } from "vitest";
import { formatLine } from "#lib/supervisor/log-lines.ts";

const event =
  '{"level":"warn","time":"2026-01-02T03:04:05.678Z","part":"web","request_id":"req_1","msg":"slow"}';
const now = new Date("2026-01-02T03:04:05.678Z");
const time = now.toTimeString().slice(0, 8);

function readable(line: string): string {
  const text = formatLine({ line, part: "web", level: "info" }, "readable", now);
  return stripVTControlCharacters(text);
}

test("an event passes unchanged where logs are JSON", () => {
  expect(formatLine({ line: event, part: "web", level: "info" }, "json", now)).toBe(event);
});

test.each([
  ["plain text", "listening"],
  ["JSON that is no event", '{"ok":true}'],
  ["a broken event", '{"level":"info",'],
])("%s becomes an event of its part", (_, line) => {
  const text = formatLine({ line, part: "media", level: "warn" }, "json", now);
  expect(JSON.parse(text)).toEqual({
    level: "warn",
    time: now.toISOString(),
    part: "media",
    msg: line,
  });
});

test("a terminal shows time, part, level, message and fields", () => {
  expect(readable(event)).toBe(`${time} web      warn: slow request_id=req_1`);
});

test("a terminal shows a line that is no event with the part it came from", () => {
  expect(readable("listening")).toBe(`${time} web      listening`);
});

test("an error's stack is shown as lines", () => {
  const line = event.replace('"request_id":"req_1"', '"err":{"stack":"Error: x\\n    at y"}');
  expect(readable(line)).toContain("err=\nError: x\n    at y");
});
