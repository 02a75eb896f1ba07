import { execFileSync } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, it } from "vitest";
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
