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
import type { AppCall, AppResponse, FunctionConfig } from "./types.ts";

type Reply = ReturnType<(typeof SDKResponse)["decode"]>;

/** How long Inngest keeps a request whose worker no longer extends its lease: two minutes. */
const leaseMs = 120_000;

/** A request that a worker has not answered yet. */
interface OpenCall {
  readonly worker: Worker;
  readonly finish: (reply: Reply | Error) => void;
  expiresAt: number;
}

/** A connected worker: its apps, its slots and its open calls. */
export interface Worker {
  readonly instanceId: string;
  readonly apps: readonly string[];
  /** The number of concurrent calls that it accepts. */
  readonly slots: number;
  readonly socket: WebSocket;
  /** Whether it accepts no more calls because it shuts down. */
  paused: boolean;
  /** Ids of the requests. */
  readonly calls: Set<string>;
  leaseExtensions: number;
}

export interface GatewayEvents {
  /** A worker has connected with functions of `app`. */
  onFunctions(app: string, functions: FunctionConfig[]): void;
  /** A slot may have become free. */
  onCapacity(): void;
}

const protocol = "v0.connect.inngest.com";

/**
 * The gateway of the connect protocol: workers connect, register their functions and get calls. Like
 * the real one, it keeps a request until its lease ends when the connection of its worker is lost: the
 * worker may come back, extend the lease and reply.
 */
export class Gateway {
  readonly workers = new Set<Worker>();
  /**
   * The length of a lease. It is shorter in tests whose runners have shorter leases of jobs too: 6
   * to 1, as in production.
   */
  leaseMs = leaseMs;
  readonly #calls = new Map<string, OpenCall>();
  readonly #tokens = new Set<string>();
  readonly #events: GatewayEvents;
  readonly #server = new WebSocketServer({ noServer: true, handleProtocols: () => protocol });

  constructor(events: GatewayEvents) {
    this.#events = events;
  }

  /** Creates a token for one connection. */
  issueToken(): string {
    const token = randomUUID();
    this.#tokens.add(token);
    return token;
  }

  accept(request: IncomingMessage, socket: Duplex, head: Buffer): void {
    this.#server.handleUpgrade(request, socket, head, (opened) => {
      this.#handshake(opened).catch(() => opened.close(1008, "connect_worker_hello_invalid_msg"));
    });
  }

  /** The slots of all connected workers of `app`. */
  capacityOf(app: string): number {
    const ofApp = [...this.workers].filter((worker) => worker.apps.includes(app));
    return ofApp.reduce((sum, { slots }) => sum + slots, 0);
  }

  /** Whether a worker of `app` has a free slot. */
  hasSlot(app: string): boolean {
    return this.#freeWorker(app) !== undefined;
  }

  /** Sends a call to a worker with a free slot. Rejects if its lease ends before a worker replies. */
  async call(call: AppCall): Promise<AppResponse> {
    const worker = this.#freeWorker(call.app);
    if (!worker) throw new Error("no worker has a free slot");
    const reply = Promise.withResolvers<Reply>();
    const finish = (result: Reply | Error) =>
      result instanceof Error ? reply.reject(result) : reply.resolve(result);
    worker.calls.add(call.requestId);
    this.#calls.set(call.requestId, { worker, finish, expiresAt: Date.now() + this.leaseMs });
    const checking = setInterval(() => this.#checkLease(call.requestId), this.leaseMs / 20);
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
      // By the numbers of NOT_COMPLETED, DONE and ERROR in the protocol.
      const httpStatus = [206, 200, 500][status] ?? 500;
      return { status: httpStatus, body: text && JSON.parse(text), noRetry, retryAfter };
    } finally {
      clearInterval(checking);
      worker.calls.delete(call.requestId);
      this.#calls.delete(call.requestId);
      this.#events.onCapacity();
    }
  }

  /** Handles a reply that arrived by HTTP because the connection was lost. */
  flush(reply: Reply): void {
    this.#calls.get(reply.requestId)?.finish(reply);
  }

  /** Terminates all connections, like a gateway that crashes. */
  dropAll(): void {
    for (const worker of this.workers) worker.socket.terminate();
  }

  #checkLease(requestId: string): void {
    const call = this.#calls.get(requestId);
    if (call && call.expiresAt < Date.now())
      call.finish(new Error("the worker stopped responding"));
  }

  /** Any of the free workers, as the real gateway chooses. */
  #freeWorker(app: string): Worker | undefined {
    const free = [...this.workers]
      .filter((worker) => worker.apps.includes(app) && !worker.paused)
      .filter((worker) => worker.calls.size < worker.slots);
    return free[Math.floor(Math.random() * free.length)];
  }

  async #handshake(socket: WebSocket): Promise<void> {
    send(socket, Kind.GATEWAY_HELLO);
    const [bytes] = await once(socket, "message");
    const hello = ConnectMessage.decode(new Uint8Array(bytes));
    if (hello.kind !== Kind.WORKER_CONNECT) throw new Error("unexpected message");
    const data = WorkerConnectRequestData.decode(hello.payload);
    if (!this.#tokens.delete(data.authData?.sessionToken ?? "")) throw new Error("invalid token");
    const worker: Worker = {
      instanceId: data.instanceId,
      apps: data.apps.map(({ appName }) => appName),
      slots: Number(data.maxWorkerConcurrency ?? Number.POSITIVE_INFINITY),
      socket,
      paused: false,
      calls: new Set(),
      leaseExtensions: 0,
    };
    for (const { appName, functions } of data.apps) {
      this.#events.onFunctions(appName, JSON.parse(Buffer.from(functions).toString()));
    }
    socket.on("message", (raw: Buffer) => this.#handleMessage(worker, new Uint8Array(raw)));
    socket.on("close", () => this.workers.delete(worker));
    const times = { heartbeatInterval: "1s", extendLeaseInterval: "1s", statusInterval: "" };
    send(socket, Kind.GATEWAY_CONNECTION_READY, GatewayConnectionReadyData.encode(times));
  }

  #handleMessage(worker: Worker, bytes: Uint8Array): void {
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
        const call = this.#calls.get(requestId);
        if (call) call.expiresAt = Date.now() + this.leaseMs;
        const ack = WorkerRequestExtendLeaseAckData.create({ requestId, newLeaseId: randomUUID() });
        const message = WorkerRequestExtendLeaseAckData.encode(ack);
        send(worker.socket, Kind.WORKER_REQUEST_EXTEND_LEASE_ACK, message);
        return;
      }
      case Kind.WORKER_REPLY: {
        const reply = SDKResponse.decode(payload);
        const ack = WorkerReplyAckData.encode({ requestId: reply.requestId });
        send(worker.socket, Kind.WORKER_REPLY_ACK, ack);
        this.#calls.get(reply.requestId)?.finish(reply);
      }
    }
  }
}

function send(socket: WebSocket, kind: number, message?: { finish(): Uint8Array }): void {
  if (socket.readyState !== socket.OPEN) return;
  const payload = message?.finish() ?? new Uint8Array();
  socket.send(ConnectMessage.encode({ kind, payload }).finish());
}
