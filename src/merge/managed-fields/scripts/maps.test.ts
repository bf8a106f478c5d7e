import { describe, test } from 'vitest';
import { apply, patch, runScript, type Step } from '../conformance/script.conformance.ts';

/** Title, steps, and the expected part of the final object. */
type Script = [string, Step[], Record<string, unknown>];

describe('ownership of maps', () => {
  test.each<Script>([
    [
      'each key has its owner',
      [
        apply('a', { spec: { flags: { x: '1' } } }, 'a: .spec.flags.x'),
        apply('b', { spec: { flags: { y: '2' } } }, 'a: .spec.flags.x; b: .spec.flags.y'),
      ],
      { spec: { flags: { x: '1', y: '2' } } },
    ],
    [
      'a different value of a key is a conflict',
      [
        apply('a', { spec: { flags: { x: '1' } } }, 'a: .spec.flags.x'),
        apply('b', { spec: { flags: { x: '2', y: '2' } } }, 'conflict a: .spec.flags.x'),
      ],
      { spec: { flags: { x: '1' } } },
    ],
    [
      'a key that is relinquished is removed',
      [
        apply('a', { spec: { flags: { x: '1', y: '1' } } }, 'a: .spec.flags.x .spec.flags.y'),
        apply('a', { spec: { flags: { y: '1' } } }, 'a: .spec.flags.y'),
      ],
      { spec: { flags: { y: '1' } } },
    ],
    [
      'removing the last key removes the map',
      [
        apply('a', { spec: { flags: { x: '1' } } }, 'a: .spec.flags.x'),
        apply('a', { spec: { name: 'n' } }, 'a: .spec.name'),
      ],
      { spec: { flags: undefined, name: 'n' } },
    ],
    [
      'a map with keys of others is kept',
      [
        apply('a', { spec: { flags: { x: '1' } } }, 'a: .spec.flags.x'),
        apply('b', { spec: { flags: { y: '1' } } }, 'a: .spec.flags.x; b: .spec.flags.y'),
        apply('a', { spec: {} }, 'b: .spec.flags.y; a: .spec'),
      ],
      { spec: { flags: { y: '1' } } },
    ],
    [
      'an empty map is owned',
      [
        apply('a', { spec: { flags: {} } }, 'a: .spec.flags'),
        apply('b', { spec: { flags: { x: '1' } } }, 'conflict a: .spec.flags'),
      ],
      { spec: { flags: undefined } },
    ],
    [
      'from keys to the empty map',
      [
        apply('a', { spec: { flags: { x: '1' } } }, 'a: .spec.flags.x'),
        apply('a', { spec: { flags: {} } }, 'a: .spec.flags'),
      ],
      { spec: { flags: undefined } },
    ],
    [
      'null instead of a map keeps the keys of others',
      [
        apply('a', { spec: { flags: { x: '1' } } }, 'a: .spec.flags.x'),
        apply('b', { spec: { flags: null } }, 'b?: .spec.flags; a: .spec.flags.x'),
      ],
      { spec: { flags: { x: '1' } } },
    ],
    [
      'null for a key',
      [apply('a', { spec: { flags: { x: null } } }, 'a: .spec.flags.x')],
      { spec: { flags: { x: '' } } },
    ],
    [
      'keys that look like paths',
      [
        apply(
          'a',
          { spec: { flags: { 'a.b/c': '1', 'k:{"x"}': '2', '': '3' } } },
          'a: .spec.flags. .spec.flags.a.b/c .spec.flags.k:{"x"}',
        ),
      ],
      { spec: { flags: { '': '3', 'a.b/c': '1', 'k:{"x"}': '2' } } },
    ],
    [
      'keys that are names of inherited members',
      [
        apply(
          'a',
          { spec: { flags: { constructor: '1', toString: '2' } } },
          'a: .spec.flags.constructor .spec.flags.toString',
        ),
        apply('b', { spec: { flags: { constructor: '2' } } }, 'conflict a: .spec.flags.constructor'),
      ],
      { spec: { flags: { constructor: '1', toString: '2' } } },
    ],
    [
      'a map of structs is owned by its fields and its keys',
      [
        apply('a', { spec: { crates: { c: { goods: 'tea' } } } }, 'a: .spec.crates.c .spec.crates.c.goods'),
        apply(
          'b',
          { spec: { crates: { c: { count: 2 } } } },
          'a: .spec.crates.c .spec.crates.c.goods; b: .spec.crates.c .spec.crates.c.count',
        ),
      ],
      { spec: { crates: { c: { goods: 'tea', count: 2 } } } },
    ],
    [
      'an entry with another owner of its key is kept',
      [
        apply('a', { spec: { crates: { c: { goods: 'tea' } } } }, 'a: .spec.crates.c .spec.crates.c.goods'),
        apply(
          'b',
          { spec: { crates: { c: { count: 2 } } } },
          'a: .spec.crates.c .spec.crates.c.goods; b: .spec.crates.c .spec.crates.c.count',
        ),
        apply('a', { spec: {} }, 'b: .spec.crates.c .spec.crates.c.count; a: .spec'),
      ],
      { spec: { crates: { c: { count: 2 } } } },
    ],
    [
      'an entry is removed with its last owner',
      [
        apply(
          'a',
          { spec: { crates: { c: { goods: 'tea' }, d: { count: 1 } } } },
          'a: .spec.crates.c .spec.crates.c.goods .spec.crates.d .spec.crates.d.count',
        ),
        apply('a', { spec: { crates: { d: { count: 1 } } } }, 'a: .spec.crates.d .spec.crates.d.count'),
      ],
      { spec: { crates: { d: { count: 1 } } } },
    ],
    [
      'an empty entry',
      [apply('a', { spec: { crates: { c: {} } } }, 'a: .spec.crates.c')],
      { spec: { crates: { c: {} } } },
    ],
    [
      'labels and annotations',
      [
        apply(
          'a',
          { metadata: { labels: { x: '1' }, annotations: { y: '1' } } },
          'a: .metadata.annotations.y .metadata.labels.x',
        ),
        apply('b', { metadata: { labels: { x: '2' } } }, 'conflict a: .metadata.labels.x'),
      ],
      { metadata: { labels: { x: '1' }, annotations: { y: '1' } } },
    ],
    [
      'labels are given up like other keys',
      [
        apply('a', { metadata: { labels: { x: '1', y: '1' } } }, 'a: .metadata.labels.x .metadata.labels.y'),
        apply('a', { metadata: { labels: { y: '1' } } }, 'a: .metadata.labels.y'),
      ],
      { metadata: { labels: { y: '1' } } },
    ],
    [
      'an atomic map is one value',
      [
        apply('a', { spec: { stamps: { x: '1' } } }, 'a: .spec.stamps'),
        apply('b', { spec: { stamps: { y: '1' } } }, 'conflict a: .spec.stamps'),
      ],
      { spec: { stamps: { x: '1' } } },
    ],
    [
      'an atomic map is replaced',
      [
        apply('a', { spec: { stamps: { x: '1' } } }, 'a: .spec.stamps'),
        apply('b', { spec: { stamps: { y: '1' } } }, 'b: .spec.stamps', { force: true }),
      ],
      { spec: { stamps: { y: '1' } } },
    ],
    [
      'an equal atomic map is co-owned',
      [
        apply('a', { spec: { stamps: { x: '1', y: '2' } } }, 'a: .spec.stamps'),
        apply('b', { spec: { stamps: { y: '2', x: '1' } } }, 'b?: .spec.stamps; a: .spec.stamps'),
      ],
      { spec: { stamps: { x: '1', y: '2' } } },
    ],
    [
      'an atomic map is given up as a whole',
      [
        apply('a', { spec: { stamps: { x: '1', y: '2' } } }, 'a: .spec.stamps'),
        apply('a', { spec: { name: 'n' } }, 'a: .spec.name'),
      ],
      { spec: { stamps: undefined, name: 'n' } },
    ],
    [
      'an updater changes one key of an atomic map and owns all of it',
      [
        apply('a', { spec: { stamps: { x: '1', y: '2' } } }, 'a: .spec.stamps'),
        patch('u', { spec: { stamps: { x: '2' } } }, 'u*: .spec.stamps'),
      ],
      { spec: { stamps: { x: '2', y: '2' } } },
    ],
    [
      'quantities are compared by amount',
      [
        apply('a', { spec: { limits: { cpu: '1', mem: '1Gi' } } }, 'a: .spec.limits.cpu .spec.limits.mem'),
        apply(
          'b',
          { spec: { limits: { cpu: '1000m', mem: '1024Mi' } } },
          'b?: .spec.limits.cpu .spec.limits.mem; a: .spec.limits.cpu .spec.limits.mem',
        ),
      ],
      { spec: { limits: { cpu: '1', mem: '1Gi' } } },
    ],
    [
      'a different amount is a conflict',
      [
        apply('a', { spec: { limits: { cpu: '1' } } }, 'a: .spec.limits.cpu'),
        apply('b', { spec: { limits: { cpu: '1001m' } } }, 'conflict a: .spec.limits.cpu'),
      ],
      { spec: { limits: { cpu: '1' } } },
    ],
    [
      'a quantity can be a number',
      [
        apply('a', { spec: { limits: { cpu: 1 } } }, 'a: .spec.limits.cpu'),
        apply('b', { spec: { limits: { cpu: '1' } } }, 'b?: .spec.limits.cpu; a: .spec.limits.cpu'),
      ],
      { spec: { limits: { cpu: '1' } } },
    ],
  ])('%s', (_title, steps, result) => {
    runScript(steps, result);
  });
});
