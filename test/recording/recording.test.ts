import { execFile } from 'node:child_process';
import { mkdtemp, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { Agent, request } from 'undici';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startRecorder } from '../../src/recording/index.ts';
import { commandScript } from '../bundles/bundles.ts';
import { TestApi } from '../wire/api.ts';
import { encodeBody, mediaTypeOf } from '../wire/peer-codecs.ts';

const run = promisify(execFile);
const namespace = '/api/v1/namespaces/recorded';
const secrets = { password: 'correct-horse-battery', key: '-----BEGIN EC PRIVATE KEY-----\nMHcCAQEE\n' };
const encoded = (value: string): string => Buffer.from(value).toString('base64');
const token = 'eyJhbGciOiJSUzI1NiJ9.eyJzdWIiOiJyb2JvdCJ9.c2lnbmF0dXJl';

let upstream: TestApi;
let folder: string;
let file: string;
const issuedTokens: string[] = [];

/** The requests of a client that are recorded. */
async function session(api: TestApi): Promise<void> {
  await api.post('/api/v1/namespaces', { metadata: { name: 'recorded' } });
  const { resourceVersion } = (await api.get(`${namespace}/configmaps`)).body.metadata;
  const watch = await api.watch(`${namespace}/configmaps?watch=true&resourceVersion=${resourceVersion}`);
  const made = (await api.post(`${namespace}/configmaps`, { metadata: { generateName: 'made-' } })).body;
  const path = `${namespace}/configmaps/${made.metadata.name}`;
  await watch.next();
  expect((await api.put(path, { ...made, data: { owner: made.metadata.uid } })).status).toBe(200);
  expect((await api.put(path, { ...made, data: { too: 'late' } })).status).toBe(409);
  await watch.next();
  expect((await api.patch(path, { data: { patched: 'yes', kubeconfig: 'client-key-data: abc' } })).status).toBe(200);
  await watch.next();
  watch.close();
  await api.post(`${namespace}/configmaps`, { metadata: { name: 'second' }, data: { token, key: secrets.key } });
  const typed = {
    apiVersion: 'v1',
    kind: 'ConfigMap',
    metadata: { name: 'in-protobuf' },
    data: { encoding: 'protobuf' },
  };
  const types = { 'content-type': mediaTypeOf.protobuf, accept: `${mediaTypeOf.protobuf},application/json` };
  const inProtobuf = await api.post(`${namespace}/configmaps`, encodeBody('protobuf', typed), { headers: types });
  expect(inProtobuf).toMatchObject({ status: 200, body: { kind: 'ConfigMap', data: typed.data } });
  const applied = await api.call('PATCH', `${namespace}/configmaps/applied?fieldManager=author`, {
    headers: { 'content-type': 'application/apply-patch+yaml' },
    body: 'kind: ConfigMap\napiVersion: v1\nmetadata:\n  name: applied\ndata:\n  encoding: yaml\n',
  });
  expect(applied.status).toBe(201);
  const page = (await api.get(`${namespace}/configmaps?limit=1`)).body;
  await api.get(`${namespace}/configmaps?limit=1&continue=${page.metadata.continue}`);
  const data = { password: encoded(secrets.password) };
  const secret = (await api.post(`${namespace}/secrets`, { kind: 'Secret', metadata: { name: 's' }, data })).body;
  expect(secret.data).toEqual(data);
  await api.patch(
    `${namespace}/secrets/s`,
    [{ op: 'add', path: '/data/more', value: encoded('even-more-secret') }],
    'json',
  );
  await api.get(`${namespace}/secrets`);
  await api.get('/api/v1/secrets?watch=true&timeoutSeconds=1&resourceVersion=0');
  await api.post(`${namespace}/serviceaccounts`, { metadata: { name: 'robot' } });
  const issued = await api.post(`${namespace}/serviceaccounts/robot/token`, { spec: {} });
  issuedTokens.push(issued.body.status.token);
  await api.get(`${namespace}/configmaps/none`, { headers: { authorization: 'Bearer my-own-token' } });
  await api.get('/version?access_token=in-the-query');
  expect((await api.delete(path)).status).toBe(200);
}

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'keelson-recording-'));
  file = join(folder, 'recording.jsonl');
  upstream = await TestApi.start();
  const kubeconfigs = { upstream: join(folder, 'upstream'), kubeconfig: join(folder, 'clients') };
  await writeFile(kubeconfigs.upstream, upstream.server.kubeconfig);
  const failures: string[] = [];
  const recorder = await startRecorder({
    ...kubeconfigs,
    file,
    bindAddress: '127.0.0.1',
    port: 0,
    onError: (error, what) => failures.push(`${what}: ${error.message}`),
  });
  const kubeconfig = await readFile(kubeconfigs.kubeconfig, 'utf8');
  const api = new TestApi({ url: recorder.url, kubeconfig, stop: () => recorder.stop() });
  await session(api);
  const agent = new Agent({ allowH2: true, connect: { ...api.tls } });
  const { statusCode, body } = await request(`${recorder.url}/version`, { dispatcher: agent });
  expect([statusCode, await body.json()]).toEqual([200, (await upstream.get('/version')).body]);
  await agent.destroy();
  // Requests without a certificate of the recorder, and connections without a request, are not recorded.
  expect((await api.get('/api', { credentials: false })).status).toBe(401);
  const headers = {
    connection: 'Upgrade',
    upgrade: 'websocket',
    'sec-websocket-version': '13',
    'sec-websocket-key': 'x',
  };
  expect((await api.get(`${namespace}/pods/a/exec`, { headers })).body.message).toMatch(/does not pass on upgraded/);
  await api.stop();
  expect(failures).toEqual([]);
});
afterAll(async () => {
  await upstream.stop();
  await rm(folder, { recursive: true, force: true });
});

