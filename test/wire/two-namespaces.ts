import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { ServerOptions } from '../../src/index.ts';
import { TestApi } from './api.ts';

/** A text in all objects that are not in the namespace `a`. */
export const marker = 'for-no-other-eyes';

export interface TwoNamespaces {
  readonly api: TestApi;
  readonly stop: () => Promise<void>;
}

const rbac = '/apis/rbac.authorization.k8s.io/v1';
const apiGroup = 'rbac.authorization.k8s.io';

/**
 * Starts a server with secrets in the namespace `a` and in others, and with users who have tokens. `reader` may do
 * everything in `a` and nothing anywhere else. `prober` may only request the health of the server.
 */
export async function twoNamespaces(options: ServerOptions = {}): Promise<TwoNamespaces> {
  const directory = await mkdtemp(join(tmpdir(), 'keelson-namespaces-'));
  const tokenAuthFile = join(directory, 'tokens.csv');
  await writeFile(tokenAuthFile, 'reader,reader,1\nprober,prober,2\nnobody,nobody,3\n');
  const api = await TestApi.start({ tokenAuthFile, ...options });
  for (const namespace of ['a', 'b', 'ab', 'a.b']) {
    await api.post('/api/v1/namespaces', { metadata: { name: namespace } });
    const annotations = { seen: namespace === 'a' ? 'by the reader' : marker };
    for (const name of ['one', 'two', 'b']) {
      for (const resource of ['secrets', 'configmaps']) {
        await api.post(`/api/v1/namespaces/${namespace}/${resource}`, { metadata: { name, annotations } });
      }
    }
  }
  await api.post(`${rbac}/namespaces/a/roles`, {
    metadata: { name: 'everything' },
    rules: [{ verbs: ['*'], apiGroups: ['*'], resources: ['*'] }],
  });
  await api.post(`${rbac}/namespaces/a/rolebindings`, {
    metadata: { name: 'everything' },
    roleRef: { apiGroup, kind: 'Role', name: 'everything' },
    subjects: [{ kind: 'User', apiGroup, name: 'reader' }],
  });
  await api.post(`${rbac}/clusterroles`, {
    metadata: { name: 'probing' },
    rules: [{ verbs: ['*'], nonResourceURLs: ['/healthz*', '/livez/*'] }],
  });
  await api.post(`${rbac}/clusterrolebindings`, {
    metadata: { name: 'probing' },
    roleRef: { apiGroup, kind: 'ClusterRole', name: 'probing' },
    subjects: [{ kind: 'User', apiGroup, name: 'prober' }],
  });
  const stop = async (): Promise<void> => {
    await api.stop();
    await rm(directory, { recursive: true, force: true });
  };
  return { api, stop };
}
