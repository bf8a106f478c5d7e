import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { connect as connectHttp2 } from 'node:http2';
import { request } from 'node:https';
import type { Duplex } from 'node:stream';
import { text } from 'node:stream/consumers';
import { afterAll, beforeAll, describe, expect, it, onTestFinished, vi } from 'vitest';
import { SpdyConnection } from '../../src/streams/index.ts';
import { createPod, TestNode } from '../kubelet/test-node.ts';
import { CommandSocket } from './command-socket.ts';
import { enforce, ruleFor } from './policies.ts';

let node: TestNode;
let pod: string;
beforeAll(async () => {
  node = await TestNode.start();
  pod = await node.run('p');
  await node.api.post('/api/v1/nodes', { metadata: { name: 'silent' } });
  const addresses = [{ type: 'InternalIP', address: '127.0.0.1' }];
  const status = { addresses, daemonEndpoints: { kubeletEndpoint: { Port: 1 } } };
  await node.api.patch('/api/v1/nodes/silent/status', { status });
  await createPod(node.api, 'unheard', { nodeName: 'silent' });
});
afterAll(() => node.stop());

const [stdin, stdout, stderr] = [0, 1, 2];
const v5 = 'v5.channel.k8s.io';
const silentPod = '/api/v1/namespaces/default/pods/unheard';

const queryOf = (command: readonly string[], streams = 'stdin=1&stdout=1&stderr=1'): string =>
  `${streams}&${new URLSearchParams(command.map((word): [string, string] => ['command', word]))}`;
const shell = (script: string, streams?: string): string => queryOf(['sh', '-c', script], streams);
const open = (query: string, protocol = v5, path = pod, headers = {}) =>
  new CommandSocket(node.api, `${path}/exec?${query}`, protocol, headers).opened();

const exitsWith = (code: number) => ({
  metadata: {},
  status: 'Failure',
  message: `command terminated with non-zero exit code: command terminated with exit code ${code}`,
  reason: 'NonZeroExitCode',
  details: { causes: [{ reason: 'ExitCode', message: `${code}` }] },
});

describe.each([v5, 'v4.channel.k8s.io', 'channel.k8s.io', 'base64.channel.k8s.io', 'v4.base64.channel.k8s.io'])(
  'a command over a WebSocket with %s',
  (protocol) => {
    it('has input, output, errors and an exit code', async () => {
      const socket = await open(shell('read line; echo "got $line"; echo problem >&2; exit 3'), protocol);
      expect(socket.webSocket.protocol).toBe(protocol);
      socket.send(stdin, 'this\n');
      expect(await socket.status()).toEqual(exitsWith(3));
      expect([socket.text(stdout), socket.text(stderr)]).toEqual(['got this\n', 'problem\n']);
      expect(await socket.closed).toBe(1000);
    });
  },
);

