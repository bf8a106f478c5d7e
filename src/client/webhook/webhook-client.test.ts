import { once } from 'node:events';
import { type AddressInfo, createServer, type Socket } from 'node:net';
import { describe, expect, it, onTestFinished } from 'vitest';
import { createAuthority } from '../../../test/wire/certificates.ts';
import {
  endless,
  failing,
  type JsonServer,
  startJsonServer,
  type TestResponse,
} from '../test-json-server.conformance.ts';
import type { ServiceResolver, WebhookCall, WebhookClientConfig, WebhookError } from './webhook-client.ts';
import { WebhookClients } from './webhook-clients.ts';

const good = { kind: 'Review', apiVersion: 'v1' };
const noServices: ServiceResolver = {
  resolve: ({ name }) => {
    throw new Error(`service "${name}" not found`);
  },
};

function webhookClients(services = noServices): WebhookClients {
  const clients = new WebhookClients({ services });
  onTestFinished(() => clients.close());
  return clients;
}

function configFor({ url, authority }: JsonServer): WebhookClientConfig {
  return { url: `${url.origin}/hook`, caBundle: Buffer.from(authority.cert).toString('base64') };
}

function call(more: Partial<WebhookCall> = {}): WebhookCall {
  return { text: '{}', timeoutMs: 10_000, maxResponseBytes: 1024 * 1024, ...more };
}

async function failureOf(posted: Promise<unknown>): Promise<WebhookError> {
  try {
    await posted;
  } catch (error) {
    return error as WebhookError;
  }
  throw new Error('the call was answered');
}

