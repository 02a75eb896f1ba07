import { randomUUID } from "node:crypto";
import { once } from "node:events";
import type { IncomingMessage } from "node:http";
import type { Duplex } from "node:stream";
import { type WebSocket, WebSocketServer } from "ws";
import {
  ConnectMessage,
  GatewayConnectionReadyData,
  GatewayExecutorRequestData,
  GatewayMessageType as Kind,
  SDKResponse,
  WorkerConnectRequestData,
  WorkerReplyAckData,
  WorkerRequestExtendLeaseAckData,
  WorkerRequestExtendLeaseData,
} from "../../../node_modules/inngest/proto/src/components/connect/protobuf/connect.js";
import type { AppAnswer, AppCall, FunctionConfig } from "./types.ts";

type Reply = ReturnType<(typeof SDKResponse)["decode"]>;

/** One worker: its apps, its places and the calls that it has not answered. */
export interface Worker {
  readonly instanceId: string;
  readonly apps: readonly string[];
  /** Calls that it takes at once. */
  readonly places: number;
  readonly socket: WebSocket;
  /** No more work: it is about to stop. */
  paused: boolean;
  readonly calls: Map<string, (reply: Reply | Error) => void>;
  leaseExtensions: number;
}

export interface GatewayEvents {
  /** A worker has connected with functions of `app`. */
  onFunctions(app: string, functions: FunctionConfig[]): void;
  /** There may be a free place. */
  onCapacity(): void;
}

const protocol = "v0.connect.inngest.com";

/** The gateway of the connect protocol: workers dial in, say what they run and are sent calls. */
export class Gateway {
  readonly workers = new Set<Worker>();
  readonly #tokens = new Set<string>();
  readonly #events: GatewayEvents;
  readonly #server = new WebSocketServer({ noServer: true, handleProtocols: () => protocol });

  constructor(events: GatewayEvents) {
    this.#events = events;
  }

  /** A token that opens one connection. */
  issueToken(): string {
    const token = randomUUID();
    this.#tokens.add(token);
    return token;
  }

