import type { Duplex } from 'node:stream';
import { STATUS_CODES } from './node-http.ts';

/** How long a client that made no sense may take to read why it was refused. */
const lingerTime = 1_000;
const statuses: Readonly<Record<string, number>> = {
  HPE_HEADER_OVERFLOW: 431,
  HPE_CHUNK_EXTENSIONS_OVERFLOW: 413,
  ERR_HTTP_REQUEST_TIMEOUT: 408,
};

/**
 * Answers bytes that are no request and closes the connection. Whatever else the client sends is read for a moment and
 * forgotten: a socket that is closed with unread bytes takes the answer away from the client.
 */
export function refuseMalformed(socket: Duplex, code: string | undefined): void {
  const status = statuses[code ?? ''] ?? 400;
  const text = `${status} ${STATUS_CODES[status]}`;
  socket.removeAllListeners('data');
  socket.on('data', () => {});
  socket.end(
    `HTTP/1.1 ${text}\r\nContent-Type: text/plain; charset=utf-8\r\nContent-Length: ${text.length}\r\nConnection: close\r\n\r\n${text}`,
  );
  const timer = setTimeout(() => socket.destroy(), lingerTime);
  socket.once('close', () => clearTimeout(timer));
}
