import { readFile } from "node:fs/promises";
import type { IncomingMessage, ServerResponse } from "node:http";
import { afterEach, describe, expect, test, vi } from "vitest";
import { env } from "#lib/env.ts";
import { log } from "#lib/log.ts";
import { transcribe } from "#lib/operations/audio/transcribe/index.ts";
import { planChunks } from "#lib/operations/audio/transcribe/plan-chunks.ts";
import { makeAudio } from "#tests/samples/audio.ts";
import { httpServer } from "#tests/servers/net.ts";
import {
  readTranscriptionRequest,
  type TranscriptionRequest,
  verboseJson,
  wavSeconds,
} from "#tests/servers/transcription.ts";
import { runOperation, type Sample } from "#tests/support/operation.ts";

const key = "sk-test-1234567890abcdef";

const settings: { TRANSCRIBE_URL?: string | undefined; TRANSCRIBE_KEY?: string | undefined } = env;

afterEach(() => {
  settings.TRANSCRIBE_URL = undefined;
  settings.TRANSCRIBE_KEY = undefined;
});

type Respond = (response: ServerResponse, request: TranscriptionRequest, count: number) => void;

/** Starts a server on loopback, sets the variables to it, and returns the requests that it gets. */
async function serve(respond: Respond): Promise<TranscriptionRequest[]> {
  const requests: TranscriptionRequest[] = [];
  const host = await httpServer(async (request: IncomingMessage, response) => {
    const read = await readTranscriptionRequest(request);
    requests.push(read);
    respond(response, read, requests.length);
  });
  settings.TRANSCRIBE_URL = `http://${host}/v1/`;
  settings.TRANSCRIBE_KEY = key;
  return requests;
}

const respondWith =
  (text: string): Respond =>
  (response, { wav }) =>
    void response.end(verboseJson(wavSeconds(wav), text));

async function run(sample: Sample, params: Record<string, unknown> = {}) {
  const { outputs, result } = await runOperation(transcribe, sample, params);
  const [output] = outputs;
  if (!output) throw new Error("no output");
  return { output, result, text: await readFile(output.path, "utf8") };
}

const tone = makeAudio("mp3", { duration: 2 });

describe("the request", () => {
  test("is a form with 16 kHz mono WAV, the model, and the key as a bearer token", async () => {
    const requests = await serve(respondWith("Hello world"));
    await run(makeAudio("flac", { channels: 6, duration: 2 }));
    const [request] = requests;
    expect(request).toMatchObject({
      path: "/v1/audio/transcriptions",
      fields: {
        model: ["whisper-1"],
        response_format: ["verbose_json"],
        "timestamp_granularities[]": ["word", "segment"],
      },
      filename: "audio.wav",
      contentType: "audio/wav",
    });
    expect(request?.fields.language).toBeUndefined();
    expect(request?.headers.authorization).toBe(`Bearer ${key}`);
    const wav = request?.wav ?? Buffer.alloc(44);
    expect(wav.subarray(0, 4).toString()).toBe("RIFF");
    expect([wav.readUInt16LE(22), wav.readUInt32LE(24)]).toEqual([1, 16_000]);
    expect(wavSeconds(wav)).toBeCloseTo(2, 2);
  });

  test("names the language, and has no token without a key", async () => {
    const requests = await serve(respondWith("Hallo"));
    settings.TRANSCRIBE_KEY = undefined;
    await run(tone, { language: "de" });
    expect(requests[0]?.fields.language).toEqual(["de"]);
    expect(requests[0]?.headers.authorization).toBeUndefined();
  });
});

describe("the output", () => {
  const text = "A <b>& dash --> here";

  test("json has text, segments and words", async () => {
    await serve(respondWith("Hello big world"));
    const { output, result, text } = await run(tone);
    expect(output.extension).toBe("json");
    expect(result).toMatchObject({ ...JSON.parse(text), language: "english" });
    const { words, segments } = JSON.parse(text);
    expect(segments).toEqual([{ start: 0, end: expect.closeTo(2, 1), text: "Hello big world" }]);
    expect(words.map(({ word }: { word: string }) => word)).toEqual(["Hello", "big", "world"]);
    expect(words[1].start).toBeCloseTo(0.67, 1);
  });

  test("text is the words alone", async () => {
    await serve(respondWith(text));
    const { output, text: written } = await run(tone, { format: "text" });
    expect([output.extension, written]).toEqual(["txt", `${text}\n`]);
  });

  test("srt and vtt have one cue for each segment", async () => {
    await serve(respondWith("Hello world"));
    const srt = await run(tone, { format: "srt" });
    expect(srt.text).toMatch(/^1\n00:00:00,000 --> 00:00:02,\d{3}\nHello world\n/);
    const vtt = await run(tone, { format: "vtt" });
    expect(vtt.text).toMatch(/^WEBVTT\n\n(.*\n)?00:00:00\.000 --> 00:00:02\.\d{3}\nHello world\n/);
    await serve(respondWith(text));
    const escaped = (await run(tone, { format: "vtt" })).text;
    expect(escaped).toContain("&lt;b&gt;&amp; dash");
    expect(escaped.split("-->")).toHaveLength(2);
  });

  test("of silence is empty", async () => {
    await serve((response) => void response.end(JSON.stringify({ text: "", segments: [] })));
    const { result } = await run(tone);
    expect(result).toMatchObject({ text: "", segments: [], words: [], language: null });
  });

  test("has the words that a server reports in its segments, within the audio", async () => {
    const words = [{ word: " Hi", start: 0.5, end: 99 }];
    const segments = [{ start: 0.5, end: 99, text: " Hi", words }];
    await serve((response) => void response.end(JSON.stringify({ text: " Hi", segments })));
    const { result } = await run(tone);
    const end = expect.closeTo(2, 1);
    expect(result).toMatchObject({ text: "Hi", words: [{ word: "Hi", start: 0.5, end }] });
  });
});

