import { describe, test } from 'vitest';
import { apply, patch, put, runScript, type Step } from '../conformance/script.conformance.ts';

/** Title, steps, and the expected part of the final object. */
type Script = [string, Step[], Record<string, unknown>];

describe('ownership of atomic values', () => {
  test.each<Script>([
    [
      'an atomic list is one value',
      [
        apply('a', { spec: { route: ['x', 'y'] } }, 'a: .spec.route'),
        apply('b', { spec: { route: ['x'] } }, 'conflict a: .spec.route'),
      ],
      { spec: { route: ['x', 'y'] } },
    ],
    [
      'an equal list is co-owned',
      [
        apply('a', { spec: { route: ['x', 'y'] } }, 'a: .spec.route'),
        apply('b', { spec: { route: ['x', 'y'] } }, 'b?: .spec.route; a: .spec.route'),
      ],
      { spec: { route: ['x', 'y'] } },
    ],
    [
      'a different order is a different value',
      [
        apply('a', { spec: { route: ['x', 'y'] } }, 'a: .spec.route'),
        apply('b', { spec: { route: ['y', 'x'] } }, 'conflict a: .spec.route'),
      ],
      { spec: { route: ['x', 'y'] } },
    ],
    [
      'an empty list is a value',
      [
        apply('a', { spec: { route: ['x'] } }, 'a: .spec.route'),
        apply('b', { spec: { route: [] } }, 'b: .spec.route', { force: true }),
      ],
      { spec: { route: undefined } },
    ],
    [
      'a list without a rule is one value',
      [
        apply('a', { spec: { log: [{ name: 'x' }] } }, 'a: .spec.log'),
        apply('b', { spec: { log: [{ name: 'x' }, { name: 'y' }] } }, 'conflict a: .spec.log'),
      ],
      { spec: { log: [{ name: 'x', kit: {} }] } },
    ],
    [
      'an atomic list can have duplicates',
      [apply('a', { spec: { route: ['x', 'x'], log: [{ name: 'x' }, { name: 'x' }] } }, 'a: .spec.log .spec.route')],
      {
        spec: {
          route: ['x', 'x'],
          log: [
            { name: 'x', kit: {} },
            { name: 'x', kit: {} },
          ],
        },
      },
    ],
    [
      'a list is given up as a whole',
      [
        apply('a', { spec: { route: ['x', 'y'], name: 'n' } }, 'a: .spec.name .spec.route'),
        apply('a', { spec: { name: 'n' } }, 'a: .spec.name'),
      ],
      { spec: { route: undefined, name: 'n' } },
    ],
    [
      'a struct can be atomic',
      [
        apply('a', { spec: { home: { land: 'l' } } }, 'a: .spec.home'),
        apply('b', { spec: { home: { town: 't' } } }, 'conflict a: .spec.home'),
      ],
      { spec: { home: { land: 'l' } } },
    ],
    [
      'an atomic struct is replaced',
      [
        apply('a', { spec: { home: { land: 'l' } } }, 'a: .spec.home'),
        apply('b', { spec: { home: { town: 't' } } }, 'b: .spec.home', { force: true }),
      ],
      { spec: { home: { town: 't' } } },
    ],
    [
      'a field can override the atomicity of its type',
      [
        apply('a', { spec: { port: { land: 'l' } } }, 'a: .spec.port.land'),
        apply('b', { spec: { port: { town: 't' } } }, 'a: .spec.port.land; b: .spec.port.town'),
      ],
      { spec: { port: { land: 'l', town: 't' } } },
    ],
    [
      'unknown fields inside atomic values are rejected',
      [
        apply(
          'a',
          { spec: { home: { sea: 's' }, log: [{ name: 'x', age: 3 }] } },
          'error: errors:\n  .spec.home.sea: field not declared in schema\n  .spec.log[0].age: field not declared in schema',
        ),
      ],
      { spec: { home: undefined, log: undefined } },
    ],
    [
      'an updater that changes a part owns the whole value',
      [
        apply('a', { spec: { home: { land: 'l', town: 't' } } }, 'a: .spec.home'),
        patch('u', { spec: { home: { town: 'u' } } }, 'u*: .spec.home'),
      ],
      { spec: { home: { land: 'l', town: 'u' } } },
    ],
    [
      'an updater removes an atomic value',
      [
        apply('a', { spec: { route: ['x'], name: 'n' } }, 'a: .spec.name .spec.route'),
        patch('u', { spec: { route: null } }, 'a: .spec.name'),
      ],
      { spec: { route: undefined, name: 'n' } },
    ],
    [
      'an element without a field that is always written is another value',
      [
        put('u', { spec: { log: [{ name: 'x' }] } }, 'u*: .spec.class .spec.log'),
        apply('a', { spec: { log: [{ name: 'x' }] } }, 'conflict u*: .spec.log'),
        apply('b', { spec: { log: [{ name: 'x', kit: {} }] } }, 'b?: .spec.log; u*: .spec.class .spec.log'),
      ],
      { spec: { log: [{ name: 'x', kit: {} }] } },
    ],
    [
      'lists of values in elements of lists',
      [
        apply(
          'a',
          { spec: { crew: [{ name: 'x', tools: ['t'] }] } },
          'a: .spec.crew[name="x"] .spec.crew[name="x"].name .spec.crew[name="x"].tools',
        ),
        apply('b', { spec: { crew: [{ name: 'x', tools: ['u'] }] } }, 'conflict a: .spec.crew[name="x"].tools'),
      ],
      { spec: { crew: [{ name: 'x', tools: ['t'], kit: {} }] } },
    ],
  ])('%s', (_title, steps, result) => {
    runScript(steps, result);
  });
});
