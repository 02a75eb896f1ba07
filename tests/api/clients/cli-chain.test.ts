import { execFileSync } from "node:child_process";
import { copyFileSync, existsSync, readFileSync, utimesSync } from "node:fs";
import { join } from "node:path";
import sharp from "sharp";
import { afterAll, beforeAll, expect, inject, it } from "vitest";
import { Cli, linesOf } from "#tests/service/cli.ts";
import { createClient } from "#tests/service/http/client.ts";

/** Chains of the command line, against the running service. */

const inputs = join(import.meta.dirname, "../../../public/samples/inputs");
let cli: Cli;

beforeAll(async () => {
  const { key } = await createClient();
  cli = new Cli({ MEDIAMILL_API_KEY: key, MEDIAMILL_BASE_URL: inject("service").url });
  for (const name of ["photo.jpg", "second.jpg"])
    copyFileSync(join(inputs, "photo.jpg"), join(cli.folder, name));
  for (const name of ["logo.png", "contract.pdf"])
    copyFileSync(join(inputs, name), join(cli.folder, name));
});

afterAll(() => cli.remove());

const at = (...names: string[]) => join(cli.folder, ...names);
const steps = ["--then", "image/resize", "--width", "40", "--then", "image", "convert"];
const webp = [...steps, "--format", "webp"];

it("runs a chain on each file, and only on those that changed", async () => {
  const args = ["chain", "*.jpg", ...webp, "-o", "out/", "--json"];
  const first = await cli.run(args);
  expect(first.code).toBe(0);
  const lines = linesOf(first.stdout).map((line) => JSON.parse(line));
  expect(lines.map(({ operation }) => operation)).toEqual(["chain", "chain"]);
  expect(lines.map(({ outputs }) => outputs[0].path).sort()).toEqual([
    "out/photo.webp",
    "out/second.webp",
  ]);
  expect(await sharp(at("out/photo.webp")).metadata()).toMatchObject({ format: "webp", width: 40 });
  utimesSync(at("photo.jpg"), 1, 1);
  const again = await cli.run([...args, "--stale-only"]);
  expect(linesOf(again.stdout).map((line) => JSON.parse(line).input)).toEqual(["photo.jpg"]);
});

it("reads stdin, uploads further files, and never replaces an input", async () => {
  const piped = cli.run(["chain", "-", ...webp, "-o", "piped.webp"], {
    input: readFileSync(at("photo.jpg")),
  });
  expect(await piped).toMatchObject({ code: 0, stdout: "piped.webp\n" });
  const marked = ["--then", "image/flip", "--direction", "vertical", "--then"];
  const args = [
    "chain",
    "photo.jpg",
    ...marked,
    "image/watermark-image",
    "--watermark",
    "logo.png",
  ];
  expect(await cli.run(args)).toMatchObject({ code: 0, stdout: "photo-watermark.jpg\n" });
  expect(existsSync(at("photo-watermark.jpg"))).toBe(true);
});

it("shows the curl command, which works, without secrets", async () => {
  const variables = { MEDIAMILL_PARAM_PASSWORD: "correct horse" };
  const protect = ["--then", "document/compress-pdf", "--then", "document/protect-pdf"];
  const args = ["chain", "contract.pdf", ...protect, "--metadata", "a=it's"];
  const shown = await cli.run([...args, "--dry-run"], { variables });
  expect(shown.stdout).not.toContain("correct horse");
  const env = { ...cli.environment, ...variables };
  const printed = execFileSync("sh", ["-c", shown.stdout], { cwd: cli.folder, env });
  expect(JSON.parse(printed.toString())).toMatchObject({
    status: "completed",
    operation: "chain",
    metadata: { a: "it's" },
  });
});

it.each([
  ["no operation", ["chain", "photo.jpg"], 2, "--then image/resize"],
  ["an unknown operation", ["chain", "photo.jpg", "--then", "image/resiez"], 2, "mean resize"],
  ["a wrong value", ["chain", "a.jpg", "--then", "image/resize", "--width", "0"], 2, "--width"],
  ["a missing parameter", ["chain", "photo.jpg", ...steps], 2, "--format is required"],
  [
    "what cannot follow",
    ["chain", "photo.jpg", ...webp, "--then", "audio/normalize"],
    4,
    "Operation 3",
  ],
])("%s ends with its own exit code and says what to do", async (_name, args, code, message) => {
  const result = await cli.run(args);
  expect(result.stderr).toContain(message);
  expect(result).toMatchObject({ code, stdout: "" });
});

it("outputs of the same name do not replace each other", async () => {
  const { url, folder } = inject("host");
  copyFileSync(at("photo.jpg"), join(folder, "same.jpg"));
  const remote = [`${url}/same.jpg`, `${url}/same.jpg?2`];
  const args = ["image", "flip", ...remote, "--direction", "vertical", "-o", "same/"];
  const { code, stdout } = await cli.run(args);
  expect(code).toBe(0);
  expect(linesOf(stdout).sort()).toEqual(["same/same-flip-2.jpg", "same/same-flip.jpg"]);
});