describe("long audio", () => {
  test("is cut at a pause, and times are those of the whole", async () => {
    // A pause from 500 to 501 s.
    const source = "aevalsrc='if(between(t,500,501),0,0.3*sin(2*PI*440*t))':s=8000";
    const sample = makeAudio("wav", { source, duration: 700, sampleRate: 8000 });
    const requests = await serve((response, { wav }, count) => {
      response.end(verboseJson(wavSeconds(wav), `Part ${count}`));
    });
    const { result } = await run(sample);
    const lengths = requests.map(({ wav }) => wavSeconds(wav));
    expect(lengths).toHaveLength(2);
    expect(lengths[0]).toBeCloseTo(500.5, 1);
    expect((lengths[0] ?? 0) + (lengths[1] ?? 0)).toBeCloseTo(700, 2);
    for (const { wav } of requests) expect(wav.length).toBeLessThan(25_000_000);
    expect(result).toMatchObject({
      text: "Part 1\nPart 2",
      segments: [{ start: 0 }, { start: expect.closeTo(500.5, 1), end: expect.closeTo(700, 1) }],
      words: [{}, {}, { word: "Part", start: expect.closeTo(500.5, 1) }, {}],
    });
  });

  test.each([
    ["without pauses", [], [10, 20, 25]],
    ["with pauses that are too early", [[1, 2]], [10, 20, 25]],
    [
      "with pauses",
      [
        [6, 7],
        [8, 8.4],
        [15, 15.5],
      ],
      [6.5, 15.25, 25],
    ],
  ] as [string, [number, number][], number[]][])("%s is cut", (_, pauses, ends) => {
    const intervals = pauses.map(([start, end]) => ({ start, end }));
    const chunks = planChunks(intervals, 25, 10);
    expect(chunks.map(({ end }) => end)).toEqual(ends);
    expect(chunks.map(({ start }) => start)).toEqual([0, ...ends.slice(0, -1)]);
  });
});

describe("a server that fails", () => {
  test.each([429, 500, 503])("with %i once is asked again", async (status) => {
    const requests = await serve((response, { wav }, count) => {
      if (count === 1) response.writeHead(status, { "retry-after": "0" }).end("{}");
      else response.end(verboseJson(wavSeconds(wav), "Hello"));
    });
    expect((await run(tone)).result).toMatchObject({ text: "Hello" });
    expect(requests).toHaveLength(2);
  });

  test("each time is asked four times, and the job's error is ours", async () => {
    const requests = await serve((response) => {
      response.writeHead(500, { "retry-after": "0" }).end(key);
    });
    const error = await run(tone).catch((caught: unknown) => caught);
    expect(requests).toHaveLength(4);
    expect(error).toBeInstanceOf(Error);
    expect(error).not.toHaveProperty("code");
    expect(String(error)).toContain("status 500");
  });

  test.each([301, 400, 401, 404])("with %i is not asked again", async (status) => {
    const requests = await serve((response) => {
      response.writeHead(status, { location: "/elsewhere" }).end(`no such key: ${key}`);
    });
    await expect(run(tone)).rejects.toThrow(`status ${status}`);
    expect(requests).toHaveLength(1);
  });

  test.each([
    ["no JSON", "<html>"],
    ["another shape", '{"segments":[]}'],
    ["times that are no numbers", '{"text":"a","segments":[{"start":"0","end":1,"text":"a"}]}'],
    ["negative times", '{"text":"a","words":[{"start":-1,"end":1,"word":"a"}]}'],
  ])("with %s gives an error that is ours", async (_, body) => {
    await serve((response) => void response.end(body));
    const error = await run(tone).catch((caught: unknown) => caught);
    expect(String(error)).toContain("invalid response");
    expect(error).not.toHaveProperty("code");
  });

  test("by closing the connection is asked again", async () => {
    const requests = await serve((response, { wav }, count) => {
      if (count === 1) response.destroy();
      else response.end(verboseJson(wavSeconds(wav), "Hello"));
    });
    await run(tone);
    expect(requests).toHaveLength(2);
  });

  test("writes the key into no log and no error", async () => {
    const lines: string[] = [];
    const warn = vi.spyOn(log, "warn").mockImplementation((...args: unknown[]) => {
      lines.push(JSON.stringify(args));
    });
    await serve((response, _, count) => {
      response.writeHead(count === 1 ? 500 : 401, { "retry-after": "0" }).end(key);
    });
    const error = await run(tone).catch((caught: unknown) => caught);
    warn.mockRestore();
    expect(lines).toHaveLength(1);
    const texts = [...lines, error instanceof Error ? `${error.stack}${String(error.cause)}` : ""];
    for (const text of texts) expect(text).not.toContain(key);
  });
});

test("a job that is stopped stops waiting for the server", async () => {
  const controller = new AbortController();
  await serve(() => controller.abort());
  const running = runOperation(transcribe, tone, {}, {}, controller.signal);
  await expect(running).rejects.toThrow();
});

test("a video without audio is rejected", async () => {
  const requests = await serve(respondWith("Hello"));
  const sample = makeAudio("mp4", { video: true, options: ["-an"] });
  await expect(run(sample)).rejects.toMatchObject({ code: "unsupported_type" });
  expect(requests).toEqual([]);
});

test.each([[{ language: "English" }], [{ language: "e" }], [{ format: "txt" }], [{ model: "x" }]])(
  "%j is rejected",
  (params) => {
    expect(transcribe.params.safeParse(params).success).toBe(false);
  },
);
