import { stripVTControlCharacters } from "node:util";
import { expect, test } from "vitest";
import { formatLogLine } from "#lib/supervisor/logs/format-log-line.ts";

const event =
  '{"level":"warn","time":"2026-01-02T03:04:05.678Z","service":"web","request_id":"req_1","msg":"slow"}';
const now = new Date("2026-01-02T03:04:05.678Z");
const time = now.toTimeString().slice(0, 8);

function readable(line: string): string {
  const text = formatLogLine({ line, service: "web", level: "info" }, "readable", now);
  return stripVTControlCharacters(text);
}

test("an event is unchanged in JSON logs", () => {
  expect(formatLogLine({ line: event, service: "web", level: "info" }, "json", now)).toBe(event);
});

test.each([
  ["plain text", "listening"],
  ["JSON that is not an event", '{"ok":true}'],
  ["a broken event", '{"level":"info",'],
])("%s becomes an event of its service", (_, line) => {
  const text = formatLogLine({ line, service: "media", level: "warn" }, "json", now);
  expect(JSON.parse(text)).toEqual({
    level: "warn",
    time: now.toISOString(),
    service: "media",
    msg: line,
  });
});

test("a terminal shows time, service, level, message and fields", () => {
  expect(readable(event)).toBe(`${time} web        warn: slow request_id=req_1`);
});

test("a terminal shows a line that is not an event with the service that wrote it", () => {
  expect(readable("listening")).toBe(`${time} web        listening`);
});

test("an error's stack is shown with line breaks", () => {
  const line = event.replace('"request_id":"req_1"', '"err":{"stack":"Error: x\\n    at y"}');
  expect(readable(line)).toContain("err=\nError: x\n    at y");
});
