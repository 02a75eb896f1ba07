import { randomUUID } from "node:crypto";
import { once } from "node:events";
import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import type { Socket } from "node:net";
import { buffer } from "node:stream/consumers";
import { freePort } from "#tests/service/stack.ts";
import {
  FlushResponse,
  SDKResponse,
  StartResponse,
} from "../../../node_modules/inngest/proto/src/components/connect/protobuf/connect.js";
import { callServedApp } from "./app-calls.ts";
import { Executor } from "./executor.ts";
import { Gateway } from "./gateway.ts";
import { hashSigningKey } from "./signing.ts";
import type { AppCall, FunctionConfig, InngestEvent } from "./types.ts";

/** The keys that the server accepts. */
export const signingKey = "signkey-test-5ca1ab1e0123456789abcdef";
export const eventKey = "an-event-key";

/** An app that registered over HTTP. */
export interface Registration {
  readonly appName: string;
  readonly url: string;
  readonly functions: FunctionConfig[];
}

/**
 * A server on loopback with Inngest's protocols for the SDK: the event API, registration, the connect
 * handshake and gateway, checkpoints, and signed calls to served apps.
 */
export class InngestServer {
  readonly events: InngestEvent[] = [];
  readonly registrations: Registration[] = [];
  /** The number of requests without a valid key. */
  rejectedRequests = 0;
  /** The number of requests with events. */
  eventRequests = 0;
  /** Accepts events and ignores them. */
  dropsEvents = false;
  readonly gateway = new Gateway({
    onFunctions: (app, functions) => this.executor.register(app, functions),
    onCapacity: () => this.executor.dispatch(),
  });
  readonly executor: Executor = new Executor({
    hasSlot: (app) => this.#servedAt(app) !== undefined || this.gateway.hasSlot(app),
    capacityOf: (app) =>
      this.#servedAt(app) ? Number.POSITIVE_INFINITY : this.gateway.capacityOf(app),
    call: (call) => this.#call(call),
  });
  readonly #sockets = new Set<Socket>();
  #server: Server | undefined;
  #port = 0;

  static async start(): Promise<InngestServer> {
    const server = new InngestServer();
    await server.listen();
    return server;
  }

  get url(): string {
    return `http://127.0.0.1:${this.#port}`;
  }

  /** Environment variables of the service for this server. */
  get variables(): Record<string, string> {
    return {
      INNGEST_BASE_URL: this.url,
      INNGEST_EVENT_KEY: eventKey,
      INNGEST_SIGNING_KEY: signingKey,
    };
  }

  /** Starts to listen, on the same port as before. */
  async listen(): Promise<void> {
    const server = createServer((request, response) => {
      this.#handle(request, response).catch((error: Error) => {
        response.writeHead(500).end(error.message);
      });
    });
    server.on("connection", (socket: Socket) => {
      this.#sockets.add(socket);
      socket.on("close", () => this.#sockets.delete(socket));
    });
    server.on("upgrade", (request, socket, head) => this.gateway.accept(request, socket, head));
    // No port of an outgoing connection: another one could have it until the server listens again.
    this.#port ||= await freePort();
    server.listen(this.#port, "127.0.0.1");
    await once(server, "listening");
    this.#server = server;
  }

  /** Stops like a server that crashes: closes all connections and rejects new ones. */
  async close(): Promise<void> {
    const closed = this.#server && once(this.#server, "close");
    this.#server?.close();
    for (const socket of this.#sockets) socket.destroy();
    await closed;
  }

  #servedAt(app: string): string | undefined {
    return this.registrations.findLast((one) => one.appName === app)?.url;
  }

  #call(call: AppCall) {
    const url = this.#servedAt(call.app);
    return url ? callServedApp(url, call, signingKey) : this.gateway.call(call);
  }

  async #handle(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { pathname } = new URL(request.url ?? "/", this.url);
    const body = await buffer(request);
    const json = (value: unknown, status = 200) => {
      response.writeHead(status, { "content-type": "application/json" });
      response.end(JSON.stringify(value));
    };
    if (pathname.startsWith("/e/")) {
      if (pathname !== `/e/${eventKey}`) return this.#reject(response);
      return json({ ids: this.#receiveEvents(body), status: 200 });
    }
    if (request.headers.authorization !== `Bearer ${hashSigningKey(signingKey)}`) {
      return this.#reject(response);
    }
    switch (pathname) {
      case "/fn/register": {
        const registration: Registration = JSON.parse(body.toString());
        this.registrations.push(registration);
        this.executor.register(registration.appName, registration.functions);
        return json({ ok: true, modified: true });
      }
      case "/v0/connect/start": {
        const start = {
          connectionId: randomUUID(),
          gatewayEndpoint: `${this.url.replace("http", "ws")}/v0/connect`,
          gatewayGroup: "group",
          sessionToken: this.gateway.issueToken(),
          syncToken: "",
        };
        return void response.end(StartResponse.encode(start).finish());
      }
      case "/v0/connect/flush": {
        const reply = SDKResponse.decode(new Uint8Array(body));
        this.gateway.flush(reply);
        return void response.end(FlushResponse.encode({ requestId: reply.requestId }).finish());
      }
    }
    const checkpoint = /^\/v1\/checkpoint\/([^/]+)\/async$/.exec(pathname);
    if (!checkpoint) return json({ error: `no endpoint ${pathname}` }, 404);
    const run = this.executor.runs.find(({ id }) => id === checkpoint[1]);
    // As for every request that the executor no longer waits for.
    if (run?.hasEnded) return json({ error: "stale dispatch" }, 409);
    run?.recordSteps(JSON.parse(body.toString()).steps);
    json({});
  }

  #reject(response: ServerResponse): void {
    this.rejectedRequests++;
    response.writeHead(401, { "content-type": "application/json" });
    response.end(JSON.stringify({ error: "authentication failed", status: 401 }));
  }

  #receiveEvents(body: Buffer): string[] {
    const events: InngestEvent[] = [JSON.parse(body.toString())].flat();
    this.events.push(...events);
    this.eventRequests++;
    if (!this.dropsEvents) for (const event of events) this.executor.accept(event);
    return events.map(({ id }) => id);
  }
}
