/** An extension API server as a process that uses only node:https. It serves `fruits.example.com/v1`. */
import { createHash } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import https from 'node:https';
import type { AddressInfo, Socket } from 'node:net';
import type { TLSSocket } from 'node:tls';
import type { ExtensionCommand, ExtensionMode, SeenRequest } from './extension-server.ts';

const group = 'fruits.example.com';
const base = `/apis/${group}/v1`;
const aggregated = 'application/json;g=apidiscovery.k8s.io;v=v2;as=APIGroupDiscoveryList';

let mode: ExtensionMode = 'normal';
const seen: SeenRequest[] = [];
const sockets = new Set<Socket>();
const watches = new Set<ServerResponse>();
// biome-ignore lint/suspicious/noExplicitAny: objects of every shape
const objects = new Map<string, any>();
let revision = 1;
let server: https.Server | undefined;

process.on('message', (command: ExtensionCommand) => {
  switch (command.kind) {
    case 'listen':
      listen(command);
      break;
    case 'close':
      server?.close(() => process.send!('closed'));
      for (const socket of sockets) socket.destroy();
      break;
    case 'mode':
      mode = command.mode;
      process.send!('set');
      break;
    case 'take':
      process.send!(seen.splice(0));
      break;
  }
});

function listen({ port, cert, key, clientCa }: Extract<ExtensionCommand, { kind: 'listen' }>): void {
  server = https.createServer({ cert, key, ca: clientCa, requestCert: true }, (request, response) => {
    void respond(request, response);
  });
  server.on('connection', (socket: Socket) => {
    sockets.add(socket);
    socket.once('close', () => sockets.delete(socket));
  });
  server.on('upgrade', (request: IncomingMessage, socket: Socket) => {
    note(request, '');
    socket.on('error', () => {});
    socket.write(
      `HTTP/1.1 101 Switching Protocols\r\nConnection: Upgrade\r\nUpgrade: ${request.headers.upgrade}\r\n\r\n`,
    );
    socket.pipe(socket);
  });
  server.listen(port, '127.0.0.1', () => process.send!((server!.address() as AddressInfo).port));
}

function note(request: IncomingMessage, body: string): void {
  const client = (request.socket as TLSSocket).getPeerCertificate()?.subject?.CN as string | undefined;
  seen.push({ method: request.method!, url: request.url!, headers: request.headers, body, client });
}

function json(response: ServerResponse, content: unknown, { status = 200, type = 'application/json' } = {}): void {
  response.writeHead(status, { 'content-type': type }).end(JSON.stringify(content));
}

function failure(response: ServerResponse, code: number, reason: string, message: string): void {
  json(
    response,
    { kind: 'Status', apiVersion: 'v1', metadata: {}, status: 'Failure', message, reason, code },
    { status: code },
  );
}

async function respond(request: IncomingMessage, response: ServerResponse): Promise<void> {
  response.on('error', () => {});
  const { pathname, searchParams } = new URL(request.url!, 'https://x');
  if (pathname.endsWith('/mirror')) {
    note(request, '');
    response.writeHead(200, { 'content-type': 'application/octet-stream' });
    request.pipe(response);
    return;
  }
  const chunks: Buffer[] = [];
  try {
    for await (const chunk of request as AsyncIterable<Buffer>) chunks.push(chunk);
  } catch {
    return;
  }
  const body = Buffer.concat(chunks).toString();
  note(request, body);
  if (mode === 'slow') return;
  if (pathname === '/apis' || pathname === base) return void discovery(request, response, pathname);
  if (pathname === '/openapi/v3') return openApiIndex(response);
  if (pathname === `/openapi/v3${base}`) return json(response, openApi());
  if (pathname === '/openapi/v2') return json(response, swagger());
  if (pathname.endsWith('/redirect')) {
    response.writeHead(302, { location: 'https://127.0.0.1:1/elsewhere' }).end();
    return;
  }
  if (pathname.endsWith('/reset')) {
    request.socket.destroy();
    return;
  }
  const [, , , , , namespace, resource, name] = pathname.startsWith(`${base}/namespaces/`)
    ? pathname.split('/')
    : [0, 0, 0, 0, 0, '', ...pathname.slice(base.length + 1).split('/')];
  if (resource !== 'apples')
    return failure(response, 404, 'NotFound', 'the server could not find the requested resource');
  apples(request, response, { namespace: String(namespace), name: String(name ?? ''), body, searchParams });
}