describe('a command over a WebSocket', () => {
  it('begins with an empty message and succeeds', async () => {
    const socket = new CommandSocket(node.api, `${pod}/exec?${shell('true', 'stderr=1')}`, v5);
    const [first] = (await once(socket.webSocket, 'message')) as [Buffer];
    expect([...first]).toEqual([stderr]);
    expect(await socket.status()).toEqual({ metadata: {}, status: 'Success' });
  });

  it('gets the end of its input', async () => {
    const socket = await open(queryOf(['sha256sum'], 'stdin=true&stdout=true'));
    for (const word of ['a', 'b', '']) socket.send(stdin, word);
    // A terminal was not requested, so its size is not passed on.
    socket.send(4, '{"Width":1,"Height":1}');
    socket.send(77, 'nobody');
    socket.end(stdin);
    await socket.closed;
    expect(socket.text(stdout)).toMatch(/^fb8e20fc2e4c3f248c60c39bd652f3c1347298bb977b8b4d5903b85055620603 /);
  });

  it('carries any bytes in both directions', async () => {
    const sent = randomBytes(3_000_000);
    const socket = await open(queryOf(['cat'], 'stdin=1&stdout=1'));
    for (let at = 0; at < sent.length; at += 50_000) socket.send(stdin, sent.subarray(at, at + 50_000));
    socket.end(stdin);
    expect(await socket.status()).toEqual({ metadata: {}, status: 'Success' });
    expect(socket.bytes(stdout).equals(sent)).toBe(true);
  });

  it('waits for a client that does not read', async () => {
    const before = node.kubelet.bytesWritten;
    const socket = await open(shell('head -c 1000000000 /dev/zero', 'stdout=1'));
    socket.webSocket.pause();
    const written = (): number => node.kubelet.bytesWritten - before;
    let last = -1;
    await expect
      .poll(
        () => {
          const isStill = written() > 100_000 && written() === last;
          last = written();
          return isStill;
        },
        { interval: 200 },
      )
      .toBe(true);
    // The buffers of three connections are full.
    expect(written()).toBeLessThan(64_000_000);
    socket.webSocket.terminate();
  });

  it('drops input that the command does not want', async () => {
    const socket = await open(shell('exec 0<&-; echo ready; sleep 0.1; echo done'));
    await socket.until(stdout, 'ready');
    for (let i = 0; i < 100; i++) socket.send(stdin, Buffer.alloc(10_000));
    expect(await socket.status()).toEqual({ metadata: {}, status: 'Success' });
    expect(socket.text(stdout)).toBe('ready\ndone\n');
  });

  it('is killed when the client leaves', async () => {
    const before = node.kubelet.connections;
    const socket = await open(shell('echo $$; exec sleep 1000'));
    await socket.until(stdout, '\n');
    const pid = Number(socket.text(stdout));
    expect(() => process.kill(pid, 0)).not.toThrow();
    socket.webSocket.terminate();
    await vi.waitUntil(() => !isAlive(pid), { interval: 5 });
    await vi.waitUntil(() => node.kubelet.connections <= before, { interval: 5 });
  });

  it('says so when the kubelet breaks off', async () => {
    const socket = await open(shell('echo begun; exec sleep 1000'));
    await socket.until(stdout, 'begun');
    node.kubelet.cut();
    expect(await socket.status()).toMatchObject({
      status: 'Failure',
      reason: 'InternalError',
      message: expect.stringMatching(/^Internal error occurred: error reading from error stream: /),
      code: 500,
    });
    expect(await socket.closed).toBe(1000);
  });

  it.each<[string, string, string, string]>([
    [
      'that cannot be started',
      queryOf(['nonsense']),
      '',
      'Internal error occurred: error executing command in container: spawn nonsense ENOENT',
    ],
    [
      'of a kubelet that does not listen',
      queryOf(['ls'], 'stdout=1'),
      silentPod,
      'Internal error occurred: error sending request: Post "https://127.0.0.1:1/exec/default/unheard/c?command=ls&output=1": dial tcp 127.0.0.1:1: connect: connection refused',
    ],
    [
      'that the kubelet refuses',
      queryOf(['ls'], 'tty=1'),
      '',
      'Internal error occurred: unable to upgrade connection: you must specify at least 1 of stdin, stdout, stderr',
    ],
  ])('%s fails on the error channel', async (_name, query, path, message) => {
    const socket = await open(query, v5, path === '' ? pod : path);
    expect(await socket.status()).toMatchObject({ metadata: {}, status: 'Failure', message, reason: 'InternalError' });
  });

  it('can be a stream of an HTTP/2 connection', async () => {
    const session = connectHttp2(node.api.server.url, node.api.tls);
    session.on('error', () => {});
    onTestFinished(() => session.destroy());
    await once(session, 'remoteSettings');
    const request = (protocol: string) =>
      session.request({
        ':method': 'CONNECT',
        ':protocol': 'websocket',
        ':path': `${pod}/exec?${shell('echo hi', 'stdout=1')}`,
        'sec-websocket-version': '13',
        'sec-websocket-protocol': protocol,
        origin: node.api.server.url,
      });
    // One protocol is translated, the other is passed through.
    for (const protocol of [v5, 'v4.channel.k8s.io']) {
      const stream = request(protocol);
      const [headers] = await once(stream, 'response');
      expect(headers).toMatchObject({ ':status': 200, 'sec-websocket-protocol': protocol });
      // One message is a frame of four bytes.
      const expected = Buffer.from('\x82\x04\x01hi\n', 'latin1');
      let received = Buffer.alloc(0);
      for await (const chunk of stream.iterator({ destroyOnReturn: false }) as AsyncIterable<Buffer>) {
        received = Buffer.concat([received, chunk]);
        if (received.includes(expected)) break;
      }
      stream.destroy();
    }
  });
});

