import { generateKeyPairSync } from "node:crypto";
import { once } from "node:events";
import { existsSync, mkdirSync } from "node:fs";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { type AddressInfo, connect, createServer, type Socket } from "node:net";
import { tmpdir, userInfo } from "node:os";
import { join } from "node:path";
import ssh2 from "ssh2";
import { freePort } from "#tests/service/stack.ts";
import { type Faults, noFaults, type RealStore, serve } from "./real-store.ts";

/** OpenSSH's server, with a key of each kind of user, and a front that can break its connections. */

const sftpServer = "/usr/lib/openssh/sftp-server";
/** Requests that a user may not make. */
const reads = "open,opendir,readdir,read";
/** The smallest file system that there is. */
const fullBytes = 4096;
/** How much of a connection passes before it is cut: more than its greetings have. */
const cutBytes = 16 * 1024;

export async function startOpenSsh(): Promise<RealStore> {
  const home = await mkdtemp(join(tmpdir(), "mediamill-sshd-"));
  const port = await freePort();
  const folder = join(home, "files");
  const tiny = join(home, "tiny");
  mkdirSync(folder);
  mkdirSync(tiny);
  const passphrase = "canary-Passphrase-5f3e";
  const owner = makeKey(passphrase);
  const reader = makeKey();
  const writer = makeKey();
  const guest = makeKey();
  const untrusted = makeKey();
  const host = makeKey();
  const fill = `head -c ${2 * fullBytes} /dev/zero > ${tiny}/all 2> /dev/null`;
  const inSpace = `bwrap --dev-bind / / --size ${fullBytes} --tmpfs ${tiny} sh -c '${fill}; exec ${sftpServer} -d ${tiny}'`;
  const users = [
    [`${sftpServer} -d ${folder}`, owner],
    [`${sftpServer} -R -d ${folder}`, reader],
    [`${sftpServer} -P ${reads} -d ${folder}`, writer],
    [inSpace, guest],
  ] as const;
  const authorized = users.map(([command, key]) => `command="${command}" ${key.publicKey}\n`);
  await writeFile(join(home, "authorized_keys"), authorized.join(""), { mode: 0o600 });
  await writeFile(join(home, "host_key"), host.privateKey, { mode: 0o600 });
  const settings = [
    `Port ${port}`,
    "ListenAddress 127.0.0.1",
    `HostKey ${home}/host_key`,
    `AuthorizedKeysFile ${home}/authorized_keys`,
    "PidFile none",
    "StrictModes no",
    "UsePAM no",
    "PasswordAuthentication no",
    "KbdInteractiveAuthentication no",
    "PermitRootLogin yes",
    "MaxStartups 100",
    `Subsystem sftp ${sftpServer}`,
    "",
  ];
  await writeFile(join(home, "sshd_config"), settings.join("\n"));
  // What the system's own start would make.
  if (process.getuid?.() === 0 && !existsSync("/run/sshd")) mkdirSync("/run/sshd", { mode: 0o755 });
  const server = await serve(port, ["/usr/sbin/sshd", "-D", "-e", "-f", join(home, "sshd_config")]);
  const front = await startTcpFront(port);
  const fieldsOf = (key: Key) => ({ private_key: key.privateKey });
  return {
    type: "sftp",
    faults: front.faults,
    fields: {
      host: "127.0.0.1",
      port: front.port,
      username: userInfo().username,
      private_key: owner.privateKey,
      passphrase,
    },
    others: {
      wrongSecret: fieldsOf(untrusted),
      readOnly: fieldsOf(reader),
      noReading: fieldsOf(writer),
      full: fieldsOf(guest),
      privateAddress: { host: "10.0.0.1", port: 22 },
    },
    secrets: [
      passphrase,
      ...[owner, reader, writer, guest, untrusted].flatMap(({ privateKey }) =>
        privateKey.split("\n").slice(4, 6),
      ),
    ],
    sentBytes: front.sentBytes,
    async close() {
      await front.close();
      await server.stop();
      await rm(home, { recursive: true, force: true, maxRetries: 10 });
    },
  };
}

interface Key {
  readonly privateKey: string;
  /** As a line of `authorized_keys`. */
  readonly publicKey: string;
}

function makeKey(passphrase?: string): Key {
  const { privateKey } = generateKeyPairSync("rsa", {
    modulusLength: 2048,
    publicKeyEncoding: { type: "pkcs1", format: "pem" },
    privateKeyEncoding: {
      type: "pkcs1",
      format: "pem",
      ...(passphrase === undefined ? {} : { cipher: "aes-256-cbc", passphrase }),
    },
  });
  const parsed = ssh2.utils.parseKey(privateKey, passphrase);
  if (parsed instanceof Error) throw parsed;
  return { privateKey, publicKey: `ssh-rsa ${parsed.getPublicSSH().toString("base64")}` };
}

interface TcpFront {
  readonly port: number;
  readonly faults: Faults;
  readonly sentBytes: () => number;
  close(): Promise<void>;
}

/** Passes connections on, except those that fail. */
async function startTcpFront(target: number): Promise<TcpFront> {
  const faults = noFaults();
  const open = new Set<Socket>();
  let sentBytes = 0;
  const server = createServer((client) => {
    open.add(client);
    client.on("error", () => {});
    client.on("close", () => open.delete(client));
    if (faults.hangs) return void client.resume();
    if (faults.failNext > 0) {
      faults.failNext--;
      return void client.destroy();
    }
    const to = connect({ host: "127.0.0.1", port: target });
    to.on("error", () => client.destroy());
    to.on("close", () => client.destroy());
    client.on("close", () => to.destroy());
    let sent = 0;
    let received = 0;
    to.on("data", (chunk: Buffer) => {
      sentBytes += chunk.length;
      sent += chunk.length;
      if (faults.cutGets === 0 || sent < cutBytes) return;
      faults.cutGets--;
      client.destroy();
    });
    client.on("data", (chunk: Buffer) => {
      received += chunk.length;
      if (faults.cutPuts === 0 || received < cutBytes) return;
      faults.cutPuts--;
      client.destroy();
    });
    to.pipe(client);
    client.pipe(to);
  }).listen(0, "127.0.0.1");
  await once(server, "listening");
  return {
    // A server that listens on TCP has an address of this type.
    port: (server.address() as AddressInfo).port,
    faults,
    sentBytes: () => sentBytes,
    async close() {
      server.close();
      for (const socket of open) socket.destroy();
    },
  };
}
