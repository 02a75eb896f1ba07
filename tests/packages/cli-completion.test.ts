import { execFileSync } from "node:child_process";
import { once } from "node:events";
import { mkdirSync } from "node:fs";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { Cli, linesOf } from "#tests/service/cli.ts";

/** The completion of the command line, in real shells. */

const size = { width: { type: "integer" }, fit: { enum: ["inside", "cover", "contain"] } };

/** The operations as `GET /v1/operations` describes them, as far as completion reads it. */
const catalogue = [
  { id: "image/resize", inputs: { min: 1, max: 1 }, parameters: { properties: size } },
  { id: "image/convert", inputs: { min: 1, max: 1 }, parameters: { properties: {} } },
  { id: "document/merge-pdf", inputs: { min: 2, max: 100 }, parameters: { properties: {} } },
].map((operation) => ({ ...operation, summary: "", accepts: [], example: {} }));

let server: Server;
let cli: Cli;

beforeAll(async () => {
  server = createServer((_request, response) => {
    response.end(JSON.stringify({ operations: catalogue }));
  }).listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as AddressInfo;
  cli = new Cli({ MEDIAMILL_BASE_URL: `http://127.0.0.1:${port}` });
  expect((await cli.run(["operations"])).code).toBe(0);
});

afterAll(() => {
  server.close();
  cli.remove();
});

describe.each(["bash", "zsh"])("in %s", (shell) => {
  it("Tab completes commands, operations, flags and values", () => {
    const folder = join(cli.folder, shell);
    mkdirSync(join(folder, "some folder"), { recursive: true });
    const typed = [
      "mediamill im",
      "mediamill image resize --wid",
      "mediamill image resize --fit cov",
      "mediamill chain some --then image/resi",
      "mediamill image resize some",
    ];
    const driver = join(import.meta.dirname, "../clients/complete-lines.zsh");
    const args = ["-f", driver, shell, folder, ...typed];
    const printed = execFileSync("zsh", args, { env: { ...cli.environment, TERM: "xterm" } });
    expect(linesOf(printed.toString()).map((line) => line.trimEnd())).toEqual([
      "mediamill image",
      "mediamill image resize --width",
      "mediamill image resize --fit cover",
      "mediamill chain some --then image/resize",
      "mediamill image resize some\\ folder/",
    ]);
  });
});

it("fish is offered the same words", () => {
  const complete = (line: string) => {
    const script = `mediamill completion fish | source; complete -C '${line}'`;
    const options = { cwd: cli.folder, env: cli.environment, encoding: "utf8" } as const;
    return linesOf(execFileSync("fish", ["--no-config", "-c", script], options));
  };
  expect(complete("mediamill im")).toEqual(["image"]);
  expect(complete("mediamill image resize bash/so")).toEqual(["bash/some folder/"]);
  expect(complete("mediamill image resize --fit c")).toEqual(["contain", "cover"]);
  expect(complete("mediamill chain a --then image/resi")).toEqual(["image/resize"]);
});

it("offers all words of a place, and no word where a file is meant", async () => {
  const offered = async (...words: string[]) =>
    linesOf((await cli.run(["__complete", "--", ...words])).stdout);
  expect(await offered("jobs", "")).toEqual(["list", "get", "cancel", "retry", "tail"]);
  expect(await offered("image", "resize", "--fit", "co")).toEqual(["cover", "contain"]);
  expect(await offered("image", "resize", "")).toEqual([]);
  const chained = await offered("chain", "a.jpg", "--then", "");
  expect(chained).toContain("image/resize");
  expect(chained).not.toContain("document/merge-pdf");
});
