import https from 'node:https';
import type { AddressInfo } from 'node:net';

/** An admission webhook that allows everything. Reports its port over the IPC channel. */
const { WEBHOOK_KEY: key, WEBHOOK_CERT: cert } = process.env;

const server = https.createServer({ key, cert }, (request, response) => {
  const chunks: Buffer[] = [];
  request.on('data', (chunk: Buffer) => chunks.push(chunk));
  request.on('end', () => {
    const { apiVersion, kind, request: admissionRequest } = JSON.parse(Buffer.concat(chunks).toString());
    const body = JSON.stringify({ apiVersion, kind, response: { uid: admissionRequest.uid, allowed: true } });
    response
      .writeHead(200, { 'content-type': 'application/json', 'content-length': Buffer.byteLength(body) })
      .end(body);
  });
});
server.listen(0, '127.0.0.1', () => process.send!((server.address() as AddressInfo).port));
