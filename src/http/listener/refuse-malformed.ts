import type { Duplex } from 'node:stream';
import { STATUS_CODES } from './node-http.ts';

/** How long the client of a malformed request may take to read the response, in milliseconds. */
const lingerTime = 1_000;
const statuses: Readonly<Record<string, number>> = {
  HPE_HEADER_OVERFLOW: 431,
  HPE_CHUNK_EXTENSIONS_OVERFLOW: 413,
  ERR_HTTP_REQUEST_TIMEOUT: 408,
};

/**
 * Responds to bytes that are not a request and closes the connection. Further input is read for a moment and discarded,
 * because closing a socket with unread bytes would make the client lose the response.
 */
export function refuseMalformed(socket: Duplex, code: string | undefined): void {
  const status = statuses[code ?? ''] ?? 400;
  const text = `${status} ${STATUS_CODES[status]}`;
  socket.removeAllListeners('data');
  socket.on('data', () => {});
  // Node.js may have paused it.
  socket.resume();
  socket.end(
    `HTTP/1.1 ${text}\r\nContent-Type: text/plain; charset=utf-8\r\nContent-Length: ${text.length}\r\nConnection: close\r\n\r\n${text}`,
  );
  const timer = setTimeout(() => socket.destroy(), lingerTime);
  socket.once('close', () => clearTimeout(timer));
}
