import { once } from "node:events";
import { type AddressInfo, connect, createServer, type Server, type Socket } from "node:net";
import { MessageReader, readText } from "./wire-messages.ts";

/** A statement that a client has sent to PostgreSQL. */
export interface RecordedStatement {
  /** What the client did. */
  readonly action: string;
  /** Statements with the same number were sent on one connection. */
  readonly connection: number;
  readonly text: string;
  /** The types of the parameters, by PostgreSQL's ids; 0: the server infers it. */
  readonly types: readonly number[];
  readonly values: readonly (string | null)[];
  /** How the server completed it, such as `SELECT 1`. */
  tag: string;
}

type Prepared = Pick<RecordedStatement, "text" | "types">;

/** A proxy in front of PostgreSQL that records the statements of all connections in the order in which they arrive. */
export class StatementRecorder {
  readonly statements: RecordedStatement[] = [];
  /** What the client does from now on. */
  action = "";
  readonly #target: number;
  readonly #server: Server;
  #connections = 0;

  /** The constructor takes the port of PostgreSQL. */
  constructor(target: number) {
    this.#target = target;
    this.#server = createServer((client) => this.#join(client));
  }

  /** Resolves with the port to connect to. */
  async open(): Promise<number> {
    this.#server.listen(0, "127.0.0.1");
    await once(this.#server, "listening");
    // A listening TCP server has an address of this type.
    return (this.#server.address() as AddressInfo).port;
  }

  close(): void {
    this.#server.close();
  }

  #join(client: Socket): void {
    const connection = this.#connections++;
    const server = connect(this.#target, "127.0.0.1");
    const prepared = new Map<string, Prepared>();
    const portals = new Map<string, RecordedStatement>();
    const pending: RecordedStatement[] = [];
    const start = (statement: RecordedStatement) => {
      this.statements.push(statement);
      pending.push(statement);
    };
    const requests = new MessageReader(true, (type, body) => {
      const { action } = this;
      if (type === "Q") {
        const [text] = readText(body, 0);
        start({ action, connection, text, types: [], values: [], tag: "" });
      } else if (type === "P") {
        const [name, statement] = readParse(body);
        prepared.set(name, statement);
      } else if (type === "B") {
        const { portal, name, values } = readBind(body);
        const statement = prepared.get(name);
        if (!statement) throw new Error(`no prepared statement ${name}`);
        portals.set(portal, { action, connection, ...statement, values, tag: "" });
      } else if (type === "E") {
        const statement = portals.get(readText(body, 0)[0]);
        if (statement) start(statement);
      }
    });
    const responses = new MessageReader(false, (type, body) => {
      if (type !== "C" && type !== "E" && type !== "I") return;
      const statement = pending.shift();
      if (statement) statement.tag = type === "C" ? readText(body, 0)[0] : "failed";
    });
    client.on("data", (chunk: Buffer) => requests.push(chunk)).pipe(server);
    server.on("data", (chunk: Buffer) => responses.push(chunk)).pipe(client);
    for (const socket of [client, server]) {
      socket.on("error", () => {}).on("close", () => void [client.destroy(), server.destroy()]);
    }
  }
}

/** The message `Parse`. */
function readParse(body: Buffer): [name: string, statement: Prepared] {
  const [name, afterName] = readText(body, 0);
  const [text, afterText] = readText(body, afterName);
  const count = body.readInt16BE(afterText);
  const types = Array.from({ length: count }, (_, index) =>
    body.readInt32BE(afterText + 2 + 4 * index),
  );
  return [name, { text, types }];
}

/** The message `Bind`. Throws if a parameter is not sent as text. */
function readBind(body: Buffer) {
  const [portal, afterPortal] = readText(body, 0);
  const [name, afterName] = readText(body, afterPortal);
  const formats = body.readInt16BE(afterName);
  for (let index = 0; index < formats; index++) {
    if (body.readInt16BE(afterName + 2 + 2 * index) !== 0) throw new Error("a binary parameter");
  }
  let at = afterName + 2 + 2 * formats;
  const count = body.readInt16BE(at);
  at += 2;
  const values = Array.from({ length: count }, () => {
    const length = body.readInt32BE(at);
    at += 4;
    if (length < 0) return null;
    const value = body.toString("utf8", at, at + length);
    at += length;
    return value;
  });
  return { portal, name, values };
}