  accept(request: IncomingMessage, socket: Duplex, head: Buffer): void {
    this.#server.handleUpgrade(request, socket, head, (opened) => {
      this.#greet(opened).catch(() => opened.close(1008, "connect_worker_hello_invalid_msg"));
    });
  }

  /** Whether some worker of `app` has a free place. */
  hasPlace(app: string): boolean {
    return this.#freeWorker(app) !== undefined;
  }

  /** Sends a call to a worker with a free place; rejects where it goes before it has answered. */
  async call(call: AppCall): Promise<AppAnswer> {
    const worker = this.#freeWorker(call.app);
    if (!worker) throw new Error("no worker has a free place");
    const reply = Promise.withResolvers<Reply>();
    worker.calls.set(call.requestId, (answer) =>
      answer instanceof Error ? reply.reject(answer) : reply.resolve(answer),
    );
    const { requestId, runId, app: appName, slug: functionSlug, stepId } = call;
    const ids = { accountId: "account", envId: "env", appId: appName, functionId: functionSlug };
    const traces = { systemTraceCtx: new Uint8Array(), userTraceCtx: new Uint8Array() };
    const request = { requestId, runId, appName, functionSlug, stepId, leaseId: randomUUID() };
    const requestPayload = Buffer.from(JSON.stringify(call.payload));
    const jobId = call.runId;
    const data = { ...ids, ...traces, ...request, requestPayload, jobId };
    send(worker.socket, Kind.GATEWAY_EXECUTOR_REQUEST, GatewayExecutorRequestData.encode(data));
    try {
      const { status, body, noRetry, retryAfter } = await reply.promise;
      const text = Buffer.from(body).toString();
      // Numbers of the protocol: NOT_COMPLETED, DONE, ERROR.
      const httpStatus = [206, 200, 500][status] ?? 500;
      return { status: httpStatus, body: text && JSON.parse(text), noRetry, retryAfter };
    } finally {
      worker.calls.delete(call.requestId);
      this.#events.onCapacity();
    }
  }

  /** Takes the answer to a call that came by HTTP because the connection was lost. */
  flush(reply: Reply): void {
    for (const worker of this.workers) worker.calls.get(reply.requestId)?.(reply);
  }

  /** Cuts every connection, as a gateway that dies does. */
  dropAll(): void {
    for (const worker of this.workers) worker.socket.terminate();
  }

  #freeWorker(app: string): Worker | undefined {
    return [...this.workers]
      .filter((worker) => worker.apps.includes(app) && !worker.paused)
      .filter((worker) => worker.calls.size < worker.places)
      .sort((one, other) => one.calls.size - other.calls.size)[0];
  }

  async #greet(socket: WebSocket): Promise<void> {
    send(socket, Kind.GATEWAY_HELLO);
    const [bytes] = await once(socket, "message");
    const hello = ConnectMessage.decode(new Uint8Array(bytes));
    if (hello.kind !== Kind.WORKER_CONNECT) throw new Error("not a worker's hello");
    const data = WorkerConnectRequestData.decode(hello.payload);
    if (!this.#tokens.delete(data.authData?.sessionToken ?? "")) throw new Error("not let in");
    const worker: Worker = {
      instanceId: data.instanceId,
      apps: data.apps.map(({ appName }) => appName),
      places: Number(data.maxWorkerConcurrency ?? Number.POSITIVE_INFINITY),
      socket,
      paused: false,
      calls: new Map(),
      leaseExtensions: 0,
    };
    for (const { appName, functions } of data.apps) {
      this.#events.onFunctions(appName, JSON.parse(Buffer.from(functions).toString()));
    }
    socket.on("message", (raw: Buffer) => this.#hear(worker, new Uint8Array(raw)));
    socket.on("close", () => {
      this.workers.delete(worker);
      for (const answer of worker.calls.values()) answer(new Error("the worker is gone"));
    });
    const times = { heartbeatInterval: "1s", extendLeaseInterval: "1s", statusInterval: "" };
    send(socket, Kind.GATEWAY_CONNECTION_READY, GatewayConnectionReadyData.encode(times));
  }

  #hear(worker: Worker, bytes: Uint8Array): void {
    const { kind, payload } = ConnectMessage.decode(bytes);
    switch (kind) {
      case Kind.WORKER_READY:
        this.workers.add(worker);
        this.#events.onCapacity();
        return;
      case Kind.WORKER_PAUSE:
        worker.paused = true;
        return;
      case Kind.WORKER_HEARTBEAT:
        send(worker.socket, Kind.GATEWAY_HEARTBEAT);
        return;
      case Kind.WORKER_REQUEST_EXTEND_LEASE: {
        const { requestId } = WorkerRequestExtendLeaseData.decode(payload);
        worker.leaseExtensions++;
        const ack = WorkerRequestExtendLeaseAckData.create({ requestId, newLeaseId: randomUUID() });
        const message = WorkerRequestExtendLeaseAckData.encode(ack);
        send(worker.socket, Kind.WORKER_REQUEST_EXTEND_LEASE_ACK, message);
        return;
      }
      case Kind.WORKER_REPLY: {
        const reply = SDKResponse.decode(payload);
        const ack = WorkerReplyAckData.encode({ requestId: reply.requestId });
        send(worker.socket, Kind.WORKER_REPLY_ACK, ack);
        worker.calls.get(reply.requestId)?.(reply);
      }
    }
  }
}

function send(socket: WebSocket, kind: number, message?: { finish(): Uint8Array }): void {
  if (socket.readyState !== socket.OPEN) return;
  const payload = message?.finish() ?? new Uint8Array();
  socket.send(ConnectMessage.encode({ kind, payload }).finish());
}
