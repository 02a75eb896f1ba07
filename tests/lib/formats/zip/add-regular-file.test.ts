import { once } from "node:events";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { ZipFile } from "yazl";
import { addRegularFile } from "#lib/formats/zip/add-regular-file.ts";
import { temporaryFolder } from "#tests/servers/net.ts";

it("a file that has vanished when its turn comes is an error of the archive, not of the process", async () => {
  const folder = temporaryFolder();
  const zip = new ZipFile();
  writeFileSync(join(folder, "first"), "x".repeat(100_000));
  addRegularFile(zip, "first", join(folder, "first"), {});
  addRegularFile(zip, "second", join(folder, "second"), {});
  const failed = once(zip, "error");
  zip.end();
  zip.outputStream.resume();
  expect((await failed)[0]).toMatchObject({ code: "ENOENT" });
});
