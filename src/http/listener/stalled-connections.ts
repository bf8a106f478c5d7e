import type { Socket } from 'node:net';

/** The side that a connection waits for. */
export interface WaitState {
  /** True while the server works on a response and the client has nothing to send or read. */
  readonly awaitsServer: boolean;
}

export interface StalledConnectionsOptions {
  /** Undefined for a connection without a request so far. */
  readonly connections: ReadonlyMap<Socket, WaitState | undefined>;
  /** How long a connection may transfer no byte while the server waits for the client, in milliseconds. */
  readonly timeout: number;
}

interface Progress {
  readonly bytes: number;
  readonly since: number;
}

/** Closes connections whose clients neither read nor send. Returns a function that stops the check. */
export function closeStalled({ connections, timeout }: StalledConnectionsOptions): () => void {
  let known = new Map<Socket, Progress>();
  const check = (): void => {
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
  check();
  const timer = setInterval(check, Math.max(1, timeout / 8));
  return () => clearInterval(timer);
}
