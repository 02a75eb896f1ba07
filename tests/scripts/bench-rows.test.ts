import { readdirSync, readFileSync } from "node:fs";
import { basename, join } from "node:path";
import { expect, it } from "vitest";
import { projectFolder } from "#lib/setup/node24.mjs";
import { countIdleMessages } from "#tests/bench/load/database-proxy.ts";
import { type BenchReport, replaceTable } from "#tests/bench/report/report.ts";
import { makeRow, measureInTurns, percentile } from "#tests/bench/report/rows.ts";

it("a row has the median and 95th percentile of its values, and compares one with the target", () => {
  const values = Array.from({ length: 100 }, (_, index) => 100 - index);
  expect(makeRow("a job", "service", "ms", values, { target: { max: 50 } })).toEqual({
    row: "a job",
    side: "service",
    unit: "ms",
    median: 50,
    p95: 95,
    cpu: null,
    memory: null,
    target: "≤ 50",
    ok: true,
  });
  expect(
    makeRow("a job", "service", "ms", values, { target: { max: 98, of: "p99" } }),
  ).toMatchObject({ target: "≤ 98 (p99: 99.0)", ok: false });
  expect(makeRow("jobs", "service", "jobs/s", 79, { target: { min: 80 } })).toMatchObject({
    median: 79,
    p95: null,
    target: "≥ 80",
    ok: false,
  });
});

it("a percentile is one of the values", () => {
  expect(percentile([3], 0.95)).toBe(3);
  expect(percentile([4, 1, 3, 2], 0.5)).toBe(2);
  expect(() => percentile([], 0.5)).toThrow("no values");
});

it("sides run in turns, after rounds that do not count", async () => {
  const order: string[] = [];
  const side = (name: string) => async () => ({ value: order.push(name), cpuSeconds: 0.5 });
  const sides = { service: side("service"), bare: side("bare") };
  const measured = await measureInTurns(sides, { rounds: 2 });
  expect(order).toEqual(["service", "bare", "service", "bare", "service", "bare"]);
  expect(measured).toEqual({
    service: { values: [3, 5], cpu: 1 },
    bare: { values: [4, 6], cpu: 1 },
  });
});

const report: BenchReport = {
  name: "memory",
  title: "memory",
  machine: "2 cores",
  seconds: 1,
  at: new Date("2026-11-22T10:00:00Z"),
  rows: [makeRow("memory | pages", "runner", "MB", 1234)],
};

it("a report replaces only its own table of a page, without empty columns", () => {
  const page =
    "# A\n\n<!-- bench: lists -->\nx\n<!-- end -->\n\n<!-- bench: memory -->\nold\n<!-- end -->\nB\n";
  const replaced = replaceTable(page, report);
  expect(replaced).toBe(
    "# A\n\n<!-- bench: lists -->\nx\n<!-- end -->\n\n<!-- bench: memory -->\n\n2026-11-22: 2 cores.\n\n|  | side | unit | median |\n|---|---|---|---|\n| memory \\| pages | runner | MB | 1,234 |\n\n<!-- end -->\nB\n",
  );
  expect(replaceTable(replaced, report)).toBe(replaced);
  expect(() => replaceTable("# A", report)).toThrow("has no place for memory");
});

it("transactions are counted by the server's messages, also if they are cut anywhere", () => {
  const message = (type: string, body: string) => {
    const length = Buffer.alloc(4);
    length.writeInt32BE(4 + body.length);
    return Buffer.concat([Buffer.from(type), length, Buffer.from(body)]);
  };
  const bytes = Buffer.concat([
    message("C", "BEGIN\0"),
    message("Z", "T"),
    message("D", "Z\0\0\0\u0005I"),
    message("Z", "I"),
    message("Z", "I"),
  ]);
  for (let size = 1; size <= bytes.length; size++) {
    let transactions = 0;
    const read = countIdleMessages(() => transactions++);
    for (let at = 0; at < bytes.length; at += size) read(bytes.subarray(at, at + size));
    expect(transactions).toBe(2);
  }
});

it("docs/performance.md has a place for the table of every benchmark", () => {
  const page = readFileSync(join(projectFolder, "docs", "performance.md"), "utf8");
  const folder = join(projectFolder, "tests", "bench");
  const files = readdirSync(folder, { recursive: true, encoding: "utf8" });
  const names = files.filter((file) => file.endsWith(".bench.ts"));
  expect(names.length).toBeGreaterThan(5);
  for (const file of names) {
    const name = basename(file, ".bench.ts");
    expect(replaceTable(page, { ...report, name })).toContain(`<!-- bench: ${name} -->`);
  }
});
