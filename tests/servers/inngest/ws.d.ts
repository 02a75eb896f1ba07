declare module "ws" {
  import type { EventEmitter } from "node:events";
  import type { IncomingMessage } from "node:http";
  import type { Duplex } from "node:stream";

  export interface WebSocket extends EventEmitter {
    readonly readyState: number;
    readonly OPEN: number;
    send(data: Uint8Array): void;
    close(code?: number, reason?: string): void;
    terminate(): void;
  }

  export class WebSocketServer {
    constructor(options: { noServer: true; handleProtocols: (offered: Set<string>) => string });
    handleUpgrade(
      request: IncomingMessage,
      socket: Duplex,
      head: Buffer,
      onOpen: (socket: WebSocket) => void,
    ): void;
  }
}