function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
}

/** Switches to SPDY, or returns the response if that fails. */
async function spdy(path: string, method = 'POST', protocols = ['v4.channel.k8s.io']) {
  const headers = { connection: 'Upgrade', upgrade: 'SPDY/3.1', 'x-stream-protocol-version': protocols };
  const call = request(`${node.api.server.url}${path}`, { ...node.api.tls, method, headers });
  call.end();
  const [response, socket] = await Promise.race([once(call, 'upgrade'), once(call, 'response')]);
  if (socket === undefined) return { status: response.statusCode, text: await text(response) };
  const connection = new SpdyConnection(socket as Duplex, { role: 'client' });
  onTestFinished(() => connection.destroy());
  return { connection, status: response.statusCode, protocol: response.headers['x-stream-protocol-version'] };
}

describe('a command over SPDY', () => {
  it.each(['POST', 'GET'])('passes through, by %s', async (method) => {
    const { connection, status, protocol } = await spdy(
      `${pod}/exec?${shell('cat; echo problem >&2; exit 4')}`,
      method,
    );
    expect({ status, protocol }).toEqual({ status: 101, protocol: 'v4.channel.k8s.io' });
    const [error, input, output, errors] = ['error', 'stdin', 'stdout', 'stderr'].map((streamtype) =>
      connection!.open({ streamtype }),
    );
    input!.end('through');
    const [outputText, errorsText, result] = await Promise.all([text(output!), text(errors!), text(error!)]);
    expect([outputText, errorsText]).toEqual(['through', 'problem\n']);
    expect(JSON.parse(result)).toEqual(exitsWith(4));
  });

  it.each<[string, string, string[], number, string]>([
    [
      'the kubelet refuses it',
      `?${queryOf(['ls'], 'tty=1')}`,
      ['v4.channel.k8s.io'],
      400,
      'you must specify at least 1 of stdin, stdout, stderr',
    ],
    [
      'the kubelet does not know the protocol',
      `?${queryOf(['ls'])}`,
      ['v9'],
      403,
      'unable to upgrade: unable to negotiate protocol: client supports [v9]',
    ],
  ])('is answered as the kubelet does when %s', async (_name, query, protocols, status, expected) => {
    expect(await spdy(`${pod}/exec${query}`, 'POST', protocols)).toEqual({ status, text: expected });
  });

  it('fails when the kubelet does not listen', async () => {
    const { status, text: body } = await spdy(`${silentPod}/exec?${queryOf(['ls'])}`);
    expect(status).toBe(500);
    expect(JSON.parse(body!).message).toBe('error dialing backend: dial tcp 127.0.0.1:1: connect: connection refused');
  });
});

