import { mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { KubeConfig } from '@kubernetes/client-node';
import { expect, it, onTestFinished } from 'vitest';
import { adminKubeconfig, writeKubeconfig } from './admin-kubeconfig.ts';

const options = { server: 'https://127.0.0.1:6443', caCert: 'the CA\n', cert: 'the certificate\n', key: 'the key\n' };
const decoded = (data: string | undefined): string => Buffer.from(data ?? '', 'base64').toString();

it('is accepted by a Kubernetes client', () => {
  const config = new KubeConfig();
  config.loadFromString(adminKubeconfig(options));
  expect(config.getCurrentContext()).toBe('keelson');
  const cluster = config.getCurrentCluster();
  const user = config.getCurrentUser();
  expect(cluster).toMatchObject({ name: 'keelson', server: options.server });
  expect(user?.name).toBe('keelson');
  expect([cluster?.caData, user?.certData, user?.keyData].map(decoded)).toEqual([
    options.caCert,
    options.cert,
    options.key,
  ]);
});

it('is readable only by its owner, also when it replaces a readable file', async () => {
  const directory = await mkdtemp(join(tmpdir(), 'keelson-kubeconfig-'));
  onTestFinished(() => rm(directory, { recursive: true }));
  const path = join(directory, 'admin.kubeconfig');
  await writeFile(path, 'old', { mode: 0o644 });
  await writeKubeconfig(path, adminKubeconfig(options));
  expect((await stat(path)).mode & 0o777).toBe(0o600);
  expect(await readFile(path, 'utf8')).toBe(adminKubeconfig(options));
  expect(await readdir(directory)).toEqual(['admin.kubeconfig']);
});

it('leaves no temporary file when the write fails', async () => {
  const directory = await mkdtemp(join(tmpdir(), 'keelson-kubeconfig-'));
  onTestFinished(() => rm(directory, { recursive: true }));
  await expect(writeKubeconfig(join(directory, 'missing', 'x'), 'text')).rejects.toThrow('ENOENT');
  expect(await readdir(directory)).toEqual([]);
});
