import { randomBytes } from "node:crypto";
import { once } from "node:events";
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import { join } from "node:path";
import { expect, it, onTestFinished } from "vitest";
import { PartialFile, type RangeSource } from "#lib/engines/partial/partial-file.ts";
import { startRangeServer } from "#lib/engines/partial/range-server.ts";
import { throughRelay } from "#lib/engines/partial/relay.ts";
import { currentSandbox } from "#lib/engines/sandbox/current-sandbox.ts";
import { runEngine } from "#lib/engines/sandbox/run-engine.ts";
import type { PartialContent, WorkFolder } from "#lib/engines/sandbox/work-folder.ts";
import { findRemainingCommands } from "#tests/hostile/engine-processes.ts";
import { temporaryFolder } from "#tests/servers/net.ts";
import { temporaryWorkFolder } from "#tests/support/operation.ts";

const content = randomBytes(3_000_000);

/** Serves `content`, or a source that fails at byte 1,000,000, to the engines of a work folder. */
async function serve({ fails = false } = {}) {
  const source: RangeSource = {
    bytes: content.length,
    async *read(start, end) {
      if (fails && end > 1_000_000) throw new Error("the source is gone");
      yield content.subarray(start, end);
    },
    async close() {},
  };
  const file = await PartialFile.create(source, { path: join(temporaryFolder(), "sparse") });
  const server = await startRangeServer(file);
  onTestFinished(async () => {
    await server.close();
    await file.close();
    expect(existsSync(server.socket)).toBe(false);
    expect(await findRemainingCommands(server.socket)).toEqual([]);
  });
  return { file, partial: contentAt(server.socket) };
}

function contentAt(socket: string): PartialContent {
  const requireWhole = () => {
    throw new Error("the whole file is required");
  };
  return { socket, bytes: content.length, requireWhole };
}

/**
 * Python's library sets TCP_NODELAY, which ffmpeg does not. At the level `strict`, its socket is replaced by a UNIX
 * socket, which has no such option.
 */
const withoutOptions = "import socket; socket.socket.setsockopt = lambda *options: None\n";

/**
 * Runs a Python program, with the URL of the served file as its argument, as an engine is run. What it
 * writes to stdout is returned.
 */
async function runProgram(
  program: string,
  partial: PartialContent,
  more: string[] = [],
  work: WorkFolder = temporaryWorkFolder(),
) {
  const input = { ...work.input("mp4"), partial };
  const command = {
    command: "python3",
    args: ["-c", withoutOptions + program, "http://127.0.0.1:9/in/0.mp4", ...more],
  };
  const { stdout } = await runEngine({
    engine: "ffmpeg",
    ...throughRelay(command, work.view, [input]),
  });
  return stdout.toString();
}

const readRanges = `
import sys, urllib.request
def read(span):
  request = urllib.request.Request(sys.argv[1], headers={"Range": "bytes=" + span} if span else {})
  with urllib.request.urlopen(request) as response:
    return response.status, response.read()
`;

it("an engine reads ranges of the file, on several connections at a time", async () => {
  const { partial, file } = await serve();
  const work = temporaryWorkFolder();
  const program = `${readRanges}
from concurrent.futures import ThreadPoolExecutor
spans = ["100-199", "2999990-", "1000000-1500000", ""]
with ThreadPoolExecutor(4) as pool: parts = list(pool.map(read, spans))
open("out/all", "wb").write(b"".join(part for _, part in parts))
print([status for status, _ in parts])`;
  expect(await runProgram(program, partial, [], work)).toBe("[206, 206, 206, 200]\n");
  const parts = [[100, 200], [2_999_990], [1_000_000, 1_500_001], [0]];
  const expected = Buffer.concat(parts.map(([start, end]) => content.subarray(start, end)));
  expect(readFileSync(join(work.root, "out/all")).equals(expected)).toBe(true);
  expect(file.receivedBytes).toBe(content.length);
});

it.each([
  ["bytes=3000000-", 416],
  ["bytes=5-2", 416],
  ["bytes=-5", 416],
  ["bytes=0-1,3-4", 416],
])("rejects the range %s", async (range, status) => {
  const { partial } = await serve();
  const program = `
import sys, urllib.request, urllib.error
try: urllib.request.urlopen(urllib.request.Request(sys.argv[1], headers={"Range": "${range}"}))
except urllib.error.HTTPError as error: print(error.code)`;
  expect(await runProgram(program, partial)).toBe(`${status}\n`);
});

it("a source that fails ends the response in its middle, and stops the engine by the signal", async () => {
  const { partial, file } = await serve({ fails: true });
  const program = `${readRanges}
try: print(len(read("")[1]))
except Exception as error: print("broken")`;
  expect(await runProgram(program, partial)).toBe("broken\n");
  expect(file.signal.reason).toMatchObject({ message: "the source is gone" });
});

it("an engine reaches nothing but the file", async () => {
  const isolated = (await currentSandbox()).level !== "off";
  expect(isolated).toBe(true);
  const other = createServer((_request, response) => response.end("secret")).listen(0, "127.0.0.1");
  await once(other, "listening");
  onTestFinished(() => void other.close());
  const address = other.address();
  const port = typeof address === "object" ? address?.port : 0;
  const { partial } = await serve();
  const second = await serve();
  const work = temporaryWorkFolder();
  writeFileSync(join(work.root, "tmp/names"), "");
  const program = `${readRanges}
import os, socket
found = []
for url in sys.argv[2].split():
  try: found.append(urllib.request.urlopen(url, timeout=2).read())
  except Exception: pass
try: socket.socket(socket.AF_UNIX).connect(sys.argv[3]); found.append("socket")
except OSError: pass
try: os.remove(sys.argv[4]); found.append("removed")
except OSError: pass
# At the level "strict", each address leads to the file.
status, own = read("")
print([one[:10] for one in found if one != own], status)`;
  const urls = `http://127.0.0.1:${port}/ http://localhost:${port}/ http://169.254.169.254/`;
  const more = [urls, second.partial.socket, partial.socket];
  expect(await runProgram(program, partial, more, work)).toBe("[] 200\n");
});

it("rejects two partial files in one command", async () => {
  const { view, ...work } = temporaryWorkFolder();
  const file = (socket: string) => ({
    name: "in/0.mp4",
    path: `${work.root}/in/0.mp4`,
    extension: "mp4",
    partial: contentAt(socket),
  });
  const command = { command: "ffmpeg", args: [] };
  expect(() => throughRelay(command, view, [file("/a"), file("/b")])).toThrow("two partial files");
});
