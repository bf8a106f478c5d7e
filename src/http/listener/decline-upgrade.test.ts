import http from 'node:http';
import net, { type AddressInfo } from 'node:net';
import { describe, expect, it, onTestFinished } from 'vitest';
import { declineUpgrade } from './decline-upgrade.ts';

/** A server that detaches every connection with an upgrade request, and gets all of them back. */
async function listenAndDecline() {
  const seen: http.IncomingHttpHeaders[] = [];
  const server = http.createServer((request, response) => {
    seen.push(request.headers);
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => response.end(`[${request.method} ${request.url} ${Buffer.concat(chunks)}]`));
  });
  server.on('upgrade', (request, socket, head) =>
    declineUpgrade(server, { request, socket: socket as net.Socket, head }),
  );
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const client = net.connect((server.address() as AddressInfo).port, '127.0.0.1');
  onTestFinished(async () => {
    client.destroy();
    await new Promise((resolve) => server.close(resolve));
  });
  return { seen, client };
}

async function readResponses(client: net.Socket): Promise<string[]> {
  let text = '';
  client.on('data', (chunk: Buffer) => {
    text += chunk;
  });
  await new Promise((resolve) => client.once('close', resolve));
  return text.match(/\[.*?\]/g) ?? [];
}

const last = 'GET /last HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n';

function upgradeRequest(line: string, rest = '\r\n'): string {
  return `${line} HTTP/1.1\r\nHost: x\r\nConnection: Upgrade\r\nUpgrade: foo\r\n${rest}`;
}

describe('declineUpgrade', () => {
  const cases: [string, string, string][] = [
    ['a request without a body', upgradeRequest('GET /a?b=c'), '[GET /a?b=c ]'],
    ['a body with a length', upgradeRequest('POST /a', 'Content-Length: 4\r\n\r\nbody'), '[POST /a body]'],
    [
      'a body in chunks',
      upgradeRequest('PUT /a', 'Transfer-Encoding: chunked\r\n\r\n2\r\nbo\r\n2\r\ndy\r\n0\r\n\r\n'),
      '[PUT /a body]',
    ],
  ];

  it.each(cases)('serves %s, and what follows it on the connection', async (_name, bytes, expected) => {
    const { client } = await listenAndDecline();
    client.write(bytes + last);
    expect(await readResponses(client)).toEqual([expected, '[GET /last ]']);
  });

  it('serves a body that comes later', async () => {
    const { client } = await listenAndDecline();
    client.write(upgradeRequest('POST /a', 'Content-Length: 4\r\nExpect: 100-continue\r\n\r\n'));
    await new Promise((resolve) => client.once('data', resolve));
    client.write(`body${last}`);
    expect(await readResponses(client)).toEqual(['[POST /a body]', '[GET /last ]']);
  });

  it('serves one after the other', async () => {
    const { client } = await listenAndDecline();
    client.write(upgradeRequest('GET /1'));
    await new Promise((resolve) => client.once('data', resolve));
    client.write(upgradeRequest('GET /2'));
    await new Promise((resolve) => client.once('data', resolve));
    client.write(last);
    expect(await readResponses(client)).toEqual(['[GET /last ]']);
  });

  it('changes no other header', async () => {
    const { client, seen } = await listenAndDecline();
    client.write(Buffer.from(upgradeRequest('GET /', 'X-A: \xe4\xff\r\nX-A: 2\r\nX-Empty:\r\n\r\n') + last, 'latin1'));
    await readResponses(client);
    expect(seen[0]).toEqual({ host: 'x', connection: 'Upgrade', 'x-a': '\xe4\xff, 2', 'x-empty': '' });
  });
});
