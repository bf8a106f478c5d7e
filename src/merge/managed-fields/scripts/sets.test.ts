import { describe, test } from 'vitest';
import { apply, put, runScript, type Step } from '../conformance/script.conformance.ts';

/** Title, steps, and the expected part of the final object. */
type Script = [string, Step[], Record<string, unknown>];

describe('ownership of sets', () => {
  test.each<Script>([
    [
      'each value has its owner',
      [
        apply('a', { spec: { colours: ['red', 'blue'] } }, 'a: .spec.colours[="blue"] .spec.colours[="red"]'),
        apply(
          'b',
          { spec: { colours: ['green'] } },
          'a: .spec.colours[="blue"] .spec.colours[="red"]; b: .spec.colours[="green"]',
        ),
      ],
      { spec: { colours: ['red', 'blue', 'green'] } },
    ],
    [
      'the same value is shared',
      [
        apply('a', { spec: { colours: ['red'] } }, 'a: .spec.colours[="red"]'),
        apply(
          'b',
          { spec: { colours: ['red', 'blue'] } },
          'a: .spec.colours[="red"]; b: .spec.colours[="blue"] .spec.colours[="red"]',
        ),
      ],
      { spec: { colours: ['red', 'blue'] } },
    ],
    [
      'a value that is relinquished is removed',
      [
        apply('a', { spec: { colours: ['red', 'blue'] } }, 'a: .spec.colours[="blue"] .spec.colours[="red"]'),
        apply('a', { spec: { colours: ['blue'] } }, 'a: .spec.colours[="blue"]'),
      ],
      { spec: { colours: ['blue'] } },
    ],
    [
      'a shared value stays',
      [
        apply('a', { spec: { colours: ['red', 'blue'] } }, 'a: .spec.colours[="blue"] .spec.colours[="red"]'),
        apply(
          'b',
          { spec: { colours: ['red'] } },
          'b?: .spec.colours[="red"]; a: .spec.colours[="blue"] .spec.colours[="red"]',
        ),
        apply('a', { spec: { colours: ['blue'] } }, 'b?: .spec.colours[="red"]; a: .spec.colours[="blue"]'),
      ],
      { spec: { colours: ['red', 'blue'] } },
    ],
    [
      'a set becomes empty',
      [
        apply('a', { spec: { colours: ['red'] } }, 'a: .spec.colours[="red"]'),
        apply('a', { spec: { colours: [] } }, ''),
      ],
      { spec: { colours: undefined } },
    ],
    [
      'duplicate values are rejected',
      [apply('a', { spec: { colours: ['red', 'red'] } }, 'error: .spec.colours: duplicate entries for key [="red"]')],
      { spec: { colours: undefined } },
    ],
    [
      'objects and null are rejected',
      [
        apply(
          'a',
          { spec: { colours: [null], berths: [{}] } },
          "error: errors:\n  .spec.berths: element 0: associative list without keys has an element that's a map type\n  .spec.colours: element 0: associative list without keys has an element that's an explicit null",
        ),
      ],
      { spec: { colours: undefined, berths: undefined } },
    ],
    [
      'numbers are ordered as numbers',
      [apply('a', { spec: { berths: [10, 9, 100] } }, 'a: .spec.berths[=9] .spec.berths[=10] .spec.berths[=100]')],
      { spec: { berths: [10, 9, 100] } },
    ],
    [
      'the order is that of the last applier',
      [
        apply('a', { spec: { colours: ['red', 'blue'] } }, 'a: .spec.colours[="blue"] .spec.colours[="red"]'),
        apply(
          'b',
          { spec: { colours: ['blue', 'red'] } },
          'a: .spec.colours[="blue"] .spec.colours[="red"]; b: .spec.colours[="blue"] .spec.colours[="red"]',
        ),
      ],
      { spec: { colours: ['blue', 'red'] } },
    ],
    [
      'an updater adds a value',
      [
        apply('a', { spec: { colours: ['red'] } }, 'a: .spec.colours[="red"]'),
        put('u', { spec: { colours: ['red', 'blue'] } }, 'a: .spec.colours[="red"]; u*: .spec.colours[="blue"]'),
      ],
      { spec: { colours: ['red', 'blue'] } },
    ],
    [
      'an updater removes a value',
      [
        apply('a', { spec: { colours: ['red', 'blue'] } }, 'a: .spec.colours[="blue"] .spec.colours[="red"]'),
        put('u', { spec: { colours: ['blue'] } }, 'a: .spec.colours[="blue"]'),
      ],
      { spec: { colours: ['blue'] } },
    ],
    [
      'duplicates of an updater count as one value',
      [
        put('u', { spec: { colours: ['red', 'red'] } }, 'u*: .spec.class .spec.colours .spec.colours[="red"]'),
        apply(
          'a',
          { spec: { colours: ['blue'] } },
          'a: .spec.colours[="blue"]; u*: .spec.class .spec.colours .spec.colours[="red"]',
        ),
      ],
      { spec: { colours: ['red', 'red', 'blue'] } },
    ],
    [
      'finalizers',
      [
        apply('a', { metadata: { finalizers: ['x.io/a'] } }, 'a: .metadata.finalizers[="x.io/a"]'),
        apply(
          'b',
          { metadata: { finalizers: ['x.io/b'] } },
          'a: .metadata.finalizers[="x.io/a"]; b: .metadata.finalizers[="x.io/b"]',
        ),
        apply('a', { metadata: {} }, 'b: .metadata.finalizers[="x.io/b"]'),
      ],
      { metadata: { finalizers: ['x.io/b'] } },
    ],
  ])('%s', (_title, steps, result) => {
    runScript(steps, result);
  });
});
