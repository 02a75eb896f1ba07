import { once } from "node:events";
import { type AddressInfo, createServer, type Socket } from "node:net";
import ssh2, { type Attributes, type SFTPWrapper } from "ssh2";
import type { SftpAccess } from "#lib/connections/stores/sftp-connection.ts";

const { OPEN_MODE, STATUS_CODE } = ssh2.utils.sftp;
const mode = 0o100_644;

/** An SFTP server of this process with files in memory, for what OpenSSH's server cannot be made to do. */
export interface SftpServer {
  readonly access: SftpAccess;
  readonly port: number;
  readonly files: Map<string, Buffer>;
  /** How many files were opened. */
  opened: number;
  /** The parts of files that were requested, in the order in which they arrived. */
  readonly parts: {
    readonly kind: "read" | "write";
    readonly start: number;
    readonly end: number;
  }[];
  /** How long each of its responses takes, as from a distant server. */
  delayMs: number;
  /** Whether it responds to nothing that concerns files, while it keeps its connections alive. */
  hangs: boolean;
  /** The connections that it has accepted, in their order. */
  readonly sockets: readonly Socket[];
  /** Called before a file is renamed. If it returns false, the file is not renamed and nothing is sent. */
  onRename: ((socket: Socket, to: string) => boolean) | undefined;
  /** Ends the file services of all connections, which stay open. */
  endServices(): void;
  close(): void;
}

/** Starts a server for one user, with a password. */
export async function startSftpServer(): Promise<SftpServer> {
  // Not Ed25519: ssh2 cannot read 1 of 200 such keys that it generates.
  const key = ssh2.utils.generateKeyPairSync("ecdsa", { bits: 256 });
  const password = "canary-password";
  const sockets: Socket[] = [];
  const services: SFTPWrapper[] = [];
  const listener = createServer((socket) => {
    sockets.push(socket);
    const alive = { keepaliveInterval: 50, keepaliveCountMax: 1000 };
    const ssh = new ssh2.Server({ hostKeys: [key.private], ...alive }, (client) => {
      client.on("error", () => {});
      client.on("authentication", (login) => {
        if (login.method === "password" && login.password === password) login.accept();
        else login.reject(["password"]);
      });
      client.on("session", (accept) => {
        accept().on("sftp", (open) => {
          const service = open();
          services.push(service);
          serve(service, server, socket);
        });
      });
    });
    ssh.injectSocket(socket);
  });
  listener.listen(0, "127.0.0.1");
  await once(listener, "listening");
  // A server that listens on TCP has an address of this type.
  const { port } = listener.address() as AddressInfo;
  const server: SftpServer = {
    access: { host: "127.0.0.1", port, username: "ada", password, onHostKey: async () => {} },
    port,
    files: new Map(),
    opened: 0,
    parts: [],
    delayMs: 0,
    hangs: false,
    sockets,
    onRename: undefined,
    endServices() {
      for (const service of services.splice(0)) service.end();
    },
    close() {
      listener.close();
      for (const socket of sockets) socket.destroy();
    },
  };
  return server;
}

function serve(sftp: SFTPWrapper, server: SftpServer, socket: Socket): void {
  const { files } = server;
  const paths: string[] = [];
  const pathOf = (handle: Buffer) => paths[handle.readUInt32BE()] ?? "";
  const done = (id: number) => sftp.status(id, STATUS_CODE.OK);
  const respond = (work: () => void) => {
    if (server.hangs) return;
    if (server.delayMs === 0) work();
    else setTimeout(work, server.delayMs);
  };
  const sendState = (id: number, path: string) => {
    const file = files.get(path);
    respond(() => {
      if (file) sftp.attrs(id, stateOf(file));
      else sftp.status(id, STATUS_CODE.NO_SUCH_FILE);
    });
  };
  sftp.on("OPEN", (id, path, flags) => {
    if (flags & OPEN_MODE.WRITE) files.set(path, Buffer.alloc(0));
    if (!files.has(path)) return void sftp.status(id, STATUS_CODE.NO_SUCH_FILE);
    server.opened++;
    const handle = Buffer.alloc(4);
    handle.writeUInt32BE(paths.push(path) - 1);
    respond(() => sftp.handle(id, handle));
  });
  sftp.on("READ", (id, handle, offset, length) => {
    server.parts.push({ kind: "read", start: offset, end: offset + length });
    const part = files.get(pathOf(handle))?.subarray(offset, offset + length) ?? "";
    respond(() => sftp.data(id, part));
  });
  sftp.on("WRITE", (id, handle, offset, data) => {
    server.parts.push({ kind: "write", start: offset, end: offset + data.length });
    const before = files.get(pathOf(handle)) ?? Buffer.alloc(0);
    files.set(pathOf(handle), Buffer.concat([before.subarray(0, offset), data]));
    done(id);
  });
  sftp.on("CLOSE", done);
  sftp.on("FSTAT", (id, handle) => sendState(id, pathOf(handle)));
  sftp.on("STAT", sendState);
  sftp.on("LSTAT", sendState);
  sftp.on("REMOVE", (id, path) => {
    sftp.status(id, files.delete(path) ? STATUS_CODE.OK : STATUS_CODE.NO_SUCH_FILE);
  });
  sftp.on("RENAME", (id, from, to) => {
    if (server.onRename && !server.onRename(socket, to)) return;
    const file = files.get(from);
    if (!file) return void sftp.status(id, STATUS_CODE.NO_SUCH_FILE);
    // As version 3 of the protocol says.
    if (files.has(to)) return void sftp.status(id, STATUS_CODE.FAILURE);
    files.set(to, file);
    files.delete(from);
    done(id);
  });
}

const stateOf = ({ length }: Buffer): Attributes => ({
  mode,
  uid: 0,
  gid: 0,
  size: length,
  atime: 1,
  mtime: 1,
});
