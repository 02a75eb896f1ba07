import { copyFileSync, existsSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, expect, inject, it } from "vitest";
import { startWebdavStore, type UserStore } from "#tests/servers/storage/user-stores.ts";
import { Cli } from "#tests/service/cli.ts";
import { createClient } from "#tests/service/http/client.ts";

/** The command line with outputs that are sent to a connection. */

const photo = join(import.meta.dirname, "../../../public/samples/inputs/photo.jpg");
const { url } = inject("service");
let store: UserStore;
let cli: Cli;
let connection: string;

beforeAll(async () => {
  store = await startWebdavStore();
  const { key } = await createClient();
  cli = new Cli({ MEDIAMILL_API_KEY: key, MEDIAMILL_BASE_URL: url });
  copyFileSync(photo, join(cli.folder, "photo.jpg"));
  const response = await fetch(`${url}/v1/connections`, {
    method: "POST",
    headers: { "X-API-Key": key, "Content-Type": "application/json" },
    body: JSON.stringify({ type: "webdav", name: "Store", ...store.fields }),
  });
  connection = ((await response.json()) as { id: string }).id;
});

afterAll(async () => {
  cli.remove();
  await store.close();
});

const resize = ["image", "resize", "photo.jpg", "--width", "80"];

it("an output is sent to a connection, and not saved", async () => {
  const target = `${connection}:out/{stem}.{ext}`;
  const sent = await cli.run([...resize, "--export", target]);
  expect(sent).toMatchObject({ code: 0, stdout: `${connection}:out/photo-resize.jpg\n` });
  expect((await store.read("out/photo-resize.jpg"))?.length).toBeGreaterThan(100);
  expect(existsSync(join(cli.folder, "photo-resize.jpg"))).toBe(false);

  const again = await cli.run([...resize, "--export", target]);
  expect(again.code).not.toBe(0);
  expect(again.stderr).toContain("already");
  const replaced = await cli.run([...resize, "--export", target, "--overwrite", "--keep"]);
  expect(replaced).toMatchObject({ code: 0, stdout: "photo-resize.jpg\n" });
  expect(existsSync(join(cli.folder, "photo-resize.jpg"))).toBe(true);
});

it("a chain sends its output, too", async () => {
  const steps = [
    "--then",
    "image/resize",
    "--width",
    "80",
    "--then",
    "image/convert",
    "--format",
    "png",
  ];
  const sent = await cli.run(["chain", "photo.jpg", "--export", connection, ...steps]);
  expect(sent).toMatchObject({ code: 0, stdout: `${connection}:photo.png\n` });
  expect((await store.read("photo.png"))?.subarray(1, 4).toString()).toBe("PNG");
});

it.each([
  [["--overwrite"], "needs --export"],
  [["--export", "videos/out"], "must be conn_"],
  [["--export", "https://example.com/a", "--overwrite"], "needs a connection"],
  [["--export", `conn_${"a".repeat(24)}`, "-o", "out/"], "--keep"],
])("%j is refused before anything is sent", async (args, message) => {
  const { code, stderr } = await cli.run([...resize, ...args]);
  expect(code).not.toBe(0);
  expect(stderr).toContain(message);
});
