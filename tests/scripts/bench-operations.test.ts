import { expect, it } from "vitest";
import { makeOperationRows, type OperationRound } from "#tests/bench/operations/operation-rows.ts";
import { readWarmWork, sumWarmSeconds } from "#tests/bench/operations/warm-engines.ts";

const call = (engine: string, start: number, end: number, warm?: boolean) => ({
  startTimeUnixNano: start,
  endTimeUnixNano: end,
  attributes: {
    "mediamill.engine": engine,
    ...(warm === undefined ? {} : { "mediamill.engine.warm": warm }),
  },
});

it("the time of warm engines counts once while several work, without the processes that were started", () => {
  const spans = [
    call("qpdf", 50, 60, true),
    call("image", 100, 110, true),
    call("ffmpeg", 200, 900),
    call("libreoffice", 105, 140, true),
    call("image", 106, 120, true),
    { ...call("", 0, 2000), attributes: {} },
  ];
  expect(readWarmWork(spans)).toEqual({
    ms: 10 + 40,
    engines: ["qpdf", "image", "libreoffice", "image"],
  });
  expect(readWarmWork([])).toEqual({ ms: 0, engines: [] });
});

it("CPU time of the runner, of web and of the database is not that of warm engines", () => {
  const seconds = { runner: 1, LibreOffice: 2, web: 4, qpdf: 8, postgres: 16, ffmpeg: 32 };
  expect(sumWarmSeconds(new Map(Object.entries(seconds)))).toBe(10);
});

const round = (serviceMs: number, bareMs: number, warmMs: number): OperationRound => ({
  service: { ms: serviceMs, cpuSeconds: 0.5 },
  bare: { ms: bareMs, cpuSeconds: 0.125 },
  warm: { ms: warmMs, engines: ["image", "libreoffice", "image"], cpuSeconds: 0.25 },
});

it("an operation may take 1.25 times its commands and warm engines, and 15 ms", () => {
  const commands = [{ command: "/usr/bin/ffprobe" }, { command: "ffmpeg" }, { command: "ffmpeg" }];
  const [service, engines] = makeOperationRows("video/a", commands, [
    round(140, 60, 40),
    round(142, 50, 40),
    round(139, 70, 40),
  ]);
  expect(engines).toMatchObject({
    row: "video/a",
    side: "ffprobe, 2 × ffmpeg, 2 × warm image, warm libreoffice",
    median: 100,
    cpu: 1.125,
    target: null,
  });
  expect(service).toMatchObject({
    row: "video/a",
    side: "service",
    median: 140,
    cpu: 1.5,
    target: "≤ 140",
    ok: true,
  });
});

it("an operation without a process of its own has a target, too", () => {
  const rows = makeOperationRows("image/a", [], [round(41, 0, 20), round(41, 0, 20)]);
  expect(rows.map(({ side, target, ok }) => ({ side, target, ok }))).toEqual([
    { side: "service", target: "≤ 40", ok: false },
    { side: "2 × warm image, warm libreoffice", target: null, ok: null },
  ]);
  const none = { ...round(20, 0, 0), warm: { ms: 0, engines: [], cpuSeconds: 0 } };
  expect(makeOperationRows("image/b", [], [none])).toMatchObject([
    { target: "≤ 15", ok: false },
    { side: "no engine", median: 0 },
  ]);
});
