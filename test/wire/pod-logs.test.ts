import { once } from 'node:events';
import { request } from 'node:https';
import { afterAll, beforeAll, describe, expect, it, onTestFinished, vi } from 'vitest';
import { WebSocket } from 'ws';
import { createPod, TestNode } from '../kubelet/test-node.ts';

let node: TestNode;
beforeAll(async () => {
  node = await TestNode.start();
});
afterAll(() => node.stop());

const script = (text: string) => ['sh', '-c', text];
const chatty = { command: script('echo one; echo two >&2; echo three; exec sleep 1000') };

/** Creates a pod that has written three lines. */
async function chattyPod(name: string): Promise<string> {
  const path = await node.run(name, chatty);
  await vi.waitUntil(() => node.containers.find('default', name, 'c')!.lines.length === 3, { interval: 5 });
  return path;
}

describe('the log of a container', () => {
  let path: string;
  beforeAll(async () => {
    path = await chattyPod('chatty');
  });

  it('is plain text', async () => {
    const { status, headers, text } = await node.api.get(`${path}/log`, { headers: { 'accept-encoding': 'gzip' } });
    expect({ status, lines: text.split('\n').toSorted() }).toEqual({ status: 200, lines: ['', 'one', 'three', 'two'] });
    expect(headers['content-type']).toBe('text/plain');
    expect(headers['content-encoding']).toBeUndefined();
  });

  it.each([
    ['stream=Stdout', 'one\nthree\n', 'stream=Stdout'],
    ['stream=Stderr&container=c', 'two\n', 'stream=Stderr'],
    ['tailLines=0', '', 'tailLines=0'],
    ['stream=Stdout&limitBytes=5', 'one\nt', 'limitBytes=5&stream=Stdout'],
    ['sinceTime=2999-01-01T00:00:00Z', '', 'sinceTime=2999-01-01T00%3A00%3A00Z'],
    ['sinceSeconds=1000&stream=Stdout&follow=false&timestamps=0', 'one\nthree\n', 'sinceSeconds=1000&stream=Stdout'],
  ])('can be a part: %s', async (query, expected, forwarded) => {
    expect((await node.api.get(`${path}/log?${query}`)).text).toBe(expected);
    expect(node.kubelet.requests.at(-1)).toBe(`GET /containerLogs/default/chatty/c?${forwarded}`);
  });

  it('can have timestamps', async () => {
    const { text } = await node.api.get(`${path}/log?timestamps=true&stream=Stderr`);
    expect(text).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d+Z two\n$/);
  });

  it.each([
    [
      'tailLines=-1&sinceSeconds=0',
      '[tailLines: Invalid value: -1: must be greater than or equal to 0, sinceSeconds: Invalid value: 0: must be greater than 0]',
    ],
    ['limitBytes=0', 'limitBytes: Invalid value: 0: must be greater than 0'],
    [
      'sinceSeconds=1&sinceTime=2020-01-01T00:00:00Z',
      '<nil>: Forbidden: at most one of `sinceTime` or `sinceSeconds` may be specified',
    ],
    ['stream=Out', 'stream: Unsupported value: "Out": supported values: "All", "Stderr", "Stdout"'],
    ['stream=Stdout&tailLines=1', '<nil>: Forbidden: `tailLines` and specific `stream` are mutually exclusive for now'],
  ])('is refused with bad options: %s', async (query, message) => {
    const { status, body } = await node.api.get(`${path}/log?${query}`);
    expect(status).toBe(422);
    expect(body).toMatchObject({
      reason: 'Invalid',
      message: `PodLogOptions "chatty" is invalid: ${message.replaceAll('<nil>', '')}`,
      details: { name: 'chatty', kind: 'PodLogOptions' },
    });
  });

  it('is refused with options that are no numbers', async () => {
    const { status, body } = await node.api.get(`${path}/log?tailLines=x`);
    expect({ status, message: body.message }).toEqual({
      status: 400,
      message: 'strconv.ParseInt: parsing "x": invalid syntax',
    });
  });

  it('is refused as the kubelet refuses it', async () => {
    const previous = await node.api.get(`${path}/log?previous=true`);
    expect(previous.status).toBe(400);
    expect(previous.body.message).toBe('previous terminated container "c" in pod "chatty" not found');
  });

  it('can only be read', async () => {
    expect((await node.api.post(`${path}/log`, {})).status).toBe(405);
  });

  it.each([
    [undefined, 'one\nthree\n', true],
    ['binary.k8s.io', 'one\nthree\n', true],
    ['base64.binary.k8s.io', 'b25lCnRocmVlCg==', false],
  ])('comes in messages of a WebSocket with the protocol %s', async (protocol, expected, binary) => {
    const url = `${node.api.server.url.replace('https', 'wss')}${path}/log?stream=Stdout`;
    const socket = new WebSocket(url, protocol === undefined ? [] : [protocol], node.api.tls);
    onTestFinished(() => socket.terminate());
    const messages: [string, boolean][] = [];
    socket.on('message', (data, isBinary) => messages.push([String(data), isBinary]));
    expect((await once(socket, 'close'))[0]).toBe(1000);
    expect(socket.protocol).toBe(protocol ?? '');
    expect(messages.map(([text]) => text).join('')).toBe(expected);
    expect(messages[0]![1]).toBe(binary);
  });
});