describe('a recording', () => {
  it('has a version, and requests, responses and events in their order', async () => {
    const [header, ...steps] = (await readFile(file, 'utf8'))
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line));
    expect(header).toEqual({ keelsonRecording: 1 });
    expect(steps.slice(0, 2)).toMatchObject([
      { type: 'request', id: 1, method: 'POST', path: '/api/v1/namespaces', body: { metadata: { name: 'recorded' } } },
      { type: 'response', id: 1, status: 200, contentType: 'application/json', body: { kind: 'Namespace' } },
    ]);
    const requests = steps.filter(({ type, body }) => type === 'request' && body?.data?.encoding !== undefined);
    expect(requests.map(({ headers, body }) => [headers['content-type'], body.data.encoding])).toEqual([
      ['application/json', 'protobuf'],
      ['application/apply-patch+yaml', 'yaml'],
    ]);
    const watch = steps.find(({ path }) => path?.includes('configmaps?watch=true'));
    const kinds = steps.filter(({ id }) => id === watch.id).map(({ type, event }) => event?.type ?? type);
    expect(kinds).toEqual(['request', 'response', 'ADDED', 'MODIFIED', 'MODIFIED', 'end']);
    expect(steps.filter(({ type }) => type === 'request').map(({ id }) => id)).toEqual(
      steps.filter(({ type }) => type === 'request').map((_, index) => index + 1),
    );
  });

  it('is for its owner only, and has no secrets', async () => {
    expect((await stat(file)).mode & 0o777).toBe(0o600);
    const text = await readFile(file, 'utf8');
    for (const secret of [
      secrets.password,
      encoded(secrets.password),
      encoded('even-more-secret'),
      'PRIVATE KEY',
      'client-key-data',
      token,
      issuedTokens[0]!,
      'my-own-token',
      'in-the-query',
    ]) {
      expect([secret, text.includes(secret)]).toEqual([secret, false]);
    }
    expect(text).toContain('<redacted>');
  });
});

describe('a replay', () => {
  const replayed = async (...args: string[]): Promise<{ code: number; stdout: string; stderr: string }> => {
    try {
      return { code: 0, ...(await run(process.execPath, [commandScript, 'replay', ...args])) };
    } catch (error) {
      return error as { code: number; stdout: string; stderr: string };
    }
  };

  it('gets the same from an equal server, and finds differences', async () => {
    const other = await TestApi.start();
    try {
      // Creates other versions than those in the recording.
      for (let index = 0; index < 3; index++)
        await other.post('/api/v1/namespaces', { metadata: { name: `n${index}` } });
      const kubeconfig = join(folder, 'other');
      await writeFile(kubeconfig, other.server.kubeconfig);
      const same = await replayed(file, `--kubeconfig=${kubeconfig}`);
      expect(same.stdout).toMatch(/^2\d requests and \d+ events replayed\. Differences: 0\n$/);
      expect(same.code).toBe(0);
      const again = await replayed(file, `--kubeconfig=${kubeconfig}`);
      expect(again.code).toBe(3);
      expect(again.stdout).toContain('#1 POST /api/v1/namespaces: status: recorded 200, got 409 ');
    } finally {
      await other.stop();
    }
  });

  it.each([
    ['a file that is no recording', '{}\n', 'is not a recording of version 1'],
    ['a version that it does not know', '{"keelsonRecording":2}\n', 'is not a recording of version 1'],
    ['what is not JSON', '{"keelsonRecording":1}\n{\n', ':2 is not JSON'],
    ['an empty file', '', 'is empty'],
  ])('refuses %s', async (_, text, message) => {
    const { replay } = await import('../../src/recording/index.ts');
    const bad = join(folder, 'bad.jsonl');
    await writeFile(bad, text);
    const options = { kubeconfig: join(folder, 'upstream'), timeoutMs: 60_000, onDifference: () => {} };
    await expect(replay({ ...options, file: bad })).rejects.toThrow(message);
  });
});
