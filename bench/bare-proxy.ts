import http from 'node:http';
import https from 'node:https';
import type { AddressInfo } from 'node:net';

/**
 * The baseline of proxied requests: a proxy that does nothing but pass requests and responses on, with Node's own
 * client. Reports its port over the IPC channel.
 */
const { BARE_KEY: key, BARE_CERT: cert, BARE_TARGET = '' } = process.env;
const { hostname: host, port } = new URL(BARE_TARGET);
const agent = new http.Agent({ keepAlive: true });

const server = https.createServer({ key, cert }, (request, response) => {
  const { method, url: path, headers } = request;
  const forwarded = http.request({ host, port, method, path, headers, agent }, (forwardedResponse) => {
    response.writeHead(forwardedResponse.statusCode!, forwardedResponse.headers);
    forwardedResponse.pipe(response);
  });
  request.pipe(forwarded);
});
server.listen(0, '127.0.0.1', () => process.send!((server.address() as AddressInfo).port));
process.on('disconnect', () => process.exit());
process.on('SIGINT', () => {});