describe('a request to exec or attach', () => {
  it.each<[string, string, number, string]>([
    [`${'/api/v1/namespaces/default/pods/p'}/exec?command=ls`, 'POST', 400, 'Upgrade request required'],
    [`${'/api/v1/namespaces/default/pods/p'}/attach`, 'GET', 400, 'Upgrade request required'],
    [`${'/api/v1/namespaces/default/pods/p'}/portforward`, 'POST', 400, 'Upgrade request required'],
    [
      '/api/v1/namespaces/default/pods/nowhere/exec?command=ls',
      'GET',
      400,
      'pod nowhere does not have a host assigned',
    ],
    ['/api/v1/namespaces/default/pods/nowhere/portforward', 'POST', 400, 'pod nowhere does not have a host assigned'],
    [
      '/api/v1/namespaces/default/pods/nowhere/exec?container=x',
      'POST',
      400,
      'container x is not valid for pod nowhere',
    ],
    ['/api/v1/namespaces/default/pods/absent/exec', 'POST', 404, 'pods "absent" not found'],
    [
      '/api/v1/namespaces/default/pods/p/exec',
      'PUT',
      405,
      'the server does not allow this method on the requested resource',
    ],
  ])('%s by %s is refused', async (path, method, status, message) => {
    await node.api.post('/api/v1/namespaces/default/pods', {
      metadata: { name: 'nowhere' },
      spec: { containers: [{ name: 'c', image: 'i' }] },
    });
    const response = await node.api.call(method, path);
    expect({ status: response.status, message: response.body.message }).toEqual({ status, message });
  });

  it('by GET needs the permission to create, too', async () => {
    const roles = '/apis/rbac.authorization.k8s.io/v1/namespaces/default';
    const grant = (name: string, verbs: string[]) =>
      Promise.all([
        node.api.post(`${roles}/roles`, {
          metadata: { name },
          rules: [{ apiGroups: [''], resources: ['pods/exec'], verbs }],
        }),
        node.api.post(`${roles}/rolebindings`, {
          metadata: { name },
          roleRef: { apiGroup: 'rbac.authorization.k8s.io', kind: 'Role', name },
          subjects: [{ apiGroup: 'rbac.authorization.k8s.io', kind: 'User', name }],
        }),
      ]);
    await Promise.all([grant('reader', ['get']), grant('worker', ['get', 'create'])]);
    const as = (user: string) => ({ headers: { 'impersonate-user': user } });
    const refused = await node.api.get(`${pod}/exec?command=ls`, as('reader'));
    expect({ status: refused.status, message: refused.body.message }).toEqual({
      status: 403,
      message:
        'pods "p" is forbidden: User "reader" cannot create resource "pods/exec" in API group "" in the namespace "default"',
    });
    const socket = await open(shell('echo hi', 'stdout=1'), v5, pod, { 'impersonate-user': 'worker' });
    expect(await socket.status()).toEqual({ metadata: {}, status: 'Success' });
  });

  it('goes through admission as CONNECT', async () => {
    await enforce(node.api, {
      name: 'no-rm',
      rules: [ruleFor('/pods/exec', ['CONNECT'])],
      spec: {
        validations: [
          { expression: "object.command[0] != 'rm' && object.kind == 'PodExecOptions'", message: 'not that' },
        ],
      },
    });
    const denied = (): Promise<{ status: number; body: { message: string } }> =>
      node.api.post(`${pod}/exec?command=rm&stdout=1`, undefined);
    await vi.waitUntil(async () => (await denied()).body.message !== 'Upgrade request required', { interval: 20 });
    expect(await denied()).toMatchObject({ status: 422, body: { message: expect.stringContaining('not that') } });
    const socket = await open(shell('echo hi', 'stdout=1'));
    expect(await socket.status()).toEqual({ metadata: {}, status: 'Success' });
  });
});

it('attaches to the process of a container', async () => {
  const path = await node.run('talker', { command: ['sh', '-c', 'while read l; do echo "got $l"; done'], stdin: true });
  const socket = await new CommandSocket(node.api, `${path}/attach?stdin=1&stdout=1&stderr=1`, v5).opened();
  const container = node.containers.find('default', 'talker', 'c')!;
  await vi.waitUntil(() => container.listenerCount('output') > 0, { interval: 5 });
  socket.send(stdin, 'one\n');
  await socket.until(stdout, 'got one');
  container.command.stdin.end();
  expect(await socket.status()).toEqual({ metadata: {}, status: 'Success' });
});

it('ends open connections when the server stops', async () => {
  const [translated, through] = await Promise.all([
    open(shell('echo begun; exec sleep 1000', 'stdout=1')),
    open(shell('echo begun; exec sleep 1000', 'stdout=1'), 'v4.channel.k8s.io'),
  ]);
  await Promise.all([translated.until(stdout, 'begun'), through.until(stdout, 'begun')]);
  await node.api.server.stop();
  expect(await Promise.all([translated.closed, through.closed])).toHaveLength(2);
});
