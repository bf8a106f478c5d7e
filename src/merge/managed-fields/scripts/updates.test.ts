import { describe, test } from 'vitest';
import { apply, patch, put, runScript, type Step } from '../conformance/script.conformance.ts';

/** Title, steps, and the expected part of the final object. */
type Script = [string, Step[], Record<string, unknown>];

describe('ownership after updates', () => {
  test.each<Script>([
    [
      'a create owns all its fields and the defaults',
      [put('u', { spec: { name: 'n' } }, 'u*: .spec.class .spec.name')],
      { spec: { name: 'n' } },
    ],
    [
      'new containers are owned',
      [
        put(
          'u',
          {
            spec: {
              flags: { x: '1' },
              crew: [{ name: 'x' }],
              engine: { power: '1' },
              hull: { planks: 1 },
              colours: ['red'],
            },
          },
          'u*: .spec.class .spec.colours .spec.colours[="red"] .spec.crew[name="x"] .spec.crew[name="x"].kit .spec.crew[name="x"].name .spec.engine .spec.engine.fuel .spec.engine.power .spec.flags .spec.flags.x .spec.hull.planks',
        ),
      ],
      {
        spec: {
          flags: { x: '1' },
          crew: [{ name: 'x', kit: {} }],
          engine: { power: '1', fuel: 'coal' },
          hull: { planks: 1 },
          colours: ['red'],
        },
      },
    ],
    [
      'an update without changes owns nothing',
      [apply('a', { spec: { name: 'n' } }, 'a: .spec.name'), patch('u', { spec: { name: 'n' } }, 'a: .spec.name')],
      { spec: { name: 'n' } },
    ],
    [
      'an update takes over the fields that it changes',
      [
        apply('a', { spec: { name: 'n', size: 1 } }, 'a: .spec.name .spec.size'),
        patch('u', { spec: { name: 'm' } }, 'a: .spec.size; u*: .spec.name'),
      ],
      { spec: { name: 'm', size: 1 } },
    ],
    [
      'an update never conflicts',
      [
        apply('a', { spec: { name: 'n' } }, 'a: .spec.name'),
        apply('b', { spec: { name: 'n' } }, 'b?: .spec.name; a: .spec.name'),
        patch('u', { spec: { name: 'm' } }, 'u*: .spec.name'),
      ],
      { spec: { name: 'm' } },
    ],
    [
      'a field that an update removes has no owner',
      [
        apply('a', { spec: { name: 'n', size: 1 } }, 'a: .spec.name .spec.size'),
        patch('u', { spec: { size: null } }, 'a: .spec.name'),
      ],
      { spec: { name: 'n', size: undefined } },
    ],
    [
      'an updater collects fields',
      [
        put('u', { spec: { name: 'n' } }, 'u*: .spec.class .spec.name'),
        patch('u', { spec: { size: 1 } }, 'u*: .spec.class .spec.name .spec.size'),
        patch('u', { spec: { name: 'm' } }, 'u*: .spec.class .spec.name .spec.size'),
      ],
      { spec: { name: 'm', size: 1 } },
    ],
    [
      'updaters take from each other',
      [
        put('u', { spec: { name: 'n' } }, 'u*: .spec.class .spec.name'),
        patch('v', { spec: { name: 'm' } }, 'u*: .spec.class; v*: .spec.name'),
      ],
      { spec: { name: 'm' } },
    ],
    [
      'an applier with the same name has a separate entry',
      [
        apply('a', { spec: { name: 'n' } }, 'a: .spec.name'),
        patch('a', { spec: { name: 'm' } }, 'a*: .spec.name'),
        apply('a', { spec: { name: 'n' } }, 'conflict a*: .spec.name'),
      ],
      { spec: { name: 'm' } },
    ],
    [
      'an applier becomes a co-owner of an updated field',
      [
        put('u', { spec: { name: 'n' } }, 'u*: .spec.class .spec.name'),
        apply('a', { spec: { name: 'n' } }, 'a?: .spec.name; u*: .spec.class .spec.name'),
      ],
      { spec: { name: 'n' } },
    ],
    [
      'an applier conflicts with an updater',
      [
        put('u', { spec: { name: 'n' } }, 'u*: .spec.class .spec.name'),
        apply('a', { spec: { name: 'm' } }, 'conflict u*: .spec.name'),
      ],
      { spec: { name: 'n' } },
    ],
    [
      'a field that an updater owns stays when the applier gives it up',
      [
        put('u', { spec: { name: 'n' } }, 'u*: .spec.class .spec.name'),
        apply('a', { spec: { name: 'n' } }, 'a?: .spec.name; u*: .spec.class .spec.name'),
        apply('a', { spec: {} }, 'a?: .spec; u*: .spec.class .spec.name'),
      ],
      { spec: { name: 'n' } },
    ],
    [
      'a field that an updater took over is not given up',
      [
        apply('a', { spec: { name: 'n', size: 1 } }, 'a: .spec.name .spec.size'),
        patch('u', { spec: { size: 2 } }, 'a: .spec.name; u*: .spec.size'),
        apply('a', { spec: { name: 'n' } }, 'a: .spec.name; u*: .spec.size'),
      ],
      { spec: { name: 'n', size: 2 } },
    ],
    [
      'a forced apply takes fields from an updater',
      [
        put('u', { spec: { name: 'n', size: 1 } }, 'u*: .spec.class .spec.name .spec.size'),
        apply('a', { spec: { name: 'm' } }, 'a: .spec.name; u*: .spec.class .spec.size', { force: true }),
      ],
      { spec: { name: 'm', size: 1 } },
    ],
    [
      'removing a map removes its keys from their owners',
      [
        apply('a', { spec: { flags: { x: '1', y: '1' } } }, 'a: .spec.flags.x .spec.flags.y'),
        patch('u', { spec: { flags: null } }, ''),
      ],
      { spec: { flags: undefined } },
    ],
    [
      'removing one key removes it from its owner',
      [
        apply('a', { spec: { flags: { x: '1', y: '1' } } }, 'a: .spec.flags.x .spec.flags.y'),
        patch('u', { spec: { flags: { x: null } } }, 'a: .spec.flags.y'),
      ],
      { spec: { flags: { y: '1' } } },
    ],
    [
      'adding a key to a map of another owner',
      [
        apply('a', { spec: { flags: { x: '1' } } }, 'a: .spec.flags.x'),
        patch('u', { spec: { flags: { y: '2' } } }, 'a: .spec.flags.x; u*: .spec.flags.y'),
      ],
      { spec: { flags: { x: '1', y: '2' } } },
    ],
    [
      'a struct added by an update',
      [
        apply('a', { spec: { name: 'n' } }, 'a: .spec.name'),
        patch(
          'u',
          { spec: { engine: { tank: 1 } } },
          'a: .spec.name; u*: .spec.engine .spec.engine.fuel .spec.engine.tank',
        ),
      ],
      { spec: { name: 'n', engine: { fuel: 'coal', tank: 1 } } },
    ],
    [
      'an applier adds a field to a struct added by an update',
      [
        apply('a', { spec: { name: 'n' } }, 'a: .spec.name'),
        patch(
          'u',
          { spec: { engine: { tank: 1 } } },
          'a: .spec.name; u*: .spec.engine .spec.engine.fuel .spec.engine.tank',
        ),
        apply('a', { spec: { name: 'n', engine: { fuel: 'oil' } } }, 'conflict u*: .spec.engine.fuel'),
        apply(
          'a',
          { spec: { name: 'n', engine: { fuel: 'oil' } } },
          'a: .spec.engine.fuel .spec.name; u*: .spec.engine .spec.engine.tank',
          { force: true },
        ),
      ],
      { spec: { name: 'n', engine: { fuel: 'oil', tank: 1 } } },
    ],
    [
      'an update of a quantity in another spelling',
      [
        apply('a', { spec: { limits: { cpu: '1' } } }, 'a: .spec.limits.cpu'),
        patch('u', { spec: { limits: { cpu: '1000m' } } }, 'a: .spec.limits.cpu'),
      ],
      { spec: { limits: { cpu: '1' } } },
    ],
    [
      'an update that replaces everything else',
      [
        apply('a', { spec: { name: 'n', flags: { x: '1' } } }, 'a: .spec.flags.x .spec.name'),
        put('u', { spec: { size: 1 } }, 'u*: .spec.size'),
      ],
      { spec: { name: undefined, flags: undefined, size: 1 } },
    ],
    [
      'labels set by an update',
      [
        apply('a', { metadata: { labels: { x: '1' } } }, 'a: .metadata.labels.x'),
        patch(
          'u',
          { metadata: { labels: { x: '2', y: '1' }, annotations: { z: '1' } } },
          'u*: .metadata.annotations .metadata.annotations.z .metadata.labels.x .metadata.labels.y',
        ),
      ],
      { metadata: { labels: { x: '2', y: '1' }, annotations: { z: '1' } } },
    ],
  ])('%s', (_title, steps, result) => {
    runScript(steps, result);
  });
});
