import { execFileSync } from "node:child_process";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { requestSnippets, type SnippetRequest } from "#components/code/snippets.ts";

const url = "http://127.0.0.1:1";
const name = `it's "two", 2.txt`;
const remote = "https://example.com/a.png?x=1&y=2";
let folder = "";

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "mediamill-command-"));
});

afterAll(() => rm(folder, { recursive: true, force: true }));

describe("the command of the CLI", () => {
  /** The arguments that a shell makes of the command. */
  async function argumentsOf(request: Omit<SnippetRequest, "baseUrl">): Promise<string[]> {
    const { cli = "" } = requestSnippets({ ...request, baseUrl: url });
    const program = `#!/bin/sh\nprintf '%s\\0' "$MEDIAMILL_BASE_URL" "$@"`;
    await writeFile(join(folder, "mediamill"), program, { mode: 0o755 });
    const env = { ...process.env, PATH: `${folder}:${process.env.PATH}` };
    return execFileSync("sh", ["-c", cli], { env, encoding: "utf8" }).split("\0").slice(0, -1);
  }

  it("has a target in the place of a folder", async () => {
    const connection = `conn_${"a".repeat(24)}`;
    const output = { connection, path: "out/{stem}.{ext}", overwrite: true };
    const request = { operation: "image/flip", params: { output }, input: { file: "one.txt" } };
    const target = ["--export", `${connection}:out/{stem}.{ext}`, "--overwrite"];
    expect(await argumentsOf(request)).toEqual([url, "image", "flip", "one.txt", ...target]);
    const params = { output: { url: remote }, keep: true };
    const kept = await argumentsOf({ ...request, params });
    expect(kept.slice(4)).toEqual(["--export", remote, "--keep", "-o", "out/"]);
  });

  it("has files, then options by the names of the API", async () => {
    const given = await argumentsOf({
      operation: "image/watermark-image",
      params: {
        font_size: 12,
        text: `it's "$HOME"\n`,
        tile: true,
        loop: false,
        start: -1,
        metadata: { a: "1", b: "2=3" },
      },
      inputs: [{ file: name }, { url: remote }, { file: "-x.png" }],
      files: { watermark: { file: "logo.png" } },
    });
    expect(given).toEqual([
      url,
      "image",
      "watermark-image",
      name,
      remote,
      "./-x.png",
      "--watermark",
      "logo.png",
      "--font-size",
      "12",
      "--text",
      `it's "$HOME"\n`,
      "--tile",
      "--no-loop",
      "--start=-1",
      "--metadata",
      "a=1",
      "--metadata",
      "b=2=3",
      "-o",
      "out/",
    ]);
  });

  it("has each operation of a chain, with its own options", async () => {
    const given = await argumentsOf({
      operation: "chain",
      params: {
        operations: [
          { type: "image/watermark-text", params: { text: `it's "one"`, font_size: 12 } },
          { type: "image/flip", params: {} },
        ],
        metadata: { a: "1" },
      },
      input: { file: name },
    });
    expect(given).toEqual([
      url,
      "chain",
      name,
      "-o",
      "out/",
      "--metadata",
      "a=1",
      "--then",
      "image/watermark-text",
      "--text",
      `it's "one"`,
      "--font-size",
      "12",
      "--then",
      "image/flip",
    ]);
  });
});
