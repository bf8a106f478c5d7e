import { spawn } from 'node:child_process';
import { mkdir, mkdtemp, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it, onTestFinished, vi } from 'vitest';
import { TestApi } from '../wire/api.ts';
import { directKubeconfig } from './extension-api.ts';

const root = join(import.meta.dirname, '..', '..');

it('the program in docs/extension.md runs with the published package', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'keelson-example-'));
  onTestFinished(() => rm(folder, { recursive: true }));
  const page = await readFile(join(root, 'docs', 'extension.md'), 'utf8');
  const program = /```ts\n(import [^`]*from 'keelson\/extension';[^`]*)```/.exec(page)![1]!;
  await writeFile(join(folder, 'program.mts'), program);
  await mkdir(join(folder, 'node_modules'));
  await symlink(root, join(folder, 'node_modules', 'keelson'));
  const cluster = await TestApi.start({ dataDir: join(folder, '.keelson') });
  onTestFinished(() => cluster.stop());

  const child = spawn(process.execPath, ['program.mts'], { cwd: folder, stdio: ['ignore', 'ignore', 'pipe'] });
  const ended = new Promise((resolve) => child.on('close', resolve));
  onTestFinished(async () => {
    child.kill();
    await ended;
  });
  let complaints = '';
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    complaints += text;
  });
  const spec = await vi.waitUntil(async () => {
    if (child.exitCode !== null) throw new Error(complaints);
    return (await cluster.get('/apis/apiregistration.k8s.io/v1/apiservices/v1.weather.example.com')).body.spec;
  });
  const server = { url: `https://127.0.0.1:${spec.service.port}`, ca: Buffer.from(spec.caBundle, 'base64').toString() };
  const api = new TestApi({ url: server.url, kubeconfig: directKubeconfig(cluster, server), stop: async () => {} });
  const { body } = await api.get('/apis/weather.example.com/v1/readings');
  expect(body.items).toMatchObject([{ kind: 'Reading', metadata: { name: 'kitchen' }, degrees: 21 }]);
  await api.stop();
});
