import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it, onTestFinished, vi } from 'vitest';
import type { ResourceObject } from '../meta/object.ts';
import { filesOnDisk } from './files/option-files.ts';
import { resolveOptions, type ServerOptions } from './options.ts';
import { serverKubelets } from './server-kubelets.ts';

const node = { metadata: { name: 'n' }, status: { addresses: [{ type: 'InternalIP', address: '192.0.2.1' }] } };

const kubeletsWith = (options: ServerOptions) => {
  const controller = new AbortController();
  onTestFinished(() => controller.abort());
  return serverKubelets({
    files: filesOnDisk,
    options: resolveOptions({ storage: 'memory', ...options }),
    objects: { get: () => node as unknown as ResourceObject, list: () => [] },
    signal: controller.signal,
  });
};

it('uses the options, and files as they are now', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'keelson-kubelets-'));
  onTestFinished(() => rm(folder, { recursive: true }));
  const [ca, cert, key] = ['ca', 'cert', 'key'].map((name) => join(folder, name));
  for (const file of [ca!, cert!, key!]) await writeFile(file, 'first');
  const kubelets = await kubeletsWith({
    kubeletCertificateAuthority: ca!,
    kubeletClientCertificate: cert!,
    kubeletClientKey: key!,
    kubeletPort: 7,
    kubeletTimeoutMs: 8,
  });
  const first = { ca: 'first', cert: 'first', key: 'first', rejectUnauthorized: true };
  expect(await kubelets.of('n')).toEqual({ host: '192.0.2.1', port: 7, connectTimeoutMs: 8, tls: first });
  await writeFile(ca!, 'a second one');
  await vi.waitUntil(async () => (await kubelets.of('n')).tls.ca === 'a second one', { interval: 20 });
});

it('needs the files that it is given', async () => {
  await expect(kubeletsWith({ kubeletCertificateAuthority: '/nowhere/ca' })).rejects.toThrow(
    /^kubelet-certificate-authority: ENOENT/,
  );
});
