import type { IncomingMessage, Server } from 'node:http';
import type { Socket } from 'node:net';

export interface Upgrade {
  readonly request: IncomingMessage;
  readonly socket: Socket;
  /** What has been read behind the headers. */
  readonly head: Buffer;
}

/**
 * Serves a request as if it did not ask for another protocol. Node.js before 24.9 lets go of every connection on which
 * one is asked for, whichever it is. So the request is put back in front of the unread bytes, without its wish, and the
 * server is given the connection once more.
 */
export function declineUpgrade(server: Server, { request, socket, head }: Upgrade): void {
  const lines = [`${request.method} ${request.url} HTTP/${request.httpVersion}`];
  const { rawHeaders } = request;
  for (let i = 0; i < rawHeaders.length; i += 2) {
    if (rawHeaders[i]!.toLowerCase() !== 'upgrade') lines.push(`${rawHeaders[i]}: ${rawHeaders[i + 1]}`);
  }
  socket.unshift(Buffer.concat([Buffer.from(`${lines.join('\r\n')}\r\n\r\n`, 'latin1'), head]));
  // The parser that has just been freed is still on the stack, and the server would take that very one again.
  setImmediate(() => {
    if (!socket.destroyed) server.emit('connection', socket);
  });
}