/** A server that speaks no TLS. */
async function startRawServer(connected: (socket: Socket) => void): Promise<number> {
  const sockets = new Set<Socket>();
  const server = createServer((socket) => {
    sockets.add(socket.on('error', () => {}));
    connected(socket);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => {
    server.close();
    for (const socket of sockets) socket.destroy();
  });
  return (server.address() as AddressInfo).port;
}

const text =
  (content: string, headers: Record<string, string> = {}, status = 200): TestResponse =>
  (response) =>
    response.writeHead(status, headers).end(content);

describe('a webhook with a URL', () => {
  it('gets the review with the timeout in the query', async () => {
    const server = await startJsonServer({ responses: [good] });
    expect(
      await webhookClients()
        .get(configFor(server))
        .post(call({ text: '{"a":"ä"}' })),
    ).toEqual(good);
    expect(server.seen).toMatchObject([
      {
        method: 'POST',
        url: '/hook?timeout=10s',
        headers: {
          'content-type': 'application/json',
          accept: 'application/json, */*',
          'user-agent': 'kube-apiserver-admission',
        },
        body: { a: 'ä' },
      },
    ]);
  });

  it.each([
    ['', '/?timeout=10s'],
    ['/', '/?timeout=10s'],
    ['/a//b/', '/a/b?timeout=10s'],
    ['/a?b=c#d', '/a?timeout=10s'],
  ])('is called at a clean path: %j', async (path, seen) => {
    const server = await startJsonServer({ responses: [good] });
    await webhookClients()
      .get({ ...configFor(server), url: `${server.url.origin}${path}` })
      .post(call());
    expect(server.seen[0]!.url).toBe(seen);
  });

  it('is called on the same connection by all with the same server and CA', async () => {
    const server = await startJsonServer({ responses: [good] });
    const clients = webhookClients();
    for (let count = 0; count < 3; count++) await clients.get({ ...configFor(server) }).post(call());
    expect(server.connections()).toBe(1);
    await clients.get({ ...configFor(server), url: `${server.url.origin}/other` }).post(call());
    expect(server.connections()).toBe(1);
  });

  it('forgets the webhook that was not used for longest', async () => {
    const server = await startJsonServer({ responses: [good] });
    const clients = webhookClients();
    const first = clients.get(configFor(server));
    for (let count = 0; count < 199; count++) clients.get({ url: `https://127.0.0.1/${count}` });
    expect(clients.get(configFor(server))).toBe(first);
    for (let count = 199; count < 398; count++) clients.get({ url: `https://127.0.0.1/${count}` });
    expect(clients.get(configFor(server))).toBe(first);
    for (let count = 398; count < 598; count++) clients.get({ url: `https://127.0.0.1/${count}` });
    expect(clients.get(configFor(server))).not.toBe(first);
  });

  it.each(['', 'http://127.0.0.1/', 'https://', 'https://[/'])('must use https: %j', (url) => {
    expect(() => webhookClients().get({ url })).toThrow(`Unparsable URL: "${url}"`);
  });

  it('keeps large integers', async () => {
    const server = await startJsonServer({ responses: [text('{"n":9007199254740993}')] });
    expect(await webhookClients().get(configFor(server)).post(call())).toEqual({ n: 9007199254740993n });
  });
});

describe('a webhook with a service', () => {
  it('is reached at the address of the service, and has the name of the service in its certificate', async () => {
    const server = await startJsonServer({ responses: [good], address: 'hook.ns.svc' });
    const requests: unknown[] = [];
    const { hostname: host, port } = server.url;
    const services: ServiceResolver = {
      resolve: async (service) => {
        requests.push(service);
        return { host, port: Number(port) };
      },
    };
    const service = { namespace: 'ns', name: 'hook', path: '/convert' };
    const client = webhookClients(services).get({ ...configFor(server), service });
    await client.post(call());
    await client.post(call());
    expect(requests).toMatchObject([{ namespace: 'ns', name: 'hook', port: 443 }]);
    expect(server.seen[0]!.url).toBe('/convert?timeout=10s');
    expect(server.connections()).toBe(1);
    const other = webhookClients(services).get({ ...configFor(server), service: { ...service, name: 'other' } });
    expect((await failureOf(other.post(call()))).message).toBe(
      'Post "https://other.ns.svc:443/convert?timeout=10s": tls: failed to verify certificate: x509: certificate is valid for hook.ns.svc, not other.ns.svc',
    );
  });

  it('reports a service that cannot be resolved', async () => {
    const client = webhookClients().get({ service: { namespace: 'ns', name: 'hook', port: 8443 } });
    const error = await failureOf(client.post(call()));
    expect(error.message).toBe('Post "https://hook.ns.svc:8443/?timeout=10s": service "hook" not found');
    expect(error.mayDependOnReview).toBe(false);
  });
});

describe('a webhook that cannot be reached', () => {
  it('refuses connections', async () => {
    const server = await startJsonServer({ responses: [good] });
    await server.stop();
    const { host, origin } = server.url;
    const error = await failureOf(webhookClients().get(configFor(server)).post(call()));
    expect(error.message).toBe(`Post "${origin}/hook?timeout=10s": dial tcp ${host}: connect: connection refused`);
    expect(error.mayDependOnReview).toBe(false);
  });

  it('has a certificate of another CA, or for another address', async () => {
    const server = await startJsonServer({ responses: [good] });
    const elsewhere = await startJsonServer({ responses: [good], address: '192.0.2.1' });
    const { cert } = await createAuthority('other');
    const caBundle = Buffer.from(cert).toString('base64');
    const clients = webhookClients();
    const texts = [];
    for (const config of [{ ...configFor(server), caBundle }, configFor(elsewhere)]) {
      texts.push((await failureOf(clients.get(config).post(call()))).message.split(': tls: ')[1]);
    }
    expect(texts).toEqual([
      'failed to verify certificate: x509: certificate signed by unknown authority',
      'failed to verify certificate: x509: certificate is valid for 192.0.2.1, not 127.0.0.1',
    ]);
    expect([...server.seen, ...elsewhere.seen]).toEqual([]);
  });

  it.each<[name: string, connected: (socket: Socket) => void, problem: string]>([
    ['closes connections', (socket) => socket.destroy(), 'EOF'],
    [
      'speaks no TLS',
      (socket) => socket.end('HTTP/1.1 400 Bad Request\r\n\r\n'),
      'http: server gave HTTP response to HTTPS client',
    ],
    ['says nothing', () => {}, 'context deadline exceeded'],
  ])('%s', async (_name, connected, problem) => {
    const url = `https://127.0.0.1:${await startRawServer(connected)}`;
    // The others fail at once.
    const timeoutMs = problem === 'context deadline exceeded' ? 50 : 10_000;
    const error = await failureOf(webhookClients().get({ url }).post(call({ timeoutMs })));
    const shown = timeoutMs === 50 ? '1s' : '10s';
    expect(error.message).toBe(`Post "${url}/?timeout=${shown}": ${problem}`);
  });
});

describe('a webhook that fails', () => {
  const status = { kind: 'Status', apiVersion: 'v1', status: 'Failure', message: 'no space', code: 507 };

  it.each<[name: string, response: TestResponse, problem: string]>([
    [
      '500',
      failing(500, { 'content-type': 'text/plain' }),
      String.raw`an error on the server ("{\"secret\":\"body\"}") has prevented the request from succeeding`,
    ],
    [
      '500 with another content type',
      failing(500, { 'content-type': 'application/json' }),
      'an error on the server ("unknown") has prevented the request from succeeding',
    ],
    ['a Status', text(JSON.stringify(status), {}, 507), 'no space'],
    ['a Status and a success', status, 'no space'],
    ['404', failing(404), 'the server could not find the requested resource'],
    ['403', text('go away\n', {}, 403), 'go away'],
    ['503', failing(503), 'the server is currently unable to handle the request'],
    [
      'a redirect',
      failing(307, { location: '/elsewhere' }),
      'the server responded with the status code 307 but did not return more information',
    ],
    [
      'half an object',
      text(' {"secret":'),
      "couldn't get version/kind; json parse error: unexpected end of JSON input",
    ],
    [
      'plain text',
      text('hello'),
      String.raw`couldn't get version/kind; json parse error: json: cannot unmarshal string into Go value of type struct { APIVersion string "json:\"apiVersion,omitempty\""; Kind string "json:\"kind,omitempty\"" }`,
    ],
    [
      'a list',
      text('[]'),
      String.raw`couldn't get version/kind; json parse error: json: cannot unmarshal array into Go value of type struct { APIVersion string "json:\"apiVersion,omitempty\""; Kind string "json:\"kind,omitempty\"" }`,
    ],
    [
      'nothing',
      text('', { 'content-type': 'text/plain' }),
      '0-length response with status code: 200 and content type: text/plain',
    ],
    [
      'an answer that breaks off',
      (response) => void response.writeHead(200, { 'content-length': '9' }).write('{', () => response.destroy()),
      'unexpected error when reading response body. Please retry. Original error: unexpected EOF',
    ],
    ['a closed connection', (response) => response.destroy(), 'Post "URL": EOF'],
    [
      'no HTTP',
      (response) => response.socket!.end('hello\r\n\r\n'),
      'Post "URL": net/http: HTTP/1.x transport connection broken: malformed HTTP response',
    ],
    ['an endless answer', endless, 'Post "URL": the response is larger than 1048576 bytes'],
  ])('is reported: %s', async (_name, response, problem) => {
    const server = await startJsonServer({ responses: [response] });
    const error = await failureOf(webhookClients().get(configFor(server)).post(call()));
    expect(error.message).toBe(problem.replace('URL', `${server.url.origin}/hook?timeout=10s`));
    expect(error.mayDependOnReview).toBe(true);
    expect(server.seen).toHaveLength(1);
  });

  it.each<[name: string, slow: TestResponse]>([
    ['does not answer', () => {}],
    ['does not end its answer', (response) => void response.writeHead(200).write('{')],
  ])('in time: %s', async (_name, slow) => {
    const server = await startJsonServer({ responses: [slow] });
    const error = await failureOf(
      webhookClients()
        .get(configFor(server))
        .post(call({ timeoutMs: 100 })),
    );
    expect(error.message).toBe(`Post "${server.url.origin}/hook?timeout=1s": context deadline exceeded`);
    expect(error.mayDependOnReview).toBe(false);
  });

  it.each(['text/plain', 'application/yaml', 'nonsense'])('not by the content type %s', async (type) => {
    const server = await startJsonServer({ responses: [text('{"a":1}', { 'content-type': type })] });
    expect(await webhookClients().get(configFor(server)).post(call())).toEqual({ a: 1 });
  });
});
