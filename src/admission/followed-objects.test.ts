import { describe, expect, it } from 'vitest';
import type { ResourceObject } from '../meta/object.ts';
import type { ObjectFollower } from '../meta/object-follower.ts';
import { FollowedObjects } from './followed-objects.ts';

const object = (name: string, value: string): ResourceObject => ({ metadata: { name }, value });

async function followed() {
  let follower: ObjectFollower | undefined;
  const objects = new FollowedObjects({ group: '', version: 'v1', resource: 'things' }, ({ value }) => {
    if (value === 'bad') throw new TypeError('bad');
    return value;
  });
  await objects.follow(
    {
      get: () => undefined,
      list: () => [],
      follow: async (_type, given) => {
        follower = given;
        given.onReset();
        given.onPut(object('b', 'B'));
        given.onPut(object('a', 'A'));
        given.onSynced?.();
      },
    },
    { onError: () => {}, signal: new AbortController().signal },
  );
  return { objects, follower: follower! };
}

describe('followed objects', () => {
  it('are in the order of their names', async () => {
    const { objects } = await followed();
    expect(objects.values).toEqual(['A', 'B']);
    expect(objects.get('b')).toBe('B');
  });

  it('change with each event, and so does the generation', async () => {
    const { objects, follower } = await followed();
    const { generation } = objects;
    follower.onPut(object('a', 'A2'));
    expect(objects.values).toEqual(['A2', 'B']);
    expect(objects.generation).toBeGreaterThan(generation);
    follower.onRemove(object('b', 'B'));
    expect(objects.values).toEqual(['A2']);
  });

  it('stay in force while they are reported again', async () => {
    const { objects, follower } = await followed();
    follower.onReset();
    follower.onPut(object('c', 'C'));
    expect(objects.values).toEqual(['A', 'B']);
    follower.onSynced!();
    expect(objects.values).toEqual(['C']);
  });

  it('are left out when they cannot be compiled', async () => {
    const { objects, follower } = await followed();
    const { generation } = objects;
    expect(objects.values).toEqual(['A', 'B']);
    expect(() => follower.onPut(object('a', 'bad'))).toThrow('bad');
    expect(objects.get('a')).toBeUndefined();
    expect(objects.values).toEqual(['B']);
    expect(objects.generation).toBeGreaterThan(generation);
  });
});