interface RequestDetails {
  readonly namespace: string;
  readonly name: string;
  readonly body: string;
  readonly searchParams: URLSearchParams;
}

function apples(request: IncomingMessage, response: ServerResponse, details: RequestDetails): unknown {
  const { namespace, name, body, searchParams } = details;
  const key = `${namespace}/${name}`;
  const inScope = [...objects.values()].filter(({ metadata }) => namespace === '' || metadata.namespace === namespace);
  const head = { kind: 'AppleList', apiVersion: `${group}/v1`, metadata: { resourceVersion: String(revision) } };
  switch (request.method) {
    case 'GET':
      if (searchParams.has('watch') && searchParams.get('watch') !== 'false') {
        response.writeHead(200, { 'content-type': 'application/json' });
        response.flushHeaders();
        watches.add(response);
        return response.on('close', () => watches.delete(response));
      }
      if (name === '') return json(response, { ...head, items: inScope });
      if (!objects.has(key)) return failure(response, 404, 'NotFound', `apples.${group} "${name}" not found`);
      return json(response, objects.get(key));
    case 'POST': {
      const object = JSON.parse(body);
      Object.assign(object.metadata, {
        namespace,
        uid: `00000000-0000-4000-8000-${String(++revision).padStart(12, '0')}`,
        resourceVersion: String(revision),
        creationTimestamp: '2026-01-01T00:00:00Z',
      });
      Object.assign(object, { kind: 'Apple', apiVersion: `${group}/v1` });
      objects.set(`${namespace}/${object.metadata.name}`, object);
      sendEvent('ADDED', object);
      return json(response, object, { status: 201 });
    }
    case 'DELETE': {
      const gone = name === '' ? inScope : [objects.get(key)].filter(Boolean);
      if (name !== '' && gone.length === 0) {
        return failure(response, 404, 'NotFound', `apples.${group} "${name}" not found`);
      }
      for (const object of gone) {
        objects.delete(`${object.metadata.namespace}/${object.metadata.name}`);
        object.metadata.resourceVersion = String(++revision);
        sendEvent('DELETED', object);
      }
      return json(response, name === '' ? { ...head, items: gone } : gone[0]);
    }
    default:
      return failure(response, 405, 'MethodNotAllowed', 'not here');
  }
}

function sendEvent(type: string, object: object): void {
  for (const watch of watches) watch.write(`${JSON.stringify({ type, object })}\n`);
}

const verbs = ['create', 'delete', 'deletecollection', 'get', 'list', 'watch'];

