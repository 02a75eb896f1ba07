import type { Socket } from "node:net";
import { afterEach, beforeEach, expect, it } from "vitest";
import { SftpStore } from "#lib/connections/stores/sftp.ts";
import type { StoreFile } from "#lib/connections/stores/store.ts";
import { testNetwork } from "#tests/servers/net.ts";
import { type SftpServer, startSftpServer } from "#tests/servers/storage/sftp-server.ts";
import { smallFile } from "#tests/servers/storage/store-file.ts";

/** Files that are replaced at a server without OpenSSH's extension for that. */

let server: SftpServer;
beforeEach(async () => {
  server = await startSftpServer();
});
afterEach(() => server.close());

const path = "a.txt";
const temporary = ".job_1-1.part";
const earlier = `${temporary}.old`;

async function put(changes: Partial<StoreFile> = {}, { signal } = new AbortController()) {
  const network = testNetwork([`127.0.0.1:${server.port}`]);
  const store = new SftpStore(server.access, { network, signal });
  try {
    await store.put({ ...smallFile(signal), ...changes });
  } finally {
    await store.close();
  }
}

function setFiles(files: Readonly<Record<string, string>>): void {
  for (const [name, text] of Object.entries(files)) server.files.set(name, Buffer.from(text));
}

const filesOf = () =>
  Object.fromEntries([...server.files].map(([name, content]) => [name, content.toString()]));

/** Calls `act` when the new file is to get its path, which it does not. */
function actBetweenRenames(act: (socket: Socket) => void): void {
  server.onRename = (socket, to) => {
    if (to !== path || !server.files.has(temporary)) return true;
    act(socket);
    return false;
  };
}

it("replaces a file", async () => {
  setFiles({ [path]: "before" });
  await put();
  expect(filesOf()).toEqual({ [path]: "content" });
});

it.each([
  ["deleted the earlier file", { [path]: "content", [earlier]: "before" }],
  ["gave the new file its path", { [temporary]: "content", [earlier]: "before" }],
])("replaces a file after an attempt that ended before it %s", async (_, files) => {
  setFiles(files);
  await put({ isRepeated: true });
  expect(filesOf()).toEqual({ [path]: "content" });
});

it("gives the earlier file its path back if the next attempt fails, too", async () => {
  setFiles({ [temporary]: "content", [earlier]: "before" });
  const open = () => Promise.reject(new Error("no content"));
  await expect(put({ isRepeated: true, open })).rejects.toThrow("The store refused the file.");
  expect(filesOf()).toEqual({ [path]: "before" });
});

it("gives the earlier file its path back when the connection is lost between the two renames", async () => {
  setFiles({ [path]: "before" });
  actBetweenRenames((socket) => socket.resetAndDestroy());
  await expect(put()).rejects.toMatchObject({ isPermanent: false });
  expect(filesOf()).toEqual({ [path]: "before" });
});

it("gives the earlier file its path back when the job is cancelled between the two renames", async () => {
  setFiles({ [path]: "before" });
  const stopping = new AbortController();
  actBetweenRenames(() => stopping.abort(new Error("cancelled")));
  await expect(put({}, stopping)).rejects.toThrow("cancelled");
  expect(filesOf()).toEqual({ [path]: "before" });
});
