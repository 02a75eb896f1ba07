import type { Server } from "node:http";
import type { Socket } from "node:net";
import type { Duplex } from "node:stream";

/** The open connections of a server. Node's own list has no connection that was upgraded or rejected. */
export interface Connections {
  /** Destroys connections on which no response can follow. */
  destroyUnused(): void;
  destroyAll(): void;
}

const tracked = new WeakMap<Server, Connections>();

/** Remembers the connections of `server` from now on. */
export function trackConnections(server: Server): void {
  const open = new Set<Socket>();
  const upgraded = new WeakSet<Duplex>();
  server.on("connection", (socket: Socket) => {
    open.add(socket);
    socket.once("close", () => open.delete(socket));
  });
  server.on("upgrade", (_, socket) => upgraded.add(socket));
  // Without a byte there is no request, and after the end of our side no response.
  const isUnused = (socket: Socket) =>
    socket.bytesRead === 0 || socket.writableFinished || upgraded.has(socket);
  tracked.set(server, {
    destroyUnused: () => {
      for (const socket of open) if (isUnused(socket)) socket.destroy();
    },
    destroyAll: () => {
      for (const socket of open) socket.destroy();
    },
  });
}

/** The connections of a server that `trackConnections` was called for. */
export function connectionsOf(server: Server): Connections {
  const connections = tracked.get(server);
  if (!connections) throw new Error("the connections of this server are not tracked");
  return connections;
}
