import { once } from "node:events";
import { createServer } from "node:net";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { lockDataFolder } from "#lib/supervisor/start/data-folder.ts";
import { startUploadThingServer } from "#tests/servers/storage/uploadthing.ts";
import { Program, temporaryFolder } from "#tests/support/processes.ts";

const script = `${import.meta.dirname}/../../scripts/start.mjs`;

/** One line on stderr, nothing on stdout, exit code 1. */
async function expectStartError(variables: Record<string, string>, line: RegExp): Promise<void> {
  const DATA_DIR = join(await temporaryFolder(), "data");
  const { code, stdout, stderr } = await new Program([script], { DATA_DIR, ...variables }).exited;
  expect(stderr).toMatch(line);
  expect(stderr.trimEnd().split("\n")).toHaveLength(1);
  expect({ code, stdout }).toEqual({ code: 1, stdout: "" });
}

/** The messages about all variables are in env.test.ts. */
test.each([
  [
    "FETCH_ALLOW",
    "http://x",
    /^FETCH_ALLOW: must be a comma-separated list of host:port or purpose=host:port, /,
  ],
  ["DATA_DIR", "/proc/x", /^DATA_DIR: \/proc\/x cannot be used: .*; set DATA_DIR to a folder /],
  ["DATA_DIR", "/proc/x/y/z", /^DATA_DIR: \/proc\/x\/y\/z cannot be used: /],
])("%s=%s stops the start with one line that names it", async (name, value, line) => {
  await expectStartError({ [name]: value }, line);
});

test("a public app of UploadThing stops the start with one line", async () => {
  const server = await startUploadThingServer("public");
  onTestFinished(() => server.close());
  const { token, apiUrl, ingestUrl, ufsHost } = server.options;
  const { code, stdout, stderr } = await new Program([script], {
    DATA_DIR: join(await temporaryFolder(), "data"),
    STORAGE: "uploadthing",
    UPLOADTHING_TOKEN: `${token}`,
    UPLOADTHING_API_URL: `${apiUrl}`,
    // The client's own settings for other hosts than UploadThing's.
    UPLOADTHING_INGEST_URL: `${ingestUrl}`,
    UPLOADTHING_UFS_HOST: `${ufsHost}`,
    UPLOADTHING_UFS_APP_ID_LOCATION: "path",
  }).exited;
  // The client warns of its own deprecated fields before.
  expect(stderr.trimEnd().split("\n").at(-1)).toBe(
    "STORAGE: the files of the UploadThing app are public; set its access control to private",
  );
  expect({ code, stdout }).toEqual({ code: 1, stdout: "" });
  expect(await server.listFiles()).toEqual([]);
});

test("a second start with a DATA_DIR in use prints one line", async () => {
  const folder = join(await temporaryFolder(), "data");
  expect(lockDataFolder(folder, "service")).toHaveProperty("path");
  await expectStartError(
    { DATA_DIR: folder },
    /^DATA_DIR: .* is in use by another running Mediamill; stop it, or set DATA_DIR to another folder$/m,
  );
});

test("a PORT in use stops the start with one line", async () => {
  const server = createServer().listen(0);
  onTestFinished(() => void server.close());
  await once(server, "listening");
  const address = server.address();
  const port = typeof address === "object" ? address?.port : undefined;
  await expectStartError({ PORT: String(port) }, /^PORT: \d+ is in use; set PORT to a free port$/m);
});