function discovery(request: IncomingMessage, response: ServerResponse, path: string): unknown {
  if (mode === 'failing') return failure(response, 500, 'InternalError', 'out of order');
  if (mode === 'invalid') return response.writeHead(200, { 'content-type': aggregated }).end('{"items": 7');
  if (mode === 'huge') {
    return response.writeHead(200, { 'content-type': aggregated }).end(Buffer.alloc(50 * 1024 * 1024, 0x20));
  }
  if (path === base) {
    const resources = [
      { name: 'apples', singularName: 'apple', namespaced: true, kind: 'Apple', verbs, shortNames: ['ap'] },
      { name: 'apples/status', singularName: '', namespaced: true, kind: 'Apple', verbs: ['get'] },
    ];
    return json(response, { kind: 'APIResourceList', apiVersion: 'v1', groupVersion: `${group}/v1`, resources });
  }
  if (mode === 'legacy' || !String(request.headers.accept).includes('APIGroupDiscoveryList')) {
    return json(response, { kind: 'APIGroupList', apiVersion: 'v1', groups: [] });
  }
  const named = mode === 'lying' ? 'apps' : group;
  const entry = {
    resource: 'apples',
    responseKind: { group: named, version: 'v1', kind: 'Apple' },
    scope: 'Namespaced',
    singularResource: 'apple',
    verbs,
    shortNames: ['ap'],
    subresources: [
      { subresource: 'status', responseKind: { group: named, version: 'v1', kind: 'Apple' }, verbs: ['get'] },
    ],
  };
  const items = [
    { metadata: { name: named }, versions: [{ version: 'v1', freshness: 'Current', resources: [entry] }] },
  ];
  const content = { kind: 'APIGroupDiscoveryList', apiVersion: 'apidiscovery.k8s.io/v2', metadata: {}, items };
  return json(response, content, { type: aggregated });
}

function appleSchemas(meta: string): Record<string, object> {
  const gvk = [{ group, version: 'v1', kind: 'Apple' }];
  return {
    'com.example.fruits.v1.Apple': {
      description: 'Apple is a fruit.',
      type: 'object',
      properties: {
        apiVersion: { type: 'string' },
        kind: { type: 'string' },
        metadata: { $ref: `${meta}io.k8s.apimachinery.pkg.apis.meta.v1.ObjectMeta` },
        spec: { $ref: `${meta}com.example.fruits.v1.AppleSpec` },
      },
      'x-kubernetes-group-version-kind': gvk,
    },
    'com.example.fruits.v1.AppleSpec': {
      type: 'object',
      properties: { colour: { description: 'Colour of the peel.', type: 'string' } },
    },
    // The same name as in other servers, with different content.
    'io.k8s.apimachinery.pkg.apis.meta.v1.ObjectMeta': {
      description: 'Metadata as this server knows it.',
      type: 'object',
      properties: { name: { type: 'string' }, labels: { type: 'object', additionalProperties: { type: 'string' } } },
    },
  };
}

function operation(schema: object, version: 2 | 3): object {
  const gvk = { group, version: 'v1', kind: 'Apple' };
  const ok =
    version === 2 ? { description: 'OK', schema } : { description: 'OK', content: { 'application/json': { schema } } };
  return {
    operationId: 'readFruitsExampleComV1NamespacedApple',
    responses: { 200: ok },
    'x-kubernetes-action': 'get',
    'x-kubernetes-group-version-kind': gvk,
  };
}

function openApi(): object {
  const reference = { $ref: '#/components/schemas/com.example.fruits.v1.Apple' };
  return {
    openapi: '3.0.0',
    info: { title: 'Fruits', version: '1' },
    paths: { [`${base}/namespaces/{namespace}/apples/{name}`]: { get: operation(reference, 3) } },
    components: { schemas: appleSchemas('#/components/schemas/') },
  };
}

function swagger(): object {
  const reference = { $ref: '#/definitions/com.example.fruits.v1.Apple' };
  return {
    swagger: '2.0',
    info: { title: 'Fruits', version: '1' },
    paths: {
      [`${base}/namespaces/{namespace}/apples/{name}`]: { get: operation(reference, 2) },
      // A path outside of the requested group version.
      '/api/v1/namespaces': { get: operation(reference, 2) },
    },
    definitions: { ...appleSchemas('#/definitions/'), 'com.example.fruits.v1.Unused': { type: 'object' } },
  };
}

function openApiIndex(response: ServerResponse): void {
  const hash = createHash('sha512').update(JSON.stringify(openApi())).digest('hex').toUpperCase();
  json(response, { paths: { [base.slice(1)]: { serverRelativeURL: `/openapi/v3${base}?hash=${hash}` } } });
}
