import type { IncomingMessage, Server } from 'node:http';
import type { Socket } from 'node:net';

export interface Upgrade {
  readonly request: IncomingMessage;
  readonly socket: Socket;
  /** The bytes that were read after the headers. */
  readonly head: Buffer;
}

/**
 * Serves a request as if it had no `Upgrade` header. Node.js before 24.9 detaches every connection with such a request.
 * So the request, without that header, is put back in front of the unread bytes, and the server gets the connection
 * again.
 */
export function declineUpgrade(server: Server, { request, socket, head }: Upgrade): void {
  const lines = [`${request.method} ${request.url} HTTP/${request.httpVersion}`];
  const { rawHeaders } = request;
  for (let i = 0; i < rawHeaders.length; i += 2) {
    if (rawHeaders[i]!.toLowerCase() !== 'upgrade') lines.push(`${rawHeaders[i]}: ${rawHeaders[i + 1]}`);
  }
  socket.unshift(Buffer.concat([Buffer.from(`${lines.join('\r\n')}\r\n\r\n`, 'latin1'), head]));
  // The parser that was just freed is still on the stack, and the server would reuse it.
  setImmediate(() => {
    if (!socket.destroyed) server.emit('connection', socket);
  });
}
