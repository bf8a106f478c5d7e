import { expect, test } from 'vitest';
import { fieldErrorText } from '../meta/field-error.ts';
import type { ResourceObject } from '../meta/object.ts';
import { validateScaleSpec, validateScaleStatus } from './custom-scale.ts';

const paths = {
  specReplicasPath: '.spec.replicas',
  statusReplicasPath: '.status.replicas',
  labelSelectorPath: '.status.selector',
};

test.each<[string, object, readonly string[]]>([
  ['no replicas', { spec: {} }, []],
  ['no spec', {}, []],
  ['a spec that is null', { spec: null }, []],
  ['replicas', { spec: { replicas: 3 }, status: { replicas: 2, selector: 'a=b' } }, []],
  [
    'a negative number',
    { spec: { replicas: -1 } },
    ['.spec.replicas: Invalid value: -1: should be a non-negative integer'],
  ],
  [
    'a number beyond 32 bits',
    { status: { replicas: 9223372036854775807n } },
    ['.status.replicas: Invalid value: 9223372036854775807: should be less than or equal to 2147483647'],
  ],
  [
    'a text',
    { spec: { replicas: 'seven' } },
    ['.spec.replicas: Invalid value: 0: .spec.replicas accessor error: seven is of the type string, expected int64'],
  ],
  [
    'a fraction',
    { spec: { replicas: 1.5 } },
    ['.spec.replicas: Invalid value: 0: .spec.replicas accessor error: 1.5 is of the type float64, expected int64'],
  ],
  [
    'null',
    { spec: { replicas: null } },
    ['.spec.replicas: Invalid value: 0: .spec.replicas accessor error: <nil> is of the type <nil>, expected int64'],
  ],
  [
    'a map',
    { spec: { replicas: { b: [1, 'x'], a: true } } },
    [
      '.spec.replicas: Invalid value: 0: .spec.replicas accessor error: ' +
        'map[a:true b:[1 x]] is of the type map[string]interface {}, expected int64',
    ],
  ],
  [
    'a list around the field',
    { spec: [1] },
    [
      '.spec.replicas: Invalid value: 0: .spec.replicas accessor error: ' +
        '[1] is of the type []interface {}, expected map[string]interface{}',
    ],
  ],
  [
    'a selector that is not a text',
    { status: { selector: true } },
    ['.status.selector: Invalid value: "": .status.selector accessor error: true is of the type bool, expected string'],
  ],
])('checks the fields of a scale: %s', (_name, fields, errors) => {
  const object = { metadata: {}, ...fields } as ResourceObject;
  const found = [...validateScaleSpec(object, paths), ...validateScaleStatus(object, paths)];
  expect(found.map(fieldErrorText)).toEqual(errors);
});
