import { createSecretKey } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { fetchedEtcds } from '../../scripts/test-clients/etcd.ts';
import { Encryption } from '../../src/encryption/index.ts';
import { aesGcm } from '../../src/encryption/providers/aes-gcm.ts';
import { kubernetesLayout } from '../../src/kubernetes-layout/index.ts';
import { silentLogger } from '../../src/meta/logger.ts';
import { openEtcdStorage } from '../../src/storage/etcd/open-etcd-storage.ts';
import { TransformedStorage } from '../../src/storage/index.ts';
import { EtcdCluster } from '../etcd/etcd-cluster.ts';

const program = fetchedEtcds().at(-1);
const key = '/registry/secrets/default/a';
const secret = createSecretKey(Buffer.alloc(32, 'k'));
const secrets = { group: '', resource: 'secrets' };
const rules = [{ resources: [secrets], providers: [{ type: 'aesgcm', keys: [{ name: 'one', secret }] }] }] as const;
const object = (text: string): Buffer => {
  const metadata = { name: 'a', namespace: 'default', uid: 'u-1', creationTimestamp: '2026-01-01T00:00:00Z' };
  const data = { password: Buffer.from(text).toString('base64') };
  return Buffer.from(JSON.stringify({ kind: 'Secret', apiVersion: 'v1', metadata, data, type: 'Opaque' }));
};

describe.skipIf(program === undefined)('stores that share an etcd', () => {
  let cluster: EtcdCluster;
  beforeAll(async () => {
    cluster = await EtcdCluster.start({ program: program! });
  });
  afterAll(() => cluster.stop());

  it('share encrypted objects, in the layout of kube-apiserver', async () => {
    const prefix = '/elsewhere';
    const open = async () => {
      const behind = await openEtcdStorage({ endpoints: cluster.endpoints, prefix });
      onTestFinished(() => behind.close());
      const { signal } = new AbortController();
      const options = {
        types: new Map([['secrets', secrets]]),
        root: prefix,
        log: silentLogger,
        onReadable() {},
        signal,
      };
      const encrypted = new TransformedStorage(behind, await Encryption.open(rules, options));
      return { behind, storage: new TransformedStorage(encrypted, kubernetesLayout()) };
    };
    const [one, other] = await Promise.all([open(), open()]);
    const seen: (string | undefined)[] = [];
    await other.storage.watch({
      prefix: '/registry/secrets/',
      after: await other.storage.latestRevision(),
      onEvents: (events) => void seen.push(...events.map(({ value }) => value?.toString())),
      onError: (error) => void seen.push(error.message),
      signal: new AbortController().signal,
    });
    const first = await one.storage.commit({ key, expected: 0, value: object('first') });
    expect(first.committed).toBe(true);
    expect(JSON.parse((await other.storage.get(key))!.value.toString())).toEqual(
      JSON.parse(object('first').toString()),
    );
    const stale = await other.storage.commit({ key, expected: 0, value: object('second') });
    expect(stale).toMatchObject({ committed: false, current: { modRevision: first.committed && first.revision } });
    await expect.poll(() => seen.map((text) => JSON.parse(text!))).toEqual([JSON.parse(object('first').toString())]);

    const { value } = (await one.behind.get(key))!;
    const head = 'k8s:enc:aesgcm:v1:one:';
    expect(value.toString('latin1', 0, head.length)).toBe(head);
    const opened = await aesGcm(secret).open(value.subarray(head.length), `${prefix}/secrets/default/a`);
    expect(opened.value.toString('latin1', 0, 4)).toBe('k8s\0');
  });
});
