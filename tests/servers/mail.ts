import { once } from "node:events";
import { createServer, type Socket } from "node:net";
import { createInterface } from "node:readline";

/** An SMTP server that takes every e-mail (RFC 5321, as much of it as a client needs). */
export interface MailServer {
  /** For `SMTP_URL`. */
  readonly url: string;
  /** The e-mails so far, each as it came: headers, an empty line, text. */
  readonly mails: readonly string[];
  close(): void;
}

export async function startMailServer(): Promise<MailServer> {
  const mails: string[] = [];
  const sockets = new Set<Socket>();
  const server = createServer((socket) => {
    sockets.add(socket);
    socket.on("error", () => {}).on("close", () => sockets.delete(socket));
    let data: string[] | undefined;
    const say = (line: string) => socket.write(`${line}\r\n`);
    say("220 mail.test ESMTP");
    createInterface({ input: socket }).on("line", (line) => {
      if (data && line === ".") {
        mails.push(data.join("\n"));
        data = undefined;
        say("250 taken");
      } else if (data) {
        data.push(line.replace(/^\.\./, "."));
      } else if (/^DATA$/i.test(line)) {
        data = [];
        say("354 go on");
      } else if (/^QUIT$/i.test(line)) {
        say("221 bye");
        socket.end();
      } else {
        say("250 mail.test");
      }
    });
  });
  await once(server.listen(0, "127.0.0.1"), "listening");
  const address = server.address();
  const port = typeof address === "object" && address ? address.port : 0;
  return {
    url: `smtp://127.0.0.1:${port}`,
    mails,
    close() {
      server.close();
      for (const socket of sockets) socket.destroy();
    },
  };
}

/** The text of an e-mail with its encoding undone (quoted-printable, RFC 2045). */
export function mailText(mail: string): string {
  const [, ...body] = mail.split("\n\n");
  return body
    .join("\n\n")
    .replace(/=\n/g, "")
    .replace(/=([0-9A-F]{2})/g, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)));
}
