import { join } from 'node:path';
import { expect, it } from 'vitest';
import { fetchedEtcds } from '../../scripts/test-clients/etcd.ts';
import { makeAssets } from '../../src/envtest/index.ts';
import { commandScript } from '../bundles/bundles.ts';
import { ControlPlane } from '../envtest/control-plane.ts';
import { EtcdCluster } from '../etcd/etcd-cluster.ts';
import { runScenario } from '../exactness/scenario.ts';
import { seeds } from '../exactness/seeds.ts';
import { temporaryDirectory } from './temporary-directory.ts';

const [program] = fetchedEtcds();

it.skipIf(program === undefined)('the programs of envtest use a real etcd, if they are given one', async () => {
  const folder = join(await temporaryDirectory(), 'assets');
  const assets = await makeAssets({ folder, node: process.execPath, script: commandScript });
  const etcd = await EtcdCluster.start({ program: program! });
  const plane = new ControlPlane({ assets, etcdUrl: etcd.endpoints[0]!, flags: ['--threads=1'] });
  try {
    await plane.start();
    const api = await plane.api();
    await api.post('/api/v1/namespaces/default/configmaps', { metadata: { name: 'kept' }, data: { in: 'etcd' } });
    expect(await stored(etcd.endpoints[0]!, '/registry/configmaps/default/kept')).toContain('etcd');
    const subject = { api, mayRestart: false, versionsExpire: false, available: async () => {} };
    const [seed] = seeds(1);
    const counts = await runScenario({ seed: seed!, subject, rounds: 1, writers: 2, operations: 30, informers: 4 });
    expect(counts.changes).toBeGreaterThan(0);
    await api.stop();
    expect(await plane.apiServer.stop()).toBe(0);
  } finally {
    await plane.remove();
    await etcd.stop();
  }
});

/** Reads the value of a key directly from etcd. */
async function stored(endpoint: string, key: string): Promise<string> {
  const body = JSON.stringify({ key: Buffer.from(key).toString('base64') });
  const response = await fetch(`${endpoint}/v3/kv/range`, { method: 'POST', body });
  const { kvs = [] } = (await response.json()) as { kvs?: { value: string }[] };
  return Buffer.from(kvs[0]?.value ?? '', 'base64').toString('latin1');
}
