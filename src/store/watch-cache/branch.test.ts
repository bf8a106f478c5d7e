import { expect, it } from 'vitest';
import { RecentBytes } from '../../codec/recent-bytes.ts';
import { StoredObject } from '../stored-object.ts';
import { Branch } from './branch.ts';
import { Segment } from './segment.ts';
import type { TreeNode } from './tree-node.ts';

const encoded = new RecentBytes(0);
const small = Buffer.from('{"metadata":{"uid":"u"}}');
const large = Buffer.from(`{"metadata":{"uid":"u"},"filling":"${'x'.repeat(50_000)}"}`);
const huge = Buffer.from(`{"metadata":{"uid":"u"},"filling":"${'x'.repeat(500_000)}"}`);

function stored(key: string, value: Buffer = small): StoredObject {
  return StoredObject.fromValue({ key, value, revision: 1 });
}

function numbered(length: number): string[] {
  return Array.from({ length }, (_, index) => `/k/${String(index).padStart(6, '0')}`);
}

/** Shuffles deterministically, so that keys inserted one after the other are rarely adjacent. */
function scattered<T>(items: readonly T[]): T[] {
  const step = 7919;
  return items.map((_, index) => items[(index * step) % items.length]!);
}

function put(root: TreeNode | undefined, object: StoredObject): TreeNode {
  return Branch.rootOf(root === undefined ? Segment.allOf([object], encoded) : root.with(object))!;
}

function grown(keys: readonly string[], value?: Buffer): TreeNode | undefined {
  return keys.reduce<TreeNode | undefined>((root, key) => put(root, stored(key, value)), undefined);
}

function shrunk(root: TreeNode | undefined, keys: readonly string[]): TreeNode | undefined {
  return keys.reduce((node, key) => {
    const rest = node?.without(key);
    return Branch.rootOf(rest === undefined ? [] : [rest]);
  }, root);
}

interface Shape {
  readonly height: number;
  readonly segments: number;
  readonly keys: readonly string[];
}

/** Checks for every node that its fields agree with its contents. */
function shapeOf(node: TreeNode | undefined): Shape {
  if (node === undefined) return { height: 0, segments: 0, keys: [] };
  if (!(node instanceof Branch)) {
    const keys = (node as Segment).objects.map(({ key }) => key);
    expect(node).toMatchObject({ start: keys[0], size: keys.length });
    expect(keys.length).toBeLessThanOrEqual(64);
    return { height: 1, segments: 1, keys };
  }
  expect(node.children.length).toBeLessThanOrEqual(16);
  const below = node.children.map(shapeOf);
  const keys = below.flatMap((child) => child.keys);
  expect(node).toMatchObject({ start: keys[0], size: keys.length });
  expect(new Set(below.map(({ height }) => height)).size).toBe(1);
  return { height: below[0]!.height + 1, segments: below.reduce((sum, child) => sum + child.segments, 0), keys };
}

const many = numbered(5000);
const spaces = scattered(many).map((key, index) => `/k/${index % 20}/${key}`);

it.each<{ name: string; keys: readonly string[]; fill: number }>([
  { name: 'ascending', keys: many, fill: 0.98 },
  { name: 'descending', keys: many.toReversed(), fill: 0.5 },
  { name: 'in random order', keys: scattered(many), fill: 0.6 },
  { name: 'descending behind a full segment', keys: [...many.slice(0, 64), ...many.slice(64).toReversed()], fill: 0.6 },
  { name: 'ascending before others', keys: [...many.slice(-20), ...many.slice(0, -20)], fill: 0.98 },
  { name: 'ascending in each namespace', keys: many.map((key, index) => `/k/${index % 20}/${key}`), fill: 0.8 },
  { name: 'in random order in each namespace', keys: spaces, fill: 0.6 },
])('fills segments that grow $name', ({ keys, fill }) => {
  const shape = shapeOf(grown(keys));
  expect(shape.keys).toEqual(keys.toSorted());
  expect(shape.keys.length / shape.segments / 64).toBeGreaterThan(fill);
  expect(shape.height).toBeLessThanOrEqual(4);
});

it.each([
  { built: 0, height: 0 },
  { built: 1, height: 1 },
  { built: 56, height: 1 },
  { built: 57, height: 2 },
  { built: 56 * 16, height: 2 },
  { built: 56 * 16 + 1, height: 3 },
  { built: 56 * 14 * 16 + 1, height: 4 },
])('is built in bulk from $built objects', ({ built, height }) => {
  const keys = numbered(built);
  const segments = Segment.allOf(
    keys.map((key) => stored(key)),
    encoded,
  );
  expect(shapeOf(Branch.rootOf(segments))).toEqual({ height, segments: Math.ceil(built / 56), keys });
});

it.each<{ name: string; stays: (index: number) => boolean; height: number }>([
  { name: 'every 20th', stays: (index) => index % 20 === 0, height: 3 },
  { name: 'the first 50', stays: (index) => index < 50, height: 2 },
  { name: 'the last 50', stays: (index) => index >= 4950, height: 2 },
  { name: 'one', stays: (index) => index === 1234, height: 1 },
  { name: 'none', stays: () => false, height: 0 },
])('shrinks when $name of many objects remain', ({ stays, height }) => {
  const kept = many.filter((_, index) => stays(index));
  const gone = many.filter((_, index) => !stays(index));
  for (const order of [gone, gone.toReversed(), scattered(gone)]) {
    const shape = shapeOf(shrunk(grown(many), order));
    expect(shape.keys).toEqual(kept);
    expect(shape.height).toBeLessThanOrEqual(height);
    expect(shape.segments).toBeLessThanOrEqual(Math.ceil(kept.length / 24) + 1);
  }
});

it('keeps segments of large objects small, but not smaller than one object', () => {
  const keys = numbered(100);
  const inOrder = shapeOf(grown(keys, large));
  expect(inOrder).toMatchObject({ keys, segments: 20 });
  expect(shapeOf(grown(scattered(keys), large)).segments).toBeLessThan(40);
  expect(shapeOf(grown(scattered(keys), huge))).toMatchObject({ keys, segments: 100 });
});

it('splits a segment at a huge object, and merges the sides when it is deleted', () => {
  const keys = numbered(40);
  const root = put(grown(keys), stored(keys[20]!, huge));
  expect(shapeOf(root)).toMatchObject({ keys, segments: 3 });
  expect(shapeOf(shrunk(root, [keys[20]!]))).toMatchObject({ keys: keys.toSpliced(20, 1), segments: 1 });
});

it('splits the last segment of a full branch into several', () => {
  const keys = numbered(64 * 16);
  const root = grown(keys);
  expect(shapeOf(root)).toMatchObject({ height: 2, segments: 16 });
  expect(shapeOf(put(root, stored(keys[1000]!, huge)))).toMatchObject({ keys, height: 3, segments: 18 });
});
