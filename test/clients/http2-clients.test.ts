import { execFile, spawn, spawnSync } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { promisify } from 'node:util';
import { Client, credentials, Metadata, status } from '@grpc/grpc-js';
import { Agent, request } from 'undici';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import type { DebianProgram } from '../../scripts/test-clients/debian-package.ts';
import {
  fetchedCurl,
  fetchedH2load,
  fetchedNghttp,
  fetchedPythonH2,
} from '../../scripts/test-clients/http2-clients.ts';
import { TestApi } from '../wire/api.ts';
import { pythonClient } from './python-client.ts';

// These tests use programs and libraries with different implementations of HTTP/2.

const run = promisify(execFile);
const configMaps = '/api/v1/namespaces/default/configmaps';
/** Requests compact JSON. Browsers and curl get indented JSON by default. */
const compact = `${configMaps}?pretty=0`;
const largeData = { text: 'x'.repeat(200_000) };

let api: TestApi;
let largeList: string;
let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'keelson-http2-'));
  const tokenAuthFile = join(folder, 'tokens.csv');
  await writeFile(tokenAuthFile, 'secret,admin,1,system:masters\n');
  api = await TestApi.start({ tokenAuthFile });
  const { ca, cert, key } = api.tls;
  for (const [name, text] of Object.entries({ ca, cert, key })) await writeFile(join(folder, name), text);
  for (let index = 0; index < 10; index++) {
    await api.post(configMaps, { metadata: { name: `large-${index}` }, data: largeData });
  }
  largeList = (await api.get(configMaps)).text;
});
afterAll(async () => {
  await api.stop();
  await rm(folder, { recursive: true, force: true });
});

/** The path of a file with credentials of the administrator. */
const file = (name: 'ca' | 'cert' | 'key'): string => join(folder, name);

const url = (path: string): string => `${api.server.url}${path}`;
const use = (program: DebianProgram, args: readonly string[]) =>
  run(program.path, args, { env: program.env, maxBuffer: 1 << 28 });

