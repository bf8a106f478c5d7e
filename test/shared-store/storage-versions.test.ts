import { describe, expect, it, vi } from 'vitest';
import type { StorageVersion } from '../../src/meta/storage-version.ts';
import { TestApi } from '../wire/api.ts';
import { type SharedServer, SharedStore, shortLeases } from './shared-store.ts';

const path = '/apis/internal.apiserver.k8s.io/v1alpha1/storageversions';
const leases = '/apis/coordination.k8s.io/v1/namespaces/kube-system/leases';
const gates = {
  featureGates: 'StorageVersionAPI=true',
  runtimeConfig: 'internal.apiserver.k8s.io/v1alpha1=true',
};

async function all(api: TestApi): Promise<StorageVersion[]> {
  return (await api.get(path)).body.items;
}

async function serverIds(api: TestApi): Promise<string[]> {
  const { body } = await api.get(`${leases}?labelSelector=apiserver.kubernetes.io/identity=kube-apiserver`);
  return body.items.map(({ metadata }: { metadata: { name: string } }) => metadata.name).toSorted();
}

const idsOf = ({ status }: StorageVersion): string[] =>
  (status?.storageVersions ?? []).map(({ apiServerID }) => apiServerID).toSorted();

describe('a server with the feature gate StorageVersionAPI', () => {
  it('tells the versions of every built-in resource that it stores', async () => {
    const api = await TestApi.start(gates);
    try {
      const [id] = await serverIds(api);
      const items = await all(api);
      const byName = new Map(items.map((item) => [item.metadata.name, item.status]));
      expect(byName.get('core.pods')).toEqual({
        storageVersions: [
          { apiServerID: id, encodingVersion: 'v1', decodableVersions: ['v1'], servedVersions: ['v1'] },
        ],
        commonEncodingVersion: 'v1',
        conditions: [
          {
            type: 'AllEncodingVersionsEqual',
            status: 'True',
            lastTransitionTime: expect.stringMatching(/Z$/),
            reason: 'CommonEncodingVersionSet',
            message: 'Common encoding version set',
          },
        ],
      });
      expect(byName.get('autoscaling.horizontalpodautoscalers')?.storageVersions).toEqual([
        {
          apiServerID: id,
          encodingVersion: 'autoscaling/v2',
          decodableVersions: ['autoscaling/v2', 'autoscaling/v1'],
          servedVersions: ['autoscaling/v2', 'autoscaling/v1'],
        },
      ]);
      // Versions that are not served can be read nevertheless.
      expect(byName.get('networking.k8s.io.ipaddresses')?.storageVersions).toMatchObject([
        {
          servedVersions: ['networking.k8s.io/v1'],
          decodableVersions: expect.arrayContaining(['networking.k8s.io/v1beta1']),
        },
      ]);
      // One type in two groups.
      expect(byName.get('core.events')?.storageVersions?.[0]?.decodableVersions).toEqual(['v1', 'events.k8s.io/v1']);
      expect(byName.has('events.k8s.io.events')).toBe(false);
      expect(byName.has('authorization.k8s.io.subjectaccessreviews')).toBe(false);
      expect((await api.get('/readyz/poststarthook/built-in-resources-storage-version-updater')).text).toBe('ok');
    } finally {
      await api.stop();
    }
  });

  it('needs the resource', async () => {
    await expect(TestApi.start({ featureGates: gates.featureGates })).rejects.toThrow(
      new RangeError(
        'the feature gate StorageVersionAPI needs the runtime configuration internal.apiserver.k8s.io/v1alpha1=true',
      ),
    );
  });
});

it('without the feature gate, a server tells nothing', async () => {
  const api = await TestApi.start({ runtimeConfig: gates.runtimeConfig });
  try {
    expect(await all(api)).toEqual([]);
    expect(await serverIds(api)).toEqual([]);
  } finally {
    await api.stop();
  }
});

describe('servers that share a store', () => {
  const collecting = { ...gates, controllers: ['storageversion-garbage-collector-controller'] };
  // Long enough for a busy machine. A server that is taken for dead comes back.
  const timings = { ...shortLeases, presence: { durationSeconds: 3, renewMs: 200 } };

  /** Resolves when every object lists exactly so many servers, and all of them have a Lease. */
  const listed = async ({ api }: SharedServer, count: number): Promise<void> => {
    await vi.waitFor(async () => {
      const ids = await serverIds(api);
      expect(ids).toHaveLength(count);
      const items = await all(api);
      expect(items.length).toBeGreaterThan(50);
      for (const item of items) expect([item.metadata.name, idsOf(item)]).toEqual([item.metadata.name, ids]);
    });
  };

  it('are all listed, and are removed when they stop or die', async () => {
    const store = SharedStore.inMemory();
    const servers = await store.startAll(3, () => ({ ...collecting, timings }));
    await listed(servers[0]!, 3);
    await servers[2]!.stop();
    await listed(servers[0]!, 2);
    servers[1]!.cutOff();
    await listed(servers[0]!, 1);
  });

  it('list themselves again after they were taken for dead', async () => {
    const store = SharedStore.inMemory();
    const servers = await store.startAll(2, () => ({ ...collecting, timings }));
    await listed(servers[0]!, 2);
    const resume = servers[1]!.stall();
    try {
      await listed(servers[0]!, 1);
    } finally {
      resume();
    }
    await listed(servers[0]!, 2);
  });

  it('remove what nobody tells any more', async () => {
    const store = SharedStore.inMemory();
    const { api } = await store.start({ ...collecting });
    const name = 'example.com.gadgets';
    const created = await api.post(path, { metadata: { name } });
    expect(created.status).toBe(200);
    const server = {
      apiServerID: 'apiserver-gone',
      encodingVersion: 'example.com/v1',
      decodableVersions: ['example.com/v1'],
    };
    const status = { storageVersions: [server], commonEncodingVersion: 'example.com/v1' };
    expect((await api.put(`${path}/${name}/status`, { ...created.body, status })).status).toBe(200);
    await vi.waitFor(async () => expect((await api.get(`${path}/${name}`)).status).toBe(404));
  });
});
