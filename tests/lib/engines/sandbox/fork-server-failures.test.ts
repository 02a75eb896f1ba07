import { existsSync, readdirSync } from "node:fs";
import { Server } from "node:net";
import { afterEach, expect, it, vi } from "vitest";
import { processPath } from "#lib/engines/sandbox/folder/process-folder.ts";
import { ForkServer } from "#lib/engines/sandbox/fork-server/fork-server.ts";

afterEach(() => {
  vi.restoreAllMocks();
});

/** Launches a program that takes requests of one byte. */
function launch(command: string, args: readonly string[] = []) {
  const encode = () => Buffer.from("-");
  return ForkServer.launch({ command, args: () => args, encode, reportsReady: false }, () => {});
}

/** The folders of sockets, and what removes them when this process exits. */
function countListening() {
  const folder = processPath("sockets");
  const folders = existsSync(folder) ? readdirSync(folder).length : 0;
  return { folders, listeners: process.listenerCount("exit") };
}

it("does not listen any more if its program is missing", async () => {
  const before = countListening();
  await expect(launch("does-not-exist")).rejects.toThrow("does-not-exist, which starts engines");
  await vi.waitFor(() => expect(countListening()).toEqual(before));
});

it("leaves no folder if it cannot listen", async () => {
  const before = countListening();
  vi.spyOn(Server.prototype, "listen").mockImplementation(function (this: Server) {
    setImmediate(() => this.emit("error", new Error("too many open files")));
    return this;
  });
  await expect(launch("cat")).rejects.toThrow("too many open files");
  expect(countListening()).toEqual(before);
});

it("rejects the start of a process that has exited and whose connections are lost", async () => {
  const script = "head -c 1 > /dev/null; echo started 1 99999999; echo exited 1 0; cat > /dev/null";
  const server = await launch("sh", ["-c", script]);
  await expect(server.start({ sockets: 3 })).rejects.toThrow("connections");
  expect(server.isBusy).toBe(false);
  await server.close();
});
