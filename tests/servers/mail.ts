import { once } from "node:events";
import { createServer, type Socket } from "node:net";
import { createInterface } from "node:readline";

/** An SMTP server that accepts every email (the commands of RFC 5321 that clients need). */
export interface MailServer {
  /** The URL for `SMTP_URL`. */
  readonly url: string;
  /** The received emails: headers, an empty line, text. */
  readonly mails: readonly string[];
  /** Whether it rejects every email, as one that is overloaded. */
  reject: boolean;
  close(): void;
}

/** Starts the server on loopback. */
export async function startMailServer(): Promise<MailServer> {
  const mails: string[] = [];
  const sockets = new Set<Socket>();
  const result = {
    url: "",
    mails,
    reject: false,
    close() {
      server.close();
      for (const socket of sockets) socket.destroy();
    },
  };
  const server = createServer((socket) => {
    sockets.add(socket);
    socket.on("error", () => {}).on("close", () => sockets.delete(socket));
    let data: string[] | undefined;
    const reply = (line: string) => socket.write(`${line}\r\n`);
    reply("220 mail.test ESMTP");
    createInterface({ input: socket }).on("line", (line) => {
      if (data && line === ".") {
        mails.push(data.join("\n"));
        data = undefined;
        reply("250 OK");
      } else if (data) {
        data.push(line.replace(/^\.\./, "."));
      } else if (result.reject && /^MAIL /i.test(line)) {
        reply("451 try again later");
      } else if (/^DATA$/i.test(line)) {
        data = [];
        reply("354 start mail input");
      } else if (/^QUIT$/i.test(line)) {
        reply("221 bye");
        socket.end();
      } else {
        reply("250 mail.test");
      }
    });
  });
  await once(server.listen(0, "127.0.0.1"), "listening");
  const address = server.address();
  const port = typeof address === "object" && address ? address.port : 0;
  result.url = `smtp://127.0.0.1:${port}`;
  return result;
}

/** Decodes the text of an email (quoted-printable, RFC 2045). */
export function mailText(mail: string): string {
  const [, ...body] = mail.split("\n\n");
  const bytes = body
    .join("\n\n")
    .replace(/=\n/g, "")
    .replace(/=([0-9A-F]{2})/g, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)));
  return Buffer.from(bytes, "latin1").toString("utf8");
}
