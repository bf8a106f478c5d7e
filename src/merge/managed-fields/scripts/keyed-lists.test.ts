import { describe, test } from 'vitest';
import { apply, runScript, type Step } from '../conformance/script.conformance.ts';

/** Title, steps, and the expected part of the final object. */
type Script = [string, Step[], Record<string, unknown>];

describe('ownership of keyed lists', () => {
  test.each<Script>([
    [
      'elements are owned by key and by field',
      [
        apply(
          'a',
          { spec: { crew: [{ name: 'x', rank: '1' }] } },
          'a: .spec.crew[name="x"] .spec.crew[name="x"].name .spec.crew[name="x"].rank',
        ),
      ],
      { spec: { crew: [{ name: 'x', rank: '1', kit: {} }] } },
    ],
    [
      'two appliers of different elements',
      [
        apply('a', { spec: { crew: [{ name: 'x' }] } }, 'a: .spec.crew[name="x"] .spec.crew[name="x"].name'),
        apply(
          'b',
          { spec: { crew: [{ name: 'y' }] } },
          'a: .spec.crew[name="x"] .spec.crew[name="x"].name; b: .spec.crew[name="y"] .spec.crew[name="y"].name',
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
    [
      'two appliers of one element',
      [
        apply(
          'a',
          { spec: { crew: [{ name: 'x', rank: '1' }] } },
          'a: .spec.crew[name="x"] .spec.crew[name="x"].name .spec.crew[name="x"].rank',
        ),
        apply(
          'b',
          { spec: { crew: [{ name: 'x', tools: ['t'] }] } },
          'a: .spec.crew[name="x"] .spec.crew[name="x"].name .spec.crew[name="x"].rank; b: .spec.crew[name="x"] .spec.crew[name="x"].name .spec.crew[name="x"].tools',
        ),
      ],
      { spec: { crew: [{ name: 'x', rank: '1', tools: ['t'], kit: {} }] } },
    ],
    [
      'a conflict inside of an element',
      [
        apply(
          'a',
          { spec: { crew: [{ name: 'x', rank: '1' }] } },
          'a: .spec.crew[name="x"] .spec.crew[name="x"].name .spec.crew[name="x"].rank',
        ),
        apply('b', { spec: { crew: [{ name: 'x', rank: '2' }] } }, 'conflict a: .spec.crew[name="x"].rank'),
      ],
      { spec: { crew: [{ name: 'x', rank: '1', kit: {} }] } },
    ],
    [
      'an element is removed when it is given up',
      [
        apply(
          'a',
          { spec: { crew: [{ name: 'x' }, { name: 'y' }] } },
          'a: .spec.crew[name="x"] .spec.crew[name="x"].name .spec.crew[name="y"] .spec.crew[name="y"].name',
        ),
        apply('a', { spec: { crew: [{ name: 'y' }] } }, 'a: .spec.crew[name="y"] .spec.crew[name="y"].name'),
      ],
      { spec: { crew: [{ name: 'y', kit: {} }] } },
    ],
    [
      'an element with another owner is kept',
      [
        apply(
          'a',
          { spec: { crew: [{ name: 'x', rank: '1' }] } },
          'a: .spec.crew[name="x"] .spec.crew[name="x"].name .spec.crew[name="x"].rank',
        ),
        apply(
          'b',
          { spec: { crew: [{ name: 'x', tools: ['t'] }] } },
          'a: .spec.crew[name="x"] .spec.crew[name="x"].name .spec.crew[name="x"].rank; b: .spec.crew[name="x"] .spec.crew[name="x"].name .spec.crew[name="x"].tools',
        ),
        apply(
          'a',
          { spec: { crew: [] } },
          'b: .spec.crew[name="x"] .spec.crew[name="x"].name .spec.crew[name="x"].tools',
        ),
      ],
      { spec: { crew: [{ name: 'x', tools: ['t'], kit: {} }] } },
    ],
    [
      'a field of an element is given up',
      [
        apply(
          'a',
          { spec: { crew: [{ name: 'x', rank: '1', tools: ['t'] }] } },
          'a: .spec.crew[name="x"] .spec.crew[name="x"].name .spec.crew[name="x"].rank .spec.crew[name="x"].tools',
        ),
        apply(
          'a',
          { spec: { crew: [{ name: 'x', tools: ['t'] }] } },
          'a: .spec.crew[name="x"] .spec.crew[name="x"].name .spec.crew[name="x"].tools',
        ),
      ],
      { spec: { crew: [{ name: 'x', tools: ['t'], kit: {} }] } },
    ],
    [
      'a new element follows the elements of others',
      [
        apply(
          'a',
          { spec: { crew: [{ name: 'x' }, { name: 'y' }] } },
          'a: .spec.crew[name="x"] .spec.crew[name="x"].name .spec.crew[name="y"] .spec.crew[name="y"].name',
        ),
        apply(
          'b',
          { spec: { crew: [{ name: 'z' }] } },
          'a: .spec.crew[name="x"] .spec.crew[name="x"].name .spec.crew[name="y"] .spec.crew[name="y"].name; b: .spec.crew[name="z"] .spec.crew[name="z"].name',
        ),
      ],
      {
        spec: {
          crew: [
            { name: 'x', kit: {} },
            { name: 'y', kit: {} },
            { name: 'z', kit: {} },
          ],
        },
      },
    ],
    [
      'shared elements follow the order of the last applier',
      [
        apply(
          'a',
          { spec: { crew: [{ name: 'x' }, { name: 'y' }] } },
          'a: .spec.crew[name="x"] .spec.crew[name="x"].name .spec.crew[name="y"] .spec.crew[name="y"].name',
        ),
        apply(
          'b',
          { spec: { crew: [{ name: 'y' }, { name: 'x' }] } },
          'a: .spec.crew[name="x"] .spec.crew[name="x"].name .spec.crew[name="y"] .spec.crew[name="y"].name; b: .spec.crew[name="x"] .spec.crew[name="x"].name .spec.crew[name="y"] .spec.crew[name="y"].name',
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
      'new elements precede the next shared element',
      [
        apply(
          'a',
          { spec: { crew: [{ name: 'x' }, { name: 'y' }] } },
          'a: .spec.crew[name="x"] .spec.crew[name="x"].name .spec.crew[name="y"] .spec.crew[name="y"].name',
        ),
        apply(
          'b',
          { spec: { crew: [{ name: 'z' }, { name: 'y' }] } },
          'a: .spec.crew[name="x"] .spec.crew[name="x"].name .spec.crew[name="y"] .spec.crew[name="y"].name; b: .spec.crew[name="y"] .spec.crew[name="y"].name .spec.crew[name="z"] .spec.crew[name="z"].name',
        ),
      ],
      {
        spec: {
          crew: [
            { name: 'x', kit: {} },
            { name: 'z', kit: {} },
            { name: 'y', kit: {} },
          ],
        },
      },
    ],
    [
      'elements of others keep their places',
      [
        apply(
          'a',
          { spec: { crew: [{ name: 'x' }, { name: 'y' }, { name: 'z' }] } },
          'a: .spec.crew[name="x"] .spec.crew[name="x"].name .spec.crew[name="y"] .spec.crew[name="y"].name .spec.crew[name="z"] .spec.crew[name="z"].name',
        ),
        apply(
          'b',
          { spec: { crew: [{ name: 'z' }, { name: 'x' }] } },
          'a: .spec.crew[name="x"] .spec.crew[name="x"].name .spec.crew[name="y"] .spec.crew[name="y"].name .spec.crew[name="z"] .spec.crew[name="z"].name; b: .spec.crew[name="x"] .spec.crew[name="x"].name .spec.crew[name="z"] .spec.crew[name="z"].name',
        ),
      ],
      {
        spec: {
          crew: [
            { name: 'y', kit: {} },
            { name: 'z', kit: {} },
            { name: 'x', kit: {} },
          ],
        },
      },
    ],
    [
      'an empty list owns nothing',
      [
        apply('a', { spec: { crew: [] } }, ''),
        apply(
          'b',
          { spec: { crew: [{ name: 'x' }] } },
          'b: .spec.crew[name="x"] .spec.crew[name="x"].name; before-first-apply*: .spec.class',
        ),
      ],
      { spec: { crew: [{ name: 'x', kit: {} }] } },
    ],
    [
      'null instead of a list is owned',
      [
        apply('a', { spec: { crew: null } }, 'a: .spec.crew'),
        apply(
          'b',
          { spec: { crew: [{ name: 'x' }] } },
          'a: .spec.crew; b: .spec.crew[name="x"] .spec.crew[name="x"].name',
        ),
      ],
      { spec: { crew: [{ name: 'x', kit: {} }] } },
    ],
    [
      'lists in elements of lists',
      [
        apply(
          'a',
          { spec: { crew: [{ name: 'x', badges: [{ kind: 'k', value: '1' }] }] } },
          'a: .spec.crew[name="x"] .spec.crew[name="x"].badges[kind="k"] .spec.crew[name="x"].badges[kind="k"].kind .spec.crew[name="x"].badges[kind="k"].value .spec.crew[name="x"].name',
        ),
        apply(
          'b',
          { spec: { crew: [{ name: 'x', badges: [{ kind: 'l' }] }] } },
          'a: .spec.crew[name="x"] .spec.crew[name="x"].badges[kind="k"] .spec.crew[name="x"].badges[kind="k"].kind .spec.crew[name="x"].badges[kind="k"].value .spec.crew[name="x"].name; b: .spec.crew[name="x"] .spec.crew[name="x"].badges[kind="l"] .spec.crew[name="x"].badges[kind="l"].kind .spec.crew[name="x"].name',
        ),
      ],
      { spec: { crew: [{ name: 'x', badges: [{ kind: 'k', value: '1' }, { kind: 'l' }], kit: {} }] } },
    ],
    [
      'a conflict deep inside',
      [
        apply(
          'a',
          { spec: { crew: [{ name: 'x', badges: [{ kind: 'k', value: '1' }] }] } },
          'a: .spec.crew[name="x"] .spec.crew[name="x"].badges[kind="k"] .spec.crew[name="x"].badges[kind="k"].kind .spec.crew[name="x"].badges[kind="k"].value .spec.crew[name="x"].name',
        ),
        apply(
          'b',
          { spec: { crew: [{ name: 'x', badges: [{ kind: 'k', value: '2' }] }] } },
          'conflict a: .spec.crew[name="x"].badges[kind="k"].value',
        ),
      ],
      { spec: { crew: [{ name: 'x', badges: [{ kind: 'k', value: '1' }], kit: {} }] } },
    ],
    [
      'an inner element is given up',
      [
        apply(
          'a',
          { spec: { crew: [{ name: 'x', badges: [{ kind: 'k' }, { kind: 'l' }] }] } },
          'a: .spec.crew[name="x"] .spec.crew[name="x"].badges[kind="k"] .spec.crew[name="x"].badges[kind="k"].kind .spec.crew[name="x"].badges[kind="l"] .spec.crew[name="x"].badges[kind="l"].kind .spec.crew[name="x"].name',
        ),
        apply(
          'a',
          { spec: { crew: [{ name: 'x', badges: [{ kind: 'l' }] }] } },
          'a: .spec.crew[name="x"] .spec.crew[name="x"].badges[kind="l"] .spec.crew[name="x"].badges[kind="l"].kind .spec.crew[name="x"].name',
        ),
      ],
      { spec: { crew: [{ name: 'x', badges: [{ kind: 'l' }], kit: {} }] } },
    ],
    [
      'removing an outer element removes its inner elements',
      [
        apply(
          'a',
          { spec: { crew: [{ name: 'x', badges: [{ kind: 'k' }] }, { name: 'y' }] } },
          'a: .spec.crew[name="x"] .spec.crew[name="x"].badges[kind="k"] .spec.crew[name="x"].badges[kind="k"].kind .spec.crew[name="x"].name .spec.crew[name="y"] .spec.crew[name="y"].name',
        ),
        apply('a', { spec: { crew: [{ name: 'y' }] } }, 'a: .spec.crew[name="y"] .spec.crew[name="y"].name'),
      ],
      { spec: { crew: [{ name: 'y', kit: {} }] } },
    ],
    [
      'an inner element of another owner keeps the outer one',
      [
        apply(
          'a',
          { spec: { crew: [{ name: 'x', rank: '1' }] } },
          'a: .spec.crew[name="x"] .spec.crew[name="x"].name .spec.crew[name="x"].rank',
        ),
        apply(
          'b',
          { spec: { crew: [{ name: 'x', badges: [{ kind: 'k' }] }] } },
          'a: .spec.crew[name="x"] .spec.crew[name="x"].name .spec.crew[name="x"].rank; b: .spec.crew[name="x"] .spec.crew[name="x"].badges[kind="k"] .spec.crew[name="x"].badges[kind="k"].kind .spec.crew[name="x"].name',
        ),
        apply(
          'a',
          { spec: {} },
          'b: .spec.crew[name="x"] .spec.crew[name="x"].badges[kind="k"] .spec.crew[name="x"].badges[kind="k"].kind .spec.crew[name="x"].name; a: .spec',
        ),
      ],
      { spec: { crew: [{ name: 'x', badges: [{ kind: 'k' }], kit: {} }] } },
    ],
    [
      'fields without an owner are removed with their element',
      [
        apply('a', { spec: { crew: [{ name: 'x' }] } }, 'a: .spec.crew[name="x"] .spec.crew[name="x"].name'),
        apply('a', { spec: { crew: [{ name: 'y' }] } }, 'a: .spec.crew[name="y"] .spec.crew[name="y"].name'),
      ],
      { spec: { crew: [{ name: 'y', kit: {} }] } },
    ],
  ])('%s', (_title, steps, result) => {
    runScript(steps, result);
  });
});
