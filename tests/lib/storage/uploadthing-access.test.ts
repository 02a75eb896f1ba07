import { expect, it, onTestFinished } from "vitest";
import { hasPublicFiles } from "#lib/storage/uploadthing-access.ts";
import { startUploadThingServer } from "#tests/servers/storage/uploadthing.ts";
import { freePort } from "#tests/service/stack.ts";

it.each([
  ["private", false],
  ["public", true],
] as const)("the files of a %s app: anyone can read them: %s", async (access, expected) => {
  const server = await startUploadThingServer(access);
  onTestFinished(() => server.close());
  await expect(hasPublicFiles(server.options)).resolves.toBe(expected);
  expect(await server.listFiles()).toEqual([]);
});

it("a store that cannot be reached is no proof of privacy", async () => {
  const server = await startUploadThingServer();
  await server.close();
  const ingestUrl = `http://127.0.0.1:${await freePort()}`;
  await expect(hasPublicFiles({ ...server.options, ingestUrl })).rejects.toThrow("the store");
});
