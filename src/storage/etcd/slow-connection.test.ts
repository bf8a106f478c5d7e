import { expect, onTestFinished, test } from 'vitest';
import { newestEtcds } from '../../../scripts/test-clients/etcd.ts';
import { EtcdCluster } from '../../../test/etcd/etcd-cluster.ts';
import { Link } from '../../../test/etcd/link.ts';
import { put, Recorder } from '../conformance/fixture.conformance.ts';
import { openEtcdStorage } from './open-etcd-storage.ts';

const programs = newestEtcds();

test.skipIf(programs.length === 0).each(programs)(
  'watches go on, however slow etcd is ($suite suite)',
  async (program) => {
    const cluster = await EtcdCluster.start({ program });
    onTestFinished(() => cluster.stop());
    const link = await Link.to(cluster.endpoints[0]!);
    onTestFinished(() => link.close());
    const open = (endpoint: string) => openEtcdStorage({ endpoints: [endpoint], root: '', prefix: '/x' });
    const [direct, storage] = await Promise.all([open(cluster.endpoints[0]!), open(link.endpoint)]);
    onTestFinished(() => direct.close());
    onTestFinished(() => storage.close());
    await put(storage, '/a', { text: '1' });
    const recorder = await new Recorder().watch(storage, { prefix: '/', after: await storage.latestRevision() });
    // A response takes longer than the maximum silence of a healthy stream.
    link.slowDown(600);
    await put(direct, '/b', { text: '1' });
    await storage.latestRevision();
    await recorder.until(1);
    expect(recorder.events.map(({ key }) => key)).toEqual(['/b']);
    expect(recorder.errors).toEqual([]);
  },
);
