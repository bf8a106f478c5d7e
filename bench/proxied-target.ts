import http from 'node:http';
import type { AddressInfo } from 'node:net';

/**
 * The server behind the proxies: sends the same small response to every request. Reports its port over the IPC channel.
 */
const body = Buffer.from(JSON.stringify({ message: 'hello from a pod', padding: 'x'.repeat(200) }));
const headers = { 'content-type': 'application/json', 'content-length': body.length };

const server = http.createServer((request, response) => {
  request.resume();
  response.writeHead(200, headers).end(body);
});
server.keepAliveTimeout = 60_000;
server.listen(0, () => process.send!((server.address() as AddressInfo).port));
process.on('disconnect', () => process.exit());
process.on('SIGINT', () => {});
