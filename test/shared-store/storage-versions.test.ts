import { describe, expect, it } from 'vitest';
import { TestApi } from '../wire/api.ts';
import { all, gates, serverIds } from './told-versions.ts';

describe('a server with the feature gate StorageVersionAPI', () => {
  it('reports the versions of every built-in resource that it stores', async () => {
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
      // Versions that are not served can still be decoded.
      expect(byName.get('networking.k8s.io.ipaddresses')?.storageVersions).toMatchObject([
        {
          servedVersions: ['networking.k8s.io/v1'],
          decodableVersions: expect.arrayContaining(['networking.k8s.io/v1beta1']),
        },
      ]);
      // This type is in two groups.
      expect(byName.get('core.events')?.storageVersions?.[0]?.decodableVersions).toEqual(['v1', 'events.k8s.io/v1']);
      expect(byName.has('events.k8s.io.events')).toBe(false);
      expect(byName.has('authorization.k8s.io.subjectaccessreviews')).toBe(false);
      expect((await api.get('/readyz/poststarthook/built-in-resources-storage-version-updater')).text).toBe('ok');
    } finally {
      await api.stop();
    }
  });

  it('needs the resource to be enabled', async () => {
    await expect(TestApi.start({ featureGates: gates.featureGates })).rejects.toThrow(
      new RangeError(
        'the feature gate StorageVersionAPI needs the runtime configuration internal.apiserver.k8s.io/v1alpha1=true',
      ),
    );
  });
});

it('without the feature gate, a server reports no versions', async () => {
  const api = await TestApi.start({ runtimeConfig: gates.runtimeConfig });
  try {
    expect(await all(api)).toEqual([]);
    expect(await serverIds(api)).toEqual([]);
  } finally {
    await api.stop();
  }
});
