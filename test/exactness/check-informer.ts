import { type ApiObject, describeEvent, keyOf, sameObject } from './api-object.ts';
import type { Following } from './following.ts';
import type { History } from './history.ts';
import type { Informer } from './informer.ts';
import type { Chunk } from './listing.ts';
import { Violation } from './violation.ts';

/** Compares all responses that a client received with the history. */
export function checkInformer(informer: Informer, history: History): void {
  for (const following of informer.followings) {
    const last = following === informer.followings.at(-1);
    checkFollowing(informer, history, { following, upTo: last ? history.version : following.promised });
  }
  for (const chunk of informer.chunks) checkChunk(chunk, history, informer.name);
}

function checkFollowing(
  { name, selection }: Informer,
  history: History,
  { following, upTo }: { following: Following; upTo: number },
): void {
  const { start, initial, seen } = following;
  compareObjects(initial, history.items(selection, start), `${name}: initial state at ${start}`);
  const expected = history.events(selection, start, upTo);
  for (let index = 0; index < Math.max(seen.length, expected.length); index++) {
    const [one, other] = [seen[index], expected[index]];
    if (one !== undefined && other !== undefined && one.type === other.type && sameObject(one.object, other.object)) {
      continue;
    }
    const received = one === undefined ? 'nothing' : describeEvent(one);
    const wanted = other === undefined ? 'nothing' : describeEvent(other);
    throw new Violation(`${name}: ${received} came where ${wanted} should, after ${start}, up to ${upTo}`);
  }
}

/** Checks a chunk. With selectors it may be shorter than its limit, but it must not omit objects. */
export function checkChunk(
  { selection, version, after, items, more, remaining }: Chunk,
  history: History,
  name: string,
) {
  const left = history.items(selection, version).filter((object) => keyOf(object) > after);
  const what = `${name}: list at ${version} after "${after}"`;
  compareObjects(items, more ? left.slice(0, items.length) : left, what);
  if (remaining !== undefined && remaining !== left.length - items.length) {
    throw new Violation(`${what}: ${remaining} were to remain, but ${left.length - items.length} did`);
  }
}

export function compareObjects(received: readonly ApiObject[], expected: readonly ApiObject[], what: string): void {
  for (let index = 0; index < Math.max(received.length, expected.length); index++) {
    const [one, other] = [received[index], expected[index]];
    if (one !== undefined && other !== undefined && sameObject(one, other)) continue;
    throw new Violation(`${what}: ${describe(one)} was told where ${describe(other)} should be, item ${index}`);
  }
}

function describe(object: ApiObject | undefined): string {
  return object === undefined ? 'nothing' : `${keyOf(object)} at ${object.metadata.resourceVersion}`;
}
