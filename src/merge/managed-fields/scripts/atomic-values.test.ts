import { describe, test } from 'vitest';
import { apply, patch, put, runScript, type Step } from '../conformance/script.conformance.ts';

/** Title, steps, and what of the object is looked at in the end. */
type Script = [string, Step[], Record<string, unknown>];

describe('ownership of atomic values', () => {
  test.each<Script>([
    [
      'a list is one value',
      [
        apply('a', { spec: { route: ['x', 'y'] } }, 'a: .spec.route'),
        apply('b', { spec: { route: ['x'] } }, 'conflict a: .spec.route'),
      ],
      { spec: { route: ['x', 'y'] } },
    ],
    [
      'an equal list is shared',
      [
        apply('a', { spec: { route: ['x', 'y'] } }, 'a: .spec.route'),
        apply('b', { spec: { route: ['x', 'y'] } }, 'b?: .spec.route; a: .spec.route'),
      ],
      { spec: { route: ['x', 'y'] } },
    ],
    [
      'another order is another value',
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
      'values twice are allowed in it',
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
      'a struct may be one value',
      [
        apply('a', { spec: { home: { land: 'l' } } }, 'a: .spec.home'),
        apply('b', { spec: { home: { town: 't' } } }, 'conflict a: .spec.home'),
      ],
      { spec: { home: { land: 'l' } } },
    ],
    [
      'such a struct is replaced',
      [
        apply('a', { spec: { home: { land: 'l' } } }, 'a: .spec.home'),
        apply('b', { spec: { home: { town: 't' } } }, 'b: .spec.home', { force: true }),
      ],
      { spec: { home: { town: 't' } } },
    ],
    [
      'a field may say otherwise',
      [
        apply('a', { spec: { port: { land: 'l' } } }, 'a: .spec.port.land'),
        apply('b', { spec: { port: { town: 't' } } }, 'a: .spec.port.land; b: .spec.port.town'),
      ],
      { spec: { port: { land: 'l', town: 't' } } },
    ],
    [
      'unknown fields inside are refused as well',
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
      'an updater who changes a part owns it',
      [
        apply('a', { spec: { home: { land: 'l', town: 't' } } }, 'a: .spec.home'),
        patch('u', { spec: { home: { town: 'u' } } }, 'u*: .spec.home'),
      ],
      { spec: { home: { land: 'l', town: 'u' } } },
    ],
    [
      'an updater who removes it',
      [
        apply('a', { spec: { route: ['x'], name: 'n' } }, 'a: .spec.name .spec.route'),
        patch('u', { spec: { route: null } }, 'a: .spec.name'),
      ],
      { spec: { route: undefined, name: 'n' } },
    ],
    [
      'what an element leaves unsaid does not count',
      [
        put('u', { spec: { log: [{ name: 'x' }] } }, 'u*: .spec.class .spec.log'),
        apply('a', { spec: { log: [{ name: 'x' }] } }, 'a?: .spec.log; u*: .spec.class .spec.log'),
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
