import { setImmediate } from 'node:timers/promises';
import { getHeapSpaceStatistics, setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { expect, it } from 'vitest';
import { serverUser } from '../../meta/user.ts';
import type { Verbs } from '../resource.ts';
import { builtInSet } from './built-in-set.conformance.ts';

const type = { group: 'apps', version: 'v1', resource: 'replicasets' };
const item = { namespace: 'default', name: 'a' };
const requests = 100;
/** What each request keeps as long as it is reachable. */
const elements = 8192;
const bytesOfAll = requests * elements * 8;

const manifest = {
  apiVersion: 'apps/v1',
  kind: 'ReplicaSet',
  metadata: item,
  spec: {
    selector: { matchLabels: { a: 'b' } },
    template: { metadata: { labels: { a: 'b' } }, spec: { containers: [{ name: 'a', image: 'a' }] } },
  },
};

type Write = (verbs: Pick<Verbs, 'patch' | 'apply'>, nth: number, warn: () => void) => Promise<unknown>;

const how = { ...item, user: serverUser, dryRun: false, fieldValidation: 'Strict', force: true } as const;
const merged =
  (body: (nth: number) => object): Write =>
  ({ patch }, nth, warn) =>
    patch!({ ...how, body: bytes(body(nth)), patchType: 'merge', fieldManager: 'patch', warn });
const applied =
  (body: (nth: number) => object): Write =>
  ({ apply }, nth, warn) =>
    apply!({
      ...how,
      body: bytes(body(nth)),
      encoding: 'yaml',
      fieldManager: 'apply',
      authorizeCreate: () => {},
      warn,
    });

it.each<{ title: string; subresource?: string; write: Write }>([
  { title: 'patch', write: merged((replicas) => ({ spec: { replicas } })) },
  { title: 'apply', write: applied((replicas) => ({ ...manifest, spec: { ...manifest.spec, replicas } })) },
  { title: 'patch of the scale', subresource: 'scale', write: merged((replicas) => ({ spec: { replicas } })) },
])('a finished $title is garbage that a collection of the young generation frees', async ({ subresource, write }) => {
  const { set, resource } = served();
  await set.create(type, manifest, { user: serverUser, fieldManager: 'creator' });
  const verbs = subresource === undefined ? resource.verbs : resource.subresources.get(subresource)!;
  const collect = minorCollection();
  const request = async (nth: number): Promise<void> => {
    const kept: number[] = new Array(elements).fill(nth);
    await write(verbs, nth, () => kept.push(nth));
  };
  await request(requests);
  const before = oldBytes();
  for (let nth = 0; nth < requests; nth += 1) {
    await request(nth);
    await setImmediate();
    // What survives twice is moved to the old generation.
    collect();
    collect();
  }
  expect(oldBytes() - before).toBeLessThan(bytesOfAll * 0.75);
});

function served() {
  const set = builtInSet();
  return { set, resource: set.find(type)! };
}

function bytes(value: object): Buffer {
  return Buffer.from(JSON.stringify(value));
}

function minorCollection(): () => void {
  setFlagsFromString('--expose-gc');
  const collect = runInNewContext('gc') as (options: object) => void;
  return () => collect({ type: 'minor' });
}

function oldBytes(): number {
  return getHeapSpaceStatistics().find(({ space_name }) => space_name === 'old_space')!.space_used_size;
}
