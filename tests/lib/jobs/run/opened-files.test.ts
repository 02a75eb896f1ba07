import { existsSync } from "node:fs";
import { join } from "node:path";
import { expect, it, vi } from "vitest";
import { PartialFile } from "#lib/engines/partial/partial-file.ts";
import { openedFiles } from "#lib/jobs/run/inputs/partial-input.ts";
import { temporaryFolder } from "#tests/servers/net.ts";

it("a file that is opened again for a job replaces the earlier one, which is closed", async () => {
  const folder = await temporaryFolder();
  const closed: string[] = [];
  const open = async (name: string) => {
    const source = {
      bytes: 10,
      async *read() {},
      async close() {
        closed.push(name);
      },
    };
    const file = await PartialFile.create(source, { path: join(folder, name) });
    openedFiles.keep("job_1", file);
    return file;
  };
  await open("earlier");
  const later = await open("later");
  await vi.waitFor(() => expect(existsSync(join(folder, "earlier"))).toBe(false));
  expect(closed).toEqual(["earlier"]);
  expect(openedFiles.take("job_1")).toBe(later);
  await later.close();
});
