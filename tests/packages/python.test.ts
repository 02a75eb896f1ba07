import { execFileSync } from "node:child_process";
import { mkdirSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { basename, join } from "node:path";
import { expect, it } from "vitest";
import { packageFiles } from "#lib/api/endpoints/packages/client-packages.ts";
import { projectFolder } from "#lib/setup/node24.mjs";
import { buildWheel, python } from "#scripts/commands/clients/python-wheel.ts";

it("the Python package is a wheel that works where it is unpacked", async () => {
  const folder = mkdtempSync(join(tmpdir(), "mediamill-wheel-"));
  try {
    const wheel = await buildWheel(folder);
    expect(wheel).toMatch(/mediamill-[\d.]+-py3-none-any\.whl$/);
    const site = join(folder, "site");
    execFileSync(python, ["-m", "zipfile", "-e", wheel, site]);
    const script = `
import mediamill, mediamill.operations, pathlib
folder = pathlib.Path(mediamill.__file__).parent
assert folder.is_relative_to(${JSON.stringify(site)}), folder
assert (folder / "py.typed").exists() and (folder / "_sync/chain.pyi").exists()
mm = mediamill.Mediamill("key", "http://127.0.0.1:1", max_retries=0)
try:
    mm.run("image/qr-code", text="a")
except mediamill.ConnectionError as error:
    print(type(error).__name__)
`;
    const options = { env: { ...process.env, PYTHONPATH: site }, encoding: "utf8" } as const;
    expect(execFileSync(python, ["-c", script], options).trim()).toBe("ConnectionError");
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
});

/** What a wheel has: its paths, the headers of its metadata, the digests of its modules, and its files' modes. */
function readWheel(path: string) {
  const script = `
import json, sys, zipfile
with zipfile.ZipFile(sys.argv[1]) as wheel:
    names = wheel.namelist()
    read = lambda end: wheel.read(next(name for name in names if name.endswith(end))).decode()
    print(json.dumps({
        "names": sorted(names),
        "metadata": read("/METADATA"),
        "wheel": read("/WHEEL"),
        "record": read("/RECORD"),
        "modes": sorted({oct(info.external_attr >> 16) for info in wheel.infolist()}),
        "bad": wheel.testzip(),
    }))`;
  const { names, metadata, wheel, record, modes, bad } = JSON.parse(
    execFileSync(python, ["-c", script, path], { encoding: "utf8" }),
  );
  const [head = "", ...description] = metadata.split("\n\n");
  // What each program writes about itself, and what depends on it.
  const isOwn = (line: string) =>
    /^(?:Generator|Metadata-Version): |(?:METADATA|WHEEL),/.test(line);
  const lines = (text: string) =>
    text
      .trim()
      .split("\n")
      .filter((line) => !isOwn(line))
      .sort();
  return {
    name: basename(path),
    names,
    headers: lines(head),
    description: description.join("\n\n"),
    wheel: lines(wheel),
    record: lines(record),
    modes,
    bad,
  };
}

it("the wheel is that of the build backend of the project, and the same each time", async () => {
  const folder = mkdtempSync(join(tmpdir(), "mediamill-wheel-"));
  try {
    const [own, again, backend] = ["own", "again", "backend"].map((name) => join(folder, name));
    for (const path of [own, again, backend]) mkdirSync(path ?? "");
    const wheel = await buildWheel(own ?? "");
    expect(readFileSync(await buildWheel(again ?? "")).equals(readFileSync(wheel))).toBe(true);
    const args = ["-m", "hatchling", "build", "-t", "wheel", "-d", backend ?? ""];
    execFileSync(python, args, { cwd: join(projectFolder, "packages/python"), stdio: "pipe" });
    const expected = readWheel(join(backend ?? "", basename(wheel)));
    expect(readWheel(wheel)).toEqual({ ...expected, modes: ["0o100644"] });
    expect(basename(wheel)).toBe(packageFiles.python.file);
    expect(expected.names.length).toBeGreaterThan(40);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
});
