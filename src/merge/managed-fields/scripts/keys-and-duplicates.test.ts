import { describe, test } from 'vitest';
import { apply, put, runScript, type Step } from '../conformance/script.conformance.ts';

/** Title, steps, and the expected part of the final object. */
type Script = [string, Step[], Record<string, unknown>];

describe('ownership of keys and duplicates', () => {
  test.each<Script>([
    [
      'an omitted key has its default',
      [
        apply(
          'a',
          { spec: { hatches: [{ number: 1 }] } },
          'a: .spec.hatches[number=1,side="port"] .spec.hatches[number=1,side="port"].number',
        ),
        apply(
          'b',
          { spec: { hatches: [{ number: 1, side: 'port', label: 'l' }] } },
          'a: .spec.hatches[number=1,side="port"] .spec.hatches[number=1,side="port"].number; b: .spec.hatches[number=1,side="port"] .spec.hatches[number=1,side="port"].label .spec.hatches[number=1,side="port"].number .spec.hatches[number=1,side="port"].side',
        ),
      ],
      { spec: { hatches: [{ number: 1, side: 'port', label: 'l' }] } },
    ],
    [
      'a different key is a different element',
      [
        apply(
          'a',
          { spec: { hatches: [{ number: 1, label: 'a' }] } },
          'a: .spec.hatches[number=1,side="port"] .spec.hatches[number=1,side="port"].label .spec.hatches[number=1,side="port"].number',
        ),
        apply(
          'b',
          { spec: { hatches: [{ number: 1, side: 'lee', label: 'b' }] } },
          'a: .spec.hatches[number=1,side="port"] .spec.hatches[number=1,side="port"].label .spec.hatches[number=1,side="port"].number; b: .spec.hatches[number=1,side="lee"] .spec.hatches[number=1,side="lee"].label .spec.hatches[number=1,side="lee"].number .spec.hatches[number=1,side="lee"].side',
        ),
      ],
      {
        spec: {
          hatches: [
            { number: 1, side: 'port', label: 'a' },
            { number: 1, side: 'lee', label: 'b' },
          ],
        },
      },
    ],
    [
      'a conflict in an element with a default key',
      [
        apply(
          'a',
          { spec: { hatches: [{ number: 1, label: 'a' }] } },
          'a: .spec.hatches[number=1,side="port"] .spec.hatches[number=1,side="port"].label .spec.hatches[number=1,side="port"].number',
        ),
        apply(
          'b',
          { spec: { hatches: [{ number: 1, side: 'port', label: 'b' }] } },
          'conflict a: .spec.hatches[number=1,side="port"].label',
        ),
      ],
      { spec: { hatches: [{ number: 1, side: 'port', label: 'a' }] } },
    ],
    [
      'numeric keys are ordered as numbers, not as text',
      [
        apply(
          'a',
          { spec: { hatches: [{ number: 10 }, { number: 9 }, { number: 100 }] } },
          'a: .spec.hatches[number=9,side="port"] .spec.hatches[number=9,side="port"].number .spec.hatches[number=10,side="port"] .spec.hatches[number=10,side="port"].number .spec.hatches[number=100,side="port"] .spec.hatches[number=100,side="port"].number',
        ),
      ],
      {
        spec: {
          hatches: [
            { number: 10, side: 'port' },
            { number: 9, side: 'port' },
            { number: 100, side: 'port' },
          ],
        },
      },
    ],
    [
      'specifying the default key owns it',
      [
        apply(
          'a',
          { spec: { hatches: [{ number: 1 }] } },
          'a: .spec.hatches[number=1,side="port"] .spec.hatches[number=1,side="port"].number',
        ),
        apply(
          'a',
          { spec: { hatches: [{ number: 1, side: 'port' }] } },
          'a: .spec.hatches[number=1,side="port"] .spec.hatches[number=1,side="port"].number .spec.hatches[number=1,side="port"].side',
        ),
      ],
      { spec: { hatches: [{ number: 1, side: 'port' }] } },
    ],
    [
      'duplicate elements are rejected',
      [
        apply(
          'a',
          { spec: { crew: [{ name: 'x' }, { name: 'x' }] } },
          'error: .spec.crew: duplicate entries for key [name="x"]',
        ),
      ],
      { spec: { crew: undefined } },
    ],
    [
      'an explicit and a default key can be duplicates',
      [
        apply(
          'a',
          { spec: { hatches: [{ number: 1 }, { number: 1, side: 'port' }] } },
          'error: .spec.hatches: duplicate entries for key [number=1,side="port"]',
        ),
      ],
      { spec: { hatches: undefined } },
    ],
    [
      'an element without a key has the empty key',
      [apply('a', { spec: { crew: [{ rank: '1' }] } }, 'a: .spec.crew[name=""] .spec.crew[name=""].rank')],
      { spec: { crew: [{ name: '', rank: '1', kit: {} }] } },
    ],
    [
      'elements that are not objects are rejected',
      [
        apply(
          'a',
          { spec: { crew: ['x'] } },
          'error: .spec.crew: element 0: associative list with keys may not have non-map elements',
        ),
      ],
      { spec: { crew: undefined } },
    ],
    [
      'null elements are rejected',
      [
        apply(
          'a',
          { spec: { crew: [null] } },
          'error: .spec.crew: element 0: associative list with keys may not have a null element',
        ),
      ],
      { spec: { crew: undefined } },
    ],
    [
      'existing duplicates stay when other elements are applied',
      [
        put(
          'u',
          {
            spec: {
              crew: [
                { name: 'x', rank: '1' },
                { name: 'x', rank: '2' },
              ],
            },
          },
          'u*: .spec.class .spec.crew[name="x"]',
        ),
        apply(
          'a',
          { spec: { crew: [{ name: 'y' }] } },
          'a: .spec.crew[name="y"] .spec.crew[name="y"].name; u*: .spec.class .spec.crew[name="x"]',
        ),
      ],
      {
        spec: {
          crew: [
            { name: 'x', rank: '1', kit: {} },
            { name: 'x', rank: '2', kit: {} },
            { name: 'y', kit: {} },
          ],
        },
      },
    ],
    [
      'existing duplicates are replaced by the applied element',
      [
        put(
          'u',
          {
            spec: {
              crew: [
                { name: 'x', rank: '1' },
                { name: 'x', rank: '2' },
              ],
            },
          },
          'u*: .spec.class .spec.crew[name="x"]',
        ),
        apply('a', { spec: { crew: [{ name: 'x', rank: '3' }] } }, 'conflict u*: .spec.crew[name="x"]'),
        apply(
          'a',
          { spec: { crew: [{ name: 'x', rank: '3' }] } },
          'a: .spec.crew[name="x"] .spec.crew[name="x"].name .spec.crew[name="x"].rank; u*: .spec.class',
          { force: true },
        ),
      ],
      { spec: { crew: [{ name: 'x', rank: '3', kit: {} }] } },
    ],
    [
      'an updater adds a duplicate',
      [
        apply(
          'a',
          { spec: { crew: [{ name: 'x', rank: '1' }] } },
          'a: .spec.crew[name="x"] .spec.crew[name="x"].name .spec.crew[name="x"].rank',
        ),
        put(
          'u',
          {
            spec: {
              crew: [
                { name: 'x', rank: '1' },
                { name: 'x', rank: '2' },
              ],
            },
          },
          'u*: .spec.crew[name="x"]',
        ),
      ],
      {
        spec: {
          crew: [
            { name: 'x', rank: '1', kit: {} },
            { name: 'x', rank: '2', kit: {} },
          ],
        },
      },
    ],
    [
      'an updater removes a duplicate',
      [
        put(
          'u',
          {
            spec: {
              crew: [
                { name: 'x', rank: '1' },
                { name: 'x', rank: '2' },
              ],
            },
          },
          'u*: .spec.class .spec.crew[name="x"]',
        ),
        put(
          'v',
          { spec: { crew: [{ name: 'x', rank: '1' }] } },
          'u*: .spec.class; v*: .spec.crew[name="x"] .spec.crew[name="x"].kit .spec.crew[name="x"].name .spec.crew[name="x"].rank',
        ),
      ],
      { spec: { crew: [{ name: 'x', rank: '1', kit: {} }] } },
    ],
    [
      'an updater changes one of the duplicates',
      [
        put(
          'u',
          {
            spec: {
              crew: [
                { name: 'x', rank: '1' },
                { name: 'x', rank: '2' },
              ],
            },
          },
          'u*: .spec.class .spec.crew[name="x"]',
        ),
        put(
          'v',
          {
            spec: {
              crew: [
                { name: 'x', rank: '1' },
                { name: 'x', rank: '3' },
              ],
            },
          },
          'u*: .spec.class; v*: .spec.crew[name="x"]',
        ),
      ],
      {
        spec: {
          crew: [
            { name: 'x', rank: '1', kit: {} },
            { name: 'x', rank: '3', kit: {} },
          ],
        },
      },
    ],
    [
      'owner references by uid are one value each',
      [
        apply(
          'a',
          { metadata: { ownerReferences: [{ apiVersion: 'v1', kind: 'K', name: 'n', uid: '1' }] } },
          'a: .metadata.ownerReferences[uid="1"]',
        ),
        apply(
          'b',
          { metadata: { ownerReferences: [{ apiVersion: 'v1', kind: 'K', name: 'm', uid: '1' }] } },
          'conflict a: .metadata.ownerReferences[uid="1"]',
        ),
        apply(
          'b',
          { metadata: { ownerReferences: [{ apiVersion: 'v1', kind: 'K', name: 'm', uid: '2' }] } },
          'a: .metadata.ownerReferences[uid="1"]; b: .metadata.ownerReferences[uid="2"]',
        ),
      ],
      {
        metadata: {
          ownerReferences: [
            { apiVersion: 'v1', kind: 'K', name: 'n', uid: '1' },
            { apiVersion: 'v1', kind: 'K', name: 'm', uid: '2' },
          ],
        },
      },
    ],
    [
      'structs in elements',
      [
        apply(
          'a',
          { spec: { crew: [{ name: 'x', kit: { boots: true } }] } },
          'a: .spec.crew[name="x"] .spec.crew[name="x"].kit.boots .spec.crew[name="x"].name',
        ),
        apply(
          'b',
          { spec: { crew: [{ name: 'x', kit: { coat: 'c' } }] } },
          'a: .spec.crew[name="x"] .spec.crew[name="x"].kit.boots .spec.crew[name="x"].name; b: .spec.crew[name="x"] .spec.crew[name="x"].kit.coat .spec.crew[name="x"].name',
        ),
        apply(
          'a',
          { spec: { crew: [{ name: 'x' }] } },
          'b: .spec.crew[name="x"] .spec.crew[name="x"].kit.coat .spec.crew[name="x"].name; a: .spec.crew[name="x"] .spec.crew[name="x"].name',
        ),
      ],
      { spec: { crew: [{ name: 'x', kit: { coat: 'c' } }] } },
    ],
    [
      'an updater that only reorders owns nothing',
      [
        apply(
          'a',
          { spec: { crew: [{ name: 'x' }, { name: 'y' }] } },
          'a: .spec.crew[name="x"] .spec.crew[name="x"].name .spec.crew[name="y"] .spec.crew[name="y"].name',
        ),
        put(
          'u',
          { spec: { crew: [{ name: 'y' }, { name: 'x' }] } },
          'a: .spec.crew[name="x"] .spec.crew[name="x"].name .spec.crew[name="y"] .spec.crew[name="y"].name',
        ),
      ],
      {
        spec: {
          crew: [
            { name: 'y', kit: {} },
            { name: 'x', kit: {} },
          ],
        },
      },
    ],
    [
      'an updater removes an element and its applier restores it',
      [
        apply(
          'a',
          { spec: { crew: [{ name: 'x' }, { name: 'y' }] } },
          'a: .spec.crew[name="x"] .spec.crew[name="x"].name .spec.crew[name="y"] .spec.crew[name="y"].name',
        ),
        put('u', { spec: { crew: [{ name: 'y' }] } }, 'a: .spec.crew[name="y"] .spec.crew[name="y"].name'),
        apply(
          'a',
          { spec: { crew: [{ name: 'x' }, { name: 'y' }] } },
          'a: .spec.crew[name="x"] .spec.crew[name="x"].name .spec.crew[name="y"] .spec.crew[name="y"].name',
        ),
      ],
      {
        spec: {
          crew: [
            { name: 'x', kit: {} },
            { name: 'y', kit: {} },
          ],
        },
      },
    ],
  ])('%s', (_title, steps, result) => {
    runScript(steps, result);
  });
});
