import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { isAtLeast, LogCollector } from "#lib/supervisor/logs/log-collector.ts";

let written: string[] = [];

beforeEach(() => {
  written = [];
  vi.spyOn(process.stdout, "write").mockImplementation((text) => {
    written.push(JSON.parse(String(text)).msg);
    return true;
  });
});

afterEach(() => {
  vi.restoreAllMocks();
});

const event = (level: string, msg: string) => ({
  line: JSON.stringify({ level, time: "2026-01-01T00:00:00Z", service: "media", msg }),
  service: "media",
  level: "info",
});

it("holds lines back until they are released, and then writes those that are wanted", () => {
  const log = new LogCollector("info");
  log.hold();
  log.write(event("info", "ready"));
  log.write(event("warn", "no engine"));
  log.write({ line: "text on stderr", service: "web", level: "warn" });
  expect(written).toEqual([]);
  log.release((raw) => isAtLeast("warn", raw));
  log.event("info", "later");
  expect(written).toEqual(["no engine", "text on stderr", "later"]);
});

it("an error releases all lines, in their order", () => {
  const log = new LogCollector("info");
  log.hold();
  log.write(event("info", "starting"));
  log.write(event("error", "no disk"));
  log.event("info", "later");
  expect(written).toEqual(["starting", "no disk", "later"]);
});
