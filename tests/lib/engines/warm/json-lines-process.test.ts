import { describe, expect, it, onTestFinished } from "vitest";
import { translateEngineError } from "#lib/engines/sandbox/failures/failures.ts";
import { startEngine } from "#lib/engines/sandbox/run-engine.ts";
import { JsonLinesProcess } from "#lib/engines/warm/json-lines-process.ts";
import { temporaryFolder } from "#tests/support/processes.ts";

const timeoutMs = 20_000;

/** Prints `ready` first, then its arguments, one per request, and then waits. */
const script = `echo "$1"; shift
while read -r request && [ $# -gt 0 ]; do printf '%b\\n' "$1"; shift; done
sleep 60`;

async function start(replies: readonly string[], ready = '{"ready":true}') {
  const folder = await temporaryFolder();
  const args = ["-c", script, "sh", ready, ...replies];
  const running = await startEngine({ command: "sh", args, folder });
  onTestFinished(() => running.kill());
  return JsonLinesProcess.connect("image", running, timeoutMs);
}

describe("a reply", () => {
  it.each([
    ["a result", '{"result":{"a":1}}', { result: { a: 1 } }],
    ["an error", '{"error":{"code":"x","message":"y"}}', { error: { code: "x", message: "y" } }],
  ])("with %s is returned, and the process stays healthy", async (_, line, reply) => {
    const process = await start([line, line]);
    await expect(process.request({}, { timeoutMs })).resolves.toEqual(reply);
    await expect(process.request({}, { timeoutMs })).resolves.toEqual(reply);
    expect(process.healthy).toBe(true);
  });

  it("may have lines of progress before the last line", async () => {
    const process = await start(['{"progress":20}\\n{"progress":70}\\n{"result":{}}']);
    const progress: number[] = [];
    const onProgress = (percent: number) => progress.push(percent);
    await process.request({}, { timeoutMs, onProgress });
    expect(progress).toEqual([20, 70]);
  });
});

describe("an invalid reply fails the request and marks the process as unhealthy", () => {
  it.each([
    ["text", "not JSON"],
    ["an array", "[]"],
    ["an empty object", "{}"],
    ["progress that is not a number", '{"progress":"half"}'],
    ["a result that is not an object", '{"result":1}'],
    ["an error without a code", '{"error":{"message":"x"}}'],
    ["a second ready line", '{"ready":true}'],
  ])("%s", async (_, line) => {
    const process = await start([line]);
    const failure = await process.request({}, { timeoutMs }).catch((error: unknown) => error);
    expect(failure).toMatchObject({
      name: "EngineError",
      message: "image sent an invalid reply",
      invalidReply: true,
      timedOut: false,
    });
    expect(translateEngineError(failure)).toMatchObject({ code: "engine_crashed" });
    expect(process.healthy).toBe(false);
    await expect(process.request({}, { timeoutMs })).rejects.toBe(failure);
  });

  it("a line that is too long", async () => {
    const folder = await temporaryFolder();
    const endless = "echo '{\"ready\":true}'; read -r request; yes '' | tr '\\n' a";
    const running = await startEngine({ command: "sh", args: ["-c", endless], folder });
    onTestFinished(() => running.kill());
    const process = await JsonLinesProcess.connect("image", running, timeoutMs);
    const request = process.request({}, { timeoutMs });
    await expect(request).rejects.toMatchObject({ invalidReply: true, timedOut: false });
    expect(process.healthy).toBe(false);
  });

  it("a first line other than ready", async () => {
    await expect(start([], '{"result":{}}')).rejects.toMatchObject({ invalidReply: true });
  });
});

describe("a request fails as", () => {
  it("timed out, if the process does not reply", async () => {
    const process = await start([]);
    const request = process.request({}, { timeoutMs: 100 });
    await expect(request).rejects.toMatchObject({ timedOut: true, invalidReply: false });
    expect(process.healthy).toBe(false);
  });

  it("aborted, if the caller aborts it", async () => {
    const process = await start([]);
    const request = process.request({}, { timeoutMs, signal: AbortSignal.abort() });
    await expect(request).rejects.toMatchObject({ aborted: true });
  });
});