it('follows a log as it grows, and ends with the container', async () => {
  const path = await node.run('growing', { command: script('echo begun; read line; echo "got $line"'), stdin: true });
  const call = request(`${node.api.server.url}${path}/log?follow=true`, node.api.tls);
  call.end();
  const [response] = await once(call, 'response');
  expect(String((await once(response, 'data'))[0])).toBe('begun\n');
  node.containers.find('default', 'growing', 'c')!.command.stdin.write('this\n');
  expect(String((await once(response, 'data'))[0])).toBe('got this\n');
  await once(response, 'end');
});

it('leaves the kubelet when the client does', async () => {
  const path = await chattyPod('left');
  const call = request(`${node.api.server.url}${path}/log?follow=true`, node.api.tls);
  call.on('error', () => {});
  call.end();
  const [response] = await once(call, 'response');
  response.on('error', () => {});
  const container = node.containers.find('default', 'left', 'c')!;
  await vi.waitUntil(() => container.listenerCount('line') === 1, { interval: 5 });
  response.destroy();
  await expect.poll(() => container.listenerCount('line')).toBe(0);
});

describe('the log of a pod', () => {
  it('is empty before it has a node', async () => {
    await createPod(node.api, 'waiting', {});
    const { status, text } = await node.api.get('/api/v1/namespaces/default/pods/waiting/log');
    expect({ status, text }).toEqual({ status: 204, text: '' });
  });

  it.each<[string, object, string[], string, number, string]>([
    [
      'several',
      { nodeName: 'gone' },
      ['c', 'd'],
      '',
      400,
      'a container name must be specified for pod several, choose one of: [c d]',
    ],
    ['unknown', {}, ['c'], '?container=zz', 400, 'container zz is not valid for pod unknown'],
    ['lost', { nodeName: 'gone' }, ['c'], '', 404, 'nodes "gone" not found'],
  ])('is refused: %s', async (name, spec, names, query, expected, message) => {
    await createPod(
      node.api,
      name,
      spec,
      names.map((one) => ({ name: one })),
    );
    const { status, body } = await node.api.get(`/api/v1/namespaces/default/pods/${name}/log${query}`);
    expect({ status, message: body.message }).toEqual({ status: expected, message });
  });

  it('needs the pod', async () => {
    const { status, body } = await node.api.get('/api/v1/namespaces/default/pods/absent/log');
    expect({ status, message: body.message }).toEqual({ status: 404, message: 'pods "absent" not found' });
  });

  it('needs an address of the node', async () => {
    await node.api.post('/api/v1/nodes', { metadata: { name: 'bare' } });
    await createPod(node.api, 'homeless', { nodeName: 'bare' });
    const { status, body } = await node.api.get('/api/v1/namespaces/default/pods/homeless/log');
    expect(status).toBe(500);
    expect(body).toEqual({
      kind: 'Status',
      apiVersion: 'v1',
      metadata: {},
      status: 'Failure',
      message: 'no preferred addresses found; known addresses: []',
      code: 500,
    });
  });

  it('is not available when the container does not run', async () => {
    await node.run('stopped');
    node.containers.stopPod('default', 'stopped');
    const { status, body } = await node.api.get('/api/v1/namespaces/default/pods/stopped/log');
    expect(status).toBe(404);
    expect(body).toMatchObject({
      reason: 'NotFound',
      message: 'the server could not find the requested resource ( pods/log stopped)',
      details: { name: 'stopped', kind: 'pods/log' },
    });
  });
});

describe('a kubelet', () => {
  const nodeAt = async (name: string, port: number): Promise<void> => {
    await node.api.post('/api/v1/nodes', { metadata: { name } });
    const addresses = [{ type: 'InternalIP', address: '127.0.0.1' }];
    const status = { addresses, daemonEndpoints: { kubeletEndpoint: { Port: port } } };
    await node.api.patch(`/api/v1/nodes/${name}/status`, { status });
  };

  it('causes an error that says so if it does not listen', async () => {
    await nodeAt('silent', 1);
    await createPod(node.api, 'unheard', { nodeName: 'silent' });
    const { status, body } = await node.api.get('/api/v1/namespaces/default/pods/unheard/log');
    const url = 'https://127.0.0.1:1/containerLogs/default/unheard/c';
    expect({ status, message: body.message }).toEqual({
      status: 500,
      message: `Get "${url}": dial tcp 127.0.0.1:1: connect: connection refused`,
    });
  });

  it('whose certificate is not trusted is an error, too, unless the client skips the verification', async () => {
    const { port } = new URL(node.api.server.url);
    await nodeAt('foreign', Number(port));
    await createPod(node.api, 'strange', { nodeName: 'foreign' });
    const path = '/api/v1/namespaces/default/pods/strange/log';
    const { status, body } = await node.api.get(path);
    expect(status).toBe(500);
    expect(body.message).toContain('tls: failed to verify certificate: x509: certificate signed by unknown authority');
    // This server is not a kubelet and accepts no credentials.
    const skipped = await node.api.get(`${path}?insecureSkipTLSVerifyBackend=true`);
    expect(skipped.body.message).toBe('the server has asked for the client to provide credentials ( pods/log strange)');
    expect(skipped.status).toBe(401);
  });
});
