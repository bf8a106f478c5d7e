import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { expect, it } from 'vitest';
import { replay, startRecorder } from '../../src/recording/index.ts';
import { ManualClock, startTestServer, type TestServer, type TestServerOptions } from '../../src/testing/index.ts';
import { commandScript } from '../bundles/bundles.ts';
import { temporaryDirectory } from '../process/temporary-directory.ts';
import { TestApi } from '../wire/api.ts';

const namespace = '/api/v1/namespaces/repeated';

/** The requests of a client that are recorded. The responses contain all values that a server generates. */
async function session(api: TestApi): Promise<void> {
  await api.post('/api/v1/namespaces', { metadata: { name: 'repeated' } });
  const watch = await api.watch(`${namespace}/configmaps?watch=true&resourceVersion=0&allowWatchBookmarks=true`);
  // The bookmark that ends the existing objects.
  expect((await watch.next())?.type).toBe('BOOKMARK');
  const made = (await api.post(`${namespace}/configmaps`, { metadata: { generateName: 'made-' } })).body;
  await watch.next();
  const path = `${namespace}/configmaps/${made.metadata.name}`;
  await api.put(path, { ...made, data: { owner: made.metadata.uid } });
  await watch.next();
  await api.patch(path, { metadata: { labels: { a: 'b' } } });
  await watch.next();
  watch.close();
  const service = await api.post(`${namespace}/services`, {
    metadata: { name: 's' },
    spec: { type: 'NodePort', ports: [{ port: 80 }] },
  });
  expect(service.body.spec.ports[0].nodePort).toBeGreaterThan(0);
  await api.delete(path);
}

const options: TestServerOptions = { seed: 7, controllers: [], disableAdmissionPlugins: ['ServiceAccount'] };

async function texts(server: TestServer): Promise<Record<string, string>> {
  return Object.fromEntries(Array.from(await server.stored(), ([key, value]) => [key, value.toString()]));
}

/** Returns the responses of the server. The order of two streams in a recording is undefined. */
async function readResponses(file: string): Promise<string[]> {
  const lines = (await readFile(file, 'utf8')).split('\n');
  return lines.filter((line) => !line.startsWith('{"type":"request"')).sort();
}

it('a replay to a server of the same seed writes the same bytes and gets the same answers', async () => {
  const folder = await temporaryDirectory();
  const place = (name: string) => join(folder, name);
  const first = await startTestServer({ ...options, clock: new ManualClock() });
  await writeFile(place('first'), first.kubeconfig);
  const flags = [
    '--upstream',
    place('first'),
    '--file',
    place('1.jsonl'),
    '--kubeconfig',
    place('clients'),
    '--secure-port=0',
  ];
  const recorder = spawn(process.execPath, [commandScript, 'record', ...flags], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const [ready] = await once(createInterface(recorder.stdout), 'line');
  const [, url = ''] = /^Recording to .*1\.jsonl\. Clients use --kubeconfig .*clients \((.*)\)\.$/.exec(ready) ?? [];
  const api = new TestApi({ url, kubeconfig: await readFile(place('clients'), 'utf8'), stop: async () => {} });
  await session(api);
  await api.stop();
  recorder.kill('SIGINT');
  expect(await once(recorder, 'exit')).toEqual([0, null]);
  const stored = await texts(first);
  await first.stop();

  const securePort = Number(new URL(first.url).port);
  await using second = await startTestServer({
    ...options,
    clock: new ManualClock(),
    securePort,
    credentialsOf: first,
  });
  await writeFile(place('second'), second.kubeconfig);
  const again = await startRecorder({
    upstream: place('second'),
    kubeconfig: place('replayed'),
    file: place('2.jsonl'),
    bindAddress: '127.0.0.1',
    port: 0,
    onError: (error) => expect.unreachable(error.message),
  });
  const differences: string[] = [];
  const onDifference = (difference: string) => void differences.push(difference);
  const replayed = { file: place('1.jsonl'), kubeconfig: place('replayed'), timeoutMs: 60_000, onDifference };
  expect(await replay(replayed)).toEqual({ requests: 7, events: 3, differences: 0 });
  await again.stop();
  expect(differences).toEqual([]);
  expect(await texts(second)).toEqual(stored);
  expect(await readResponses(place('2.jsonl'))).toEqual(await readResponses(place('1.jsonl')));
});