const curl = fetchedCurl();
describe.skipIf(curl === undefined)('curl', () => {
  const options = (): string[] => {
    const trusted = ['--cacert', file('ca'), '--cert', file('cert'), '--key', file('key')];
    return ['--http2', '--silent', '--show-error', ...trusted];
  };
  const outcome = ['--write-out', '\n%{http_version} %{http_code}'];

  it('reads a large list', async () => {
    const { stdout } = await use(curl!, [...options(), ...outcome, url(compact)]);
    expect(stdout).toBe(`${largeList}\n2 200`);
  });

  it('reads a compressed list', async () => {
    const { stdout } = await use(curl!, [...options(), '--compressed', ...outcome, url(compact)]);
    expect(stdout).toBe(`${largeList}\n2 200`);
  });

  it('asks for headers only', async () => {
    const { stdout } = await use(curl!, [...options(), '--head', ...outcome, url('/version')]);
    expect(stdout).toMatch(/^HTTP\/2 405[^{]*\n2 405$/);
  });

  it('sends a body that does not fit into a window, and waits for a go-ahead', async () => {
    const body = join(folder, 'body');
    await writeFile(body, JSON.stringify({ metadata: { name: 'by-curl' }, data: { text: 'c'.repeat(900_000) } }));
    const headers = ['--header', 'content-type: application/json', '--header', 'expect: 100-continue'];
    const { stdout } = await use(curl!, [
      ...options(),
      ...headers,
      '--data-binary',
      `@${body}`,
      ...outcome,
      url(configMaps),
    ]);
    expect(stdout).toMatch(/\n2 200$/);
    expect((await api.delete(`${configMaps}/by-curl`)).status).toBe(200);
  });

  it('sends many requests at a time', async () => {
    const targets = Array.from({ length: 40 }, (_, index) => [
      url(`${configMaps}/large-${index % 10}`),
      '--output',
      '/dev/null',
    ]);
    const { stdout } = await use(curl!, [
      ...options(),
      '--parallel',
      '--parallel-max',
      '30',
      ...outcome,
      ...targets.flat(),
    ]);
    expect(stdout.trim().split('\n')).toEqual(targets.map(() => '2 200'));
  });

  it('follows a watch', async () => {
    const watched = url('/api/v1/namespaces/default/secrets?watch=1');
    const child = spawn(curl!.path, [...options(), '--no-buffer', watched], { env: curl!.env });
    onTestFinished(() => void child.kill());
    const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
    for (const name of ['first', 'second']) {
      await api.post('/api/v1/namespaces/default/secrets', { metadata: { name } });
      const { value } = await lines.next();
      expect(JSON.parse(value!)).toMatchObject({ type: 'ADDED', object: { metadata: { name } } });
    }
  });
});

const nghttp = fetchedNghttp();
describe.skipIf(nghttp === undefined)('nghttp', () => {
  const runNghttp = async (...args: string[]): Promise<string> => {
    const known = ['--no-verify-peer', '--cert', file('cert'), '--key', file('key')];
    return (await use(nghttp!, [...known, '--verbose', ...args])).stdout;
  };
  const statuses = (output: string): string[] => [...output.matchAll(/:status: (\d+)/g)].map(([, code]) => code!);

  it.each([
    ['as usual', []],
    ['with small windows', ['--window-bits=1', '--connection-window-bits=16']],
    ['with padding', ['--padding=100']],
    ['with a small table', ['--header-table-size=0']],
    ['with a weight and no dependencies', ['--weight=200', '--no-dep']],
    ['with a long header', ['--header', `x-long: ${'l'.repeat(20_000)}`]],
    ['with a header in its own frames', ['--continuation']],
  ])('asks %s', async (_how, args: string[]) => {
    const output = await runNghttp(...args, '--multiply=20', url('/version'));
    expect(statuses(output)).toEqual(Array.from({ length: 20 }, () => '200'));
    expect(output).not.toMatch(/recv RST_STREAM/);
  });

  it('sends a body with trailers', async () => {
    const body = join(folder, 'body');
    await writeFile(body, JSON.stringify({ metadata: { name: 'by-nghttp' }, data: { text: 'n'.repeat(500_000) } }));
    const output = await runNghttp(
      '--data',
      body,
      '--trailer',
      'x-sum: 1',
      '--header',
      'content-type: application/json',
      url(configMaps),
    );
    expect(statuses(output)).toEqual(['200']);
    expect((await api.delete(`${configMaps}/by-nghttp`)).status).toBe(200);
  });
});

const h2load = fetchedH2load();
describe.skipIf(h2load === undefined)('h2load', () => {
  it.each([
    ['many streams', ['-m', '100']],
    ['small windows', ['-m', '10', '-w', '4', '-W', '16']],
    ['a table without room', ['-m', '10', '--header-table-size=0', '--encoder-header-table-size=0']],
  ])('is served with %s', async (_what, args) => {
    const { stdout } = await use(h2load!, [
      '-H',
      'authorization: Bearer secret',
      '-n',
      '400',
      '-c',
      '4',
      ...args,
      url('/version'),
    ]);
    expect(stdout).toContain('400 succeeded, 0 failed, 0 errored, 0 timeout');
    expect(stdout).toContain('status codes: 400 2xx');
  });
});

const hasPython = spawnSync('python3', ['--version']).status === 0;
const pythonPath = hasPython ? fetchedPythonH2() : undefined;
describe.skipIf(pythonPath === undefined)("Python's h2", () => {
  it('acknowledges every frame, sends padding and trailers', async () => {
    const trusted = { ca: file('ca'), cert: file('cert'), key: file('key') };
    const body = JSON.stringify({ metadata: { name: 'by-python' }, data: { text: 'p'.repeat(300_000) } });
    // Both requests run at the same time, so the list must not include the new object.
    const create = '/api/v1/namespaces/kube-public/configmaps';
    const { port } = new URL(api.server.url);
    const input = JSON.stringify({ port: Number(port), ...trusted, list: configMaps, create, body });
    const child = run('python3', ['-c', pythonClient], {
      env: { ...process.env, PYTHONPATH: pythonPath },
      maxBuffer: 1 << 28,
    });
    child.child.stdin!.end(input);
    const { list, created, error } = JSON.parse((await child).stdout);
    expect(error).toBeNull();
    expect(list.status).toBe('200');
    expect(list.size).toBe(Buffer.byteLength(largeList));
    expect(created.status).toBe('200');
    expect((await api.delete(`${create}/by-python`)).status).toBe(200);
  });
});

describe('libraries', () => {
  it('undici reads and writes', async () => {
    const agent = new Agent({ allowH2: true, connect: { ...api.tls } });
    onTestFinished(() => agent.destroy());
    const names = Array.from({ length: 30 }, (_, index) => `by-undici-${index}`);
    const headers = { 'content-type': 'application/json' };
    const statuses = await Promise.all(
      names.map(async (name) => {
        const body = JSON.stringify({ metadata: { name }, data: { text: 'u'.repeat(50_000) } });
        const response = await request(url(configMaps), { dispatcher: agent, method: 'POST', headers, body });
        await response.body.dump();
        return response.statusCode;
      }),
    );
    expect(statuses).toEqual(names.map(() => 200));
    for (const name of names) await api.delete(`${configMaps}/${name}`);
  });

  it('gRPC gets an error for a service that does not exist', async () => {
    const { host } = new URL(api.server.url);
    const { ca, cert, key } = api.tls;
    const client = new Client(host, credentials.createSsl(Buffer.from(ca), Buffer.from(key), Buffer.from(cert)));
    onTestFinished(() => client.close());
    const asIs = (bytes: Buffer): Buffer => bytes;
    const outcome = new Promise<{ code?: number } | null>((resolve) => {
      client.makeUnaryRequest('/some.Service/Call', asIs, asIs, Buffer.from('hi'), new Metadata(), resolve);
    });
    expect((await outcome)?.code).toBeOneOf([status.UNIMPLEMENTED, status.UNKNOWN, status.INTERNAL]);
  });
});
