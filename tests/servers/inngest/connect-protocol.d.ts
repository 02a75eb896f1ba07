/** The messages of the connect protocol, as in the generated code of the SDK. */
declare module "*/connect/protobuf/connect.js" {
  interface Codec<Message> {
    create(values: Partial<Message>): Message;
    encode(message: Message): { finish(): Uint8Array };
    decode(bytes: Uint8Array): Message;
  }

  export const GatewayMessageType: {
    readonly GATEWAY_HELLO: number;
    readonly WORKER_CONNECT: number;
    readonly GATEWAY_CONNECTION_READY: number;
    readonly GATEWAY_EXECUTOR_REQUEST: number;
    readonly WORKER_READY: number;
    readonly WORKER_REQUEST_ACK: number;
    readonly WORKER_REQUEST_EXTEND_LEASE: number;
    readonly WORKER_REQUEST_EXTEND_LEASE_ACK: number;
    readonly WORKER_REPLY: number;
    readonly WORKER_REPLY_ACK: number;
    readonly WORKER_PAUSE: number;
    readonly WORKER_HEARTBEAT: number;
    readonly GATEWAY_HEARTBEAT: number;
  };
  export const SDKResponseStatus: {
    readonly NOT_COMPLETED: number;
    readonly DONE: number;
    readonly ERROR: number;
  };

  export const ConnectMessage: Codec<{ kind: number; payload: Uint8Array }>;
  export const StartResponse: Codec<{
    connectionId: string;
    gatewayEndpoint: string;
    gatewayGroup: string;
    sessionToken: string;
    syncToken: string;
  }>;
  export const WorkerConnectRequestData: Codec<{
    connectionId: string;
    instanceId: string;
    authData: { sessionToken: string; syncToken: string } | undefined;
    apps: { appName: string; functions: Uint8Array }[];
    maxWorkerConcurrency: number | undefined;
  }>;
  export const GatewayConnectionReadyData: Codec<{
    heartbeatInterval: string;
    extendLeaseInterval: string;
    statusInterval: string;
  }>;
  export const GatewayExecutorRequestData: Codec<{
    requestId: string;
    accountId: string;
    envId: string;
    appId: string;
    appName: string;
    functionId: string;
    functionSlug: string;
    stepId: string | undefined;
    requestPayload: Uint8Array;
    systemTraceCtx: Uint8Array;
    userTraceCtx: Uint8Array;
    runId: string;
    leaseId: string;
    jobId: string;
  }>;
  export const WorkerRequestAckData: Codec<{ requestId: string }>;
  export const WorkerRequestExtendLeaseData: Codec<{ requestId: string; leaseId: string }>;
  export const WorkerRequestExtendLeaseAckData: Codec<{
    requestId: string;
    newLeaseId: string | undefined;
  }>;
  export const SDKResponse: Codec<{
    requestId: string;
    status: number;
    body: Uint8Array;
    noRetry: boolean;
    retryAfter: string | undefined;
  }>;
  export const WorkerReplyAckData: Codec<{ requestId: string }>;
  export const FlushResponse: Codec<{ requestId: string }>;
}
