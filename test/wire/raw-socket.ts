import { once } from 'node:events';
import { type ConnectionOptions, connect, type TLSSocket } from 'node:tls';
import { onTestFinished } from 'vitest';
import type { TestApi } from './api.ts';

/** A TLS connection for bytes that no library would send. It is gone after the test. */
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

/** All that a server says on a connection until it closes it. */
export async function readUntilClose(socket: TLSSocket): Promise<string> {
  const chunks: Buffer[] = [];
  socket.on('data', (chunk: Buffer) => chunks.push(chunk));
  await once(socket, 'close');
  return Buffer.concat(chunks).toString('latin1');
}

/** Sends bytes on a connection of their own; the responses, one behind the other. The last request has to ask for the end. */
export async function responsesTo(api: TestApi, bytes: string, options: ConnectionOptions = {}): Promise<string> {
  const socket = await openSocket(api, options);
  const received = readUntilClose(socket);
  socket.write(Buffer.from(bytes, 'latin1'));
  return received;
}

/**
 * Sends requests on one connection, one behind the other, and returns the response to each. Those without a response when
 * it closes are sent again: the first one alone. The `isLast` request has to ask for the end.
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

/** The statuses of responses that came one behind the other. Bodies here have no such lines. */
export function statusesOf(responses: string): number[] {
  return [...responses.matchAll(/^HTTP\/1\.1 (\d{3}) /gm)].map(([, status]) => Number(status));
}

/** The body of a single response. */
export function bodyOf(response: string): string {
  return response.slice(response.indexOf('\r\n\r\n') + 4);
}
