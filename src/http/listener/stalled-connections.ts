import type { Socket } from 'node:net';

/** What a connection waits for. */
export interface Turn {
  /** True while the server works on an answer and the client has nothing to send or to read. */
  readonly awaitsServer: boolean;
}

export interface StalledConnectionsOptions {
  /** Undefined for a connection that has not come to a request. */
  readonly connections: ReadonlyMap<Socket, Turn | undefined>;
  /** How long a connection may move no byte while it is the client's turn, in milliseconds. */
  readonly timeout: number;
}

interface Progress {
  readonly bytes: number;
  readonly since: number;
}

/** Closes connections whose clients neither read nor send. Returns the function that ends the watch over them. */
export function closeStalled({ connections, timeout }: StalledConnectionsOptions): () => void {
  let known = new Map<Socket, Progress>();
  const look = (): void => {
    const now = performance.now();
    const seen = new Map<Socket, Progress>();
    for (const [socket, turn] of connections) {
      const bytes = socket.bytesRead + socket.bytesWritten;
      const before = known.get(socket);
      if (before === undefined || before.bytes !== bytes || turn?.awaitsServer) seen.set(socket, { bytes, since: now });
      else if (now - before.since < timeout) seen.set(socket, before);
      else socket.destroy();
    }
    known = seen;
  };
  look();
  const timer = setInterval(look, Math.max(1, timeout / 8));
  return () => clearInterval(timer);
}
