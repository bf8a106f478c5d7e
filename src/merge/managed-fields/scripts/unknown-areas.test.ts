import { describe, test } from 'vitest';
import { apply, patch, runScript, type Step } from '../conformance/script.conformance.ts';

/** Title, steps, and the expected part of the final object. */
type Script = [string, Step[], Record<string, unknown>];

describe('ownership of fields without a schema', () => {
  test.each<Script>([
    [
      'objects are merged',
      [
        apply('a', { spec: { cargo: { x: 1 } } }, 'a: .spec.cargo.x'),
        apply('b', { spec: { cargo: { y: 2 } } }, 'a: .spec.cargo.x; b: .spec.cargo.y'),
      ],
      { spec: { cargo: { x: 1, y: 2 } } },
    ],
    [
      'nested objects are owned key by key',
      [
        apply('a', { spec: { cargo: { x: { y: 1 } } } }, 'a: .spec.cargo.x .spec.cargo.x.y'),
        apply(
          'b',
          { spec: { cargo: { x: { z: 1 } } } },
          'a: .spec.cargo.x .spec.cargo.x.y; b: .spec.cargo.x .spec.cargo.x.z',
        ),
      ],
      { spec: { cargo: { x: { y: 1, z: 1 } } } },
    ],
    [
      'lists are one value',
      [
        apply('a', { spec: { cargo: { l: [1, 2] } } }, 'a: .spec.cargo.l'),
        apply('b', { spec: { cargo: { l: [1] } } }, 'conflict a: .spec.cargo.l'),
      ],
      { spec: { cargo: { l: [1, 2] } } },
    ],
    [
      'a value becomes an object',
      [
        apply('a', { spec: { cargo: { x: 1 } } }, 'a: .spec.cargo.x'),
        apply('b', { spec: { cargo: { x: { y: 1 } } } }, 'conflict a: .spec.cargo.x'),
        apply('b', { spec: { cargo: { x: { y: 1 } } } }, 'b: .spec.cargo.x .spec.cargo.x.y', { force: true }),
      ],
      { spec: { cargo: { x: { y: 1 } } } },
    ],
    [
      'an object becomes a value',
      [
        apply('a', { spec: { cargo: { x: { y: 1 } } } }, 'a: .spec.cargo.x .spec.cargo.x.y'),
        apply('b', { spec: { cargo: { x: 1 } } }, 'conflict a: .spec.cargo.x'),
        apply('b', { spec: { cargo: { x: 1 } } }, 'b: .spec.cargo.x', { force: true }),
      ],
      { spec: { cargo: { x: 1 } } },
    ],
    [
      'the whole field can be a scalar',
      [
        apply('a', { spec: { cargo: 5 } }, 'a: .spec.cargo'),
        apply('b', { spec: { cargo: 6 } }, 'conflict a: .spec.cargo'),
      ],
      { spec: { cargo: 5 } },
    ],
    [
      'a list becomes an object',
      [
        apply('a', { spec: { cargo: [1] } }, 'a: .spec.cargo'),
        apply('a', { spec: { cargo: { x: 1 } } }, 'a: .spec.cargo.x'),
      ],
      { spec: { cargo: { x: 1 } } },
    ],
    [
      'keys are given up',
      [
        apply('a', { spec: { cargo: { x: 1, y: { z: 1 } } } }, 'a: .spec.cargo.x .spec.cargo.y .spec.cargo.y.z'),
        apply('a', { spec: { cargo: { x: 1 } } }, 'a: .spec.cargo.x'),
      ],
      { spec: { cargo: { x: 1 } } },
    ],
    [
      'empty objects',
      [
        apply('a', { spec: { cargo: {} } }, 'a: .spec.cargo'),
        apply('b', { spec: { cargo: { x: {} } } }, 'a: .spec.cargo; b: .spec.cargo.x'),
      ],
      { spec: { cargo: { x: {} } } },
    ],
    [
      'an updater changes a field without a schema',
      [
        apply('a', { spec: { cargo: { x: { y: 1 }, l: [1] } } }, 'a: .spec.cargo.l .spec.cargo.x .spec.cargo.x.y'),
        patch(
          'u',
          { spec: { cargo: { x: { z: 2 }, l: [2] } } },
          'a: .spec.cargo.x .spec.cargo.x.y; u*: .spec.cargo.l .spec.cargo.x.z',
        ),
      ],
      { spec: { cargo: { l: [2], x: { y: 1, z: 2 } } } },
    ],
    [
      'an updater replaces an object by a value',
      [
        apply('a', { spec: { cargo: { x: { y: 1 } } } }, 'a: .spec.cargo.x .spec.cargo.x.y'),
        patch('u', { spec: { cargo: { x: 'text' } } }, 'u*: .spec.cargo.x'),
      ],
      { spec: { cargo: { x: 'text' } } },
    ],
    [
      'false is a value',
      [
        apply('a', { spec: { cargo: { x: false } } }, 'a: .spec.cargo.x'),
        apply('b', { spec: { cargo: { x: false } } }, 'b?: .spec.cargo.x; a: .spec.cargo.x'),
        apply('c', { spec: { cargo: { x: true } } }, 'conflict a: .spec.cargo.x; b: .spec.cargo.x'),
      ],
      { spec: { cargo: { x: false } } },
    ],
  ])('%s', (_title, steps, result) => {
    runScript(steps, result);
  });
});
