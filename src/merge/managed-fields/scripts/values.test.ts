import { describe, test } from 'vitest';
import { apply, runScript, type Step } from '../conformance/script.conformance.ts';

/** Title, steps, and the expected part of the final object. */
type Script = [string, Step[], Record<string, unknown>];

describe('ownership of values', () => {
  test.each<Script>([
    [
      'a first apply owns its fields',
      [apply('a', { spec: { name: 'n', size: 1 } }, 'a: .spec.name .spec.size')],
      { spec: { name: 'n', size: 1 } },
    ],
    [
      'an apply of the same again changes nothing',
      [apply('a', { spec: { name: 'n' } }, 'a: .spec.name'), apply('a', { spec: { name: 'n' } }, 'a: .spec.name')],
      { spec: { name: 'n' } },
    ],
    [
      'an applier changes its own value',
      [apply('a', { spec: { name: 'n' } }, 'a: .spec.name'), apply('a', { spec: { name: 'm' } }, 'a: .spec.name')],
      { spec: { name: 'm' } },
    ],
    [
      'an applier adds fields',
      [
        apply('a', { spec: { name: 'n' } }, 'a: .spec.name'),
        apply('a', { spec: { name: 'n', size: 2 } }, 'a: .spec.name .spec.size'),
      ],
      { spec: { name: 'n', size: 2 } },
    ],
    [
      'two appliers of different fields',
      [
        apply('a', { spec: { name: 'n' } }, 'a: .spec.name'),
        apply('b', { spec: { size: 2 } }, 'a: .spec.name; b: .spec.size'),
      ],
      { spec: { name: 'n', size: 2 } },
    ],
    [
      'a different value is a conflict',
      [
        apply('a', { spec: { name: 'n' } }, 'a: .spec.name'),
        apply('b', { spec: { name: 'm' } }, 'conflict a: .spec.name'),
      ],
      { spec: { name: 'n' } },
    ],
    [
      'an equal value is co-owned',
      [
        apply('a', { spec: { name: 'n' } }, 'a: .spec.name'),
        apply('b', { spec: { name: 'n' } }, 'b?: .spec.name; a: .spec.name'),
      ],
      { spec: { name: 'n' } },
    ],
    [
      'a shared value cannot be changed by one of its owners',
      [
        apply('a', { spec: { name: 'n' } }, 'a: .spec.name'),
        apply('b', { spec: { name: 'n' } }, 'b?: .spec.name; a: .spec.name'),
        apply('a', { spec: { name: 'm' } }, 'conflict b: .spec.name'),
      ],
      { spec: { name: 'n' } },
    ],
    [
      'a co-owned value stays when one owner gives it up',
      [
        apply('a', { spec: { name: 'n', size: 1 } }, 'a: .spec.name .spec.size'),
        apply('b', { spec: { name: 'n' } }, 'b?: .spec.name; a: .spec.name .spec.size'),
        apply('a', { spec: { size: 1 } }, 'b?: .spec.name; a: .spec.size'),
      ],
      { spec: { name: 'n', size: 1 } },
    ],
    [
      'a value is removed when its last owner gives it up',
      [
        apply('a', { spec: { name: 'n' } }, 'a: .spec.name'),
        apply('b', { spec: { name: 'n' } }, 'b?: .spec.name; a: .spec.name'),
        apply('a', { spec: {} }, 'b?: .spec.name; a: .spec'),
        apply('b', { spec: {} }, 'a: .spec; b: .spec'),
      ],
      { spec: { name: undefined } },
    ],
    [
      'a field that is relinquished returns to its default',
      [apply('a', { spec: { class: 'brig' } }, 'a: .spec.class'), apply('a', { spec: { name: 'n' } }, 'a: .spec.name')],
      { spec: { class: 'sloop', name: 'n' } },
    ],
    [
      'nobody owns a default',
      [
        apply('a', { spec: { name: 'n' } }, 'a: .spec.name'),
        apply('b', { spec: { class: 'brig' } }, 'a: .spec.name; b: .spec.class'),
      ],
      { spec: { name: 'n', class: 'brig' } },
    ],
    [
      'applying the default value owns it',
      [
        apply('a', { spec: { class: 'sloop' } }, 'a: .spec.class'),
        apply('b', { spec: { class: 'brig' } }, 'conflict a: .spec.class'),
      ],
      { spec: { class: 'sloop' } },
    ],
    [
      'null is owned but is not a value',
      [
        apply('a', { spec: { size: 3 } }, 'a: .spec.size'),
        apply('b', { spec: { name: 'n' } }, 'a: .spec.size; b: .spec.name'),
        apply('a', { spec: { size: null } }, 'b: .spec.name; a: .spec.size'),
      ],
      { spec: { size: undefined, name: 'n' } },
    ],
    [
      'zero of an optional number is a value',
      [apply('a', { spec: { size: 0 } }, 'a: .spec.size'), apply('b', { spec: { size: 1 } }, 'conflict a: .spec.size')],
      { spec: { size: 0 } },
    ],
    [
      'a zero that is not written counts as new',
      [
        apply('a', { spec: { hull: { planks: 0, paint: 'red' } } }, 'a: .spec.hull.paint .spec.hull.planks'),
        apply('b', { spec: { hull: { planks: 0 } } }, 'conflict a: .spec.hull.planks'),
      ],
      { spec: { hull: { paint: 'red' } } },
    ],
    ['an empty configuration owns nothing', [apply('a', {}, '')], {}],
    ['an empty spec is owned', [apply('a', { spec: {} }, 'a: .spec')], {}],
    [
      'an applier that owns nothing has no entry',
      [apply('a', { spec: { name: 'n' } }, 'a: .spec.name'), apply('a', {}, '')],
      { spec: { name: undefined } },
    ],
    [
      'conflicts with two owners',
      [
        apply('a', { spec: { name: 'n', size: 1 } }, 'a: .spec.name .spec.size'),
        apply('b', { spec: { name: 'n' } }, 'b?: .spec.name; a: .spec.name .spec.size'),
        apply('c', { spec: { name: 'm', size: 2 } }, 'conflict a: .spec.name .spec.size; b: .spec.name'),
      ],
      { spec: { name: 'n', size: 1 } },
    ],
    [
      'force takes over from all owners',
      [
        apply('a', { spec: { name: 'n', size: 1 } }, 'a: .spec.name .spec.size'),
        apply('b', { spec: { name: 'n' } }, 'b?: .spec.name; a: .spec.name .spec.size'),
        apply('c', { spec: { name: 'm', size: 2 } }, 'c: .spec.name .spec.size', { force: true }),
      ],
      { spec: { name: 'm', size: 2 } },
    ],
    [
      'force does not take over unchanged fields',
      [
        apply('a', { spec: { name: 'n', size: 1 } }, 'a: .spec.name .spec.size'),
        apply('b', { spec: { name: 'n', size: 2 } }, 'a: .spec.name; b: .spec.name .spec.size', { force: true }),
      ],
      { spec: { name: 'n', size: 2 } },
    ],
    [
      'an applier that lost a field by force gets a conflict',
      [
        apply('a', { spec: { name: 'n' } }, 'a: .spec.name'),
        apply('b', { spec: { name: 'm' } }, 'b: .spec.name', { force: true }),
        apply('a', { spec: { name: 'n' } }, 'conflict b: .spec.name'),
      ],
      { spec: { name: 'm' } },
    ],
    [
      'metadata that the server sets has no owner',
      [apply('a', { metadata: { labels: { l: '1' }, uid: 'u' } }, 'a: .metadata.labels.l')],
      { metadata: { labels: { l: '1' } } },
    ],
    [
      'an empty struct is owned',
      [apply('a', { spec: { engine: {} } }, 'a: .spec.engine')],
      { spec: { engine: { fuel: 'coal' } } },
    ],
    [
      'a struct with fields is not owned itself',
      [
        apply('a', { spec: { engine: { fuel: 'oil' } } }, 'a: .spec.engine.fuel'),
        apply('b', { spec: { engine: { tank: 3 } } }, 'a: .spec.engine.fuel; b: .spec.engine.tank'),
      ],
      { spec: { engine: { fuel: 'oil', tank: 3 } } },
    ],
    [
      'removing the last field of a struct removes the struct and its defaults',
      [
        apply('a', { spec: { engine: { power: '1' } } }, 'a: .spec.engine.power'),
        apply('a', { spec: { name: 'n' } }, 'a: .spec.name'),
      ],
      { spec: { engine: undefined, name: 'n' } },
    ],
    [
      'a struct with fields of others is kept',
      [
        apply('a', { spec: { engine: { power: '1' } } }, 'a: .spec.engine.power'),
        apply('b', { spec: { engine: { tank: 1 } } }, 'a: .spec.engine.power; b: .spec.engine.tank'),
        apply('a', { spec: { name: 'n' } }, 'b: .spec.engine.tank; a: .spec.name'),
      ],
      { spec: { engine: { fuel: 'coal', tank: 1 }, name: 'n' } },
    ],
    [
      'a number can also be a string',
      [
        apply('a', { spec: { engine: { tank: 5 } } }, 'a: .spec.engine.tank'),
        apply('b', { spec: { engine: { tank: '5%' } } }, 'conflict a: .spec.engine.tank'),
        apply('b', { spec: { engine: { tank: '5%' } } }, 'b: .spec.engine.tank', { force: true }),
      ],
      { spec: { engine: { fuel: 'coal', tank: '5%' } } },
    ],
    [
      'unknown fields are rejected',
      [apply('a', { spec: { sail: 1 } }, 'error: .spec.sail: field not declared in schema')],
      { spec: { sail: undefined } },
    ],
    [
      'wrong types are rejected',
      [
        apply(
          'a',
          { spec: { name: 5, size: 'x', flags: 'y', crew: {} } },
          'error: errors:\n  .spec.crew: expected list, got &{map[]}\n  .spec.flags: expected map, got &{y}\n  .spec.name: expected string, got &value.valueUnstructured{Value:5}\n  .spec.size: expected numeric (int or float), got string',
        ),
      ],
      { spec: { name: undefined, size: undefined, flags: undefined, crew: undefined } },
    ],
  ])('%s', (_title, steps, result) => {
    runScript(steps, result);
  });
});
