import { once } from 'node:events';
import { type ConnectionOptions, connect, type TLSSocket } from 'node:tls';
import { onTestFinished } from 'vitest';
import type { TestApi } from './api.ts';

/** Opens a TLS connection for bytes that no library would send. It is closed after the test. */
export async function openSocket(api: TestApi, options: ConnectionOptions = {}): Promise<TLSSocket> {
  const { hostname, port } = new URL(api.server.url);
  const socket = connect({ host: hostname, port: Number(port), ca: api.tls.ca, ...options });
  onTestFinished(() => {
    socket.destroy();
  });
  await once(socket, 'secureConnect');
  socket.on('error', () => {});
  return socket;
}

/** Returns everything that a server sends until it closes the connection. */
export async function readUntilClose(socket: TLSSocket): Promise<string> {
  const chunks: Buffer[] = [];
  socket.on('data', (chunk: Buffer) => chunks.push(chunk));
  await once(socket, 'close');
  return Buffer.concat(chunks).toString('latin1');
}

/** Sends bytes on a new connection. Returns the concatenated responses. The last request must close the connection. */
export async function responsesTo(api: TestApi, bytes: string, options: ConnectionOptions = {}): Promise<string> {
  const socket = await openSocket(api, options);
  const received = readUntilClose(socket);
  socket.write(Buffer.from(bytes, 'latin1'));
  return received;
}

/**
 * Sends requests on one connection, one after the other, and returns the response to each. If the connection closes
 * early, requests without a response are sent again, the first of them alone. The `isLast` request must close the
 * connection.
 */
export async function responsesToEach(
  api: TestApi,
  requests: readonly ((isLast: boolean) => string)[],
): Promise<string[]> {
  if (requests.length === 0) return [];
  const bytes = requests.map((request, index) => request(index === requests.length - 1));
  const responses = (await responsesTo(api, bytes.join(''))).split(/(?=^HTTP\/1\.1 \d{3} )/m);
  if (responses.length === requests.length || requests.length === 1) return responses;
  const [next, ...others] = requests.slice(responses.length);
  return [...responses, ...(await responsesToEach(api, [next!])), ...(await responsesToEach(api, others))];
}

/** Returns the statuses of concatenated responses. The bodies in these tests contain no such lines. */
export function statusesOf(responses: string): number[] {
  return [...responses.matchAll(/^HTTP\/1\.1 (\d{3}) /gm)].map(([, status]) => Number(status));
}

/** Returns the body of a single response. */
export function bodyOf(response: string): string {
  return response.slice(response.indexOf('\r\n\r\n') + 4);
}
