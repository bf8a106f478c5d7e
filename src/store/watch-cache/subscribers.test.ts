import { expect, it } from 'vitest';
import { CorruptObject } from '../corrupt-object.ts';
import type { ObjectIndex, ObjectScope } from '../object-scope.ts';
import { StoredObject } from '../stored-object.ts';
import { Subscribers } from './subscribers.ts';

const root = '/registry/pods/';
const nodes: ObjectIndex = { name: 'spec.nodeName', valueOf: (object) => String(object.parse().node ?? '') };
const onNode = (value: string) => ({ indexed: { index: nodes, value } });

function stored(name: string, node: string): StoredObject {
  const value = Buffer.from(JSON.stringify({ metadata: { uid: 'u' }, node }));
  return StoredObject.fromValue({ key: root + name, value, revision: 1 });
}

const scopes: Record<string, ObjectScope> = {
  all: { prefix: root },
  shop: { prefix: `${root}shop/` },
  sho: { prefix: `${root}sho/` },
  a: { prefix: `${root}shop/`, key: `${root}shop/a` },
  b: { prefix: `${root}shop/`, key: `${root}shop/b` },
  n1: { prefix: root, ...onNode('n1') },
  n2: { prefix: root, ...onNode('n2') },
  'n1 in sho': { prefix: `${root}sho/`, ...onNode('n1') },
  unassigned: { prefix: root, ...onNode('') },
};

function subscribed() {
  const notified: string[] = [];
  const subscribers = new Subscribers(root);
  const all = Object.entries(scopes).map(([name, scope]) => ({
    scope,
    onEvent: () => void notified.push(name),
    onError: (error: Error) => void notified.push(`${name} ${error.message}`),
  }));
  for (const subscriber of all) subscribers.add(subscriber);
  return { subscribers, all, notified };
}

it.each([
  ['a pod on a node', stored('shop/a', 'n1'), undefined, ['all', 'shop', 'a', 'n1']],
  ['a pod that gets a node', stored('shop/b', 'n1'), stored('shop/b', ''), ['all', 'shop', 'b', 'n1', 'unassigned']],
  ['a pod that stays', stored('shop/b', 'n2'), stored('shop/b', 'n2'), ['all', 'shop', 'b', 'n2']],
  ['a pod elsewhere', stored('sho/p', 'n1'), undefined, ['all', 'sho', 'n1', 'n1 in sho']],
  ['a pod that nobody knows', stored('other/p', 'n3'), undefined, ['all']],
])('delivers an event of %s once to each subscriber whose scope fits', (_what, object, previous, expected) => {
  const { subscribers, notified } = subscribed();
  subscribers.publish({ type: previous ? 'MODIFIED' : 'ADDED', object, previous });
  expect(notified).toEqual(expected);
});

it('does not call removed subscribers, even if removed during an event', () => {
  const { subscribers, all, notified } = subscribed();
  for (const subscriber of all.slice(1)) subscribers.delete(subscriber);
  const last = { ...all[1]!, onEvent: () => subscribers.delete(last) };
  subscribers.add(last);
  for (let time = 0; time < 2; time++) {
    subscribers.publish({ type: 'ADDED', object: stored('shop/a', 'n1'), previous: undefined });
  }
  expect(notified).toEqual(['all', 'all']);
});

it('reports a failure to every subscriber once', () => {
  const { subscribers, notified } = subscribed();
  subscribers.fail(new Error('broken'));
  subscribers.fail(new Error('again'));
  expect(notified.sort()).toEqual(
    Object.keys(scopes)
      .map((name) => `${name} broken`)
      .sort(),
  );
});

it('ends only the subscriber that throws', () => {
  const { subscribers, all, notified } = subscribed();
  for (const subscriber of all.slice(1)) subscribers.delete(subscriber);
  const onEvent = (): void => {
    throw new Error('cannot take it');
  };
  for (const scope of [scopes.shop!, scopes.n1!]) {
    subscribers.add({ scope, onEvent, onError: ({ message }) => void notified.push(message) });
  }
  for (let time = 0; time < 2; time++) {
    subscribers.publish({ type: 'ADDED', object: stored('shop/a', 'n1'), previous: undefined });
  }
  expect(notified).toEqual(['all', 'cannot take it', 'cannot take it', 'all']);
});

it('ends the subscribers whose scope may include a corrupt object', () => {
  const { subscribers, notified } = subscribed();
  const key = `${root}shop/a`;
  subscribers.failFor(new CorruptObject({ key, revision: 1, reason: 'damaged' }), new Error('unreadable'));
  expect(notified.sort()).toEqual(['a', 'all', 'n1', 'n2', 'shop', 'unassigned'].map((name) => `${name} unreadable`));
});
