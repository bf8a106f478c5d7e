import { describe, expect, it } from 'vitest';
import { type FieldError, fieldErrorText } from '../../meta/field-error.ts';
import type { ResourceObject } from '../../meta/object.ts';
import {
  validateLocalSubjectAccessReview,
  validateSelfSubjectAccessReview,
  validateSubjectAccessReview,
} from './access-review-validation.ts';

const resourceAttributes = { verb: 'get', resource: 'pods' };
const nonResourceAttributes = { path: '/x' };
const owned = { managedFields: [{ manager: 'm' }] };

type Validate = (review: ResourceObject) => FieldError[];

function texts(validate: Validate, spec: object | undefined, metadata: object = {}): string[] {
  return validate({ metadata: { ...metadata, ...owned }, spec }).map(fieldErrorText);
}

const oneKind =
  'spec.resourceAttributes: Invalid value: null: exactly one of nonResourceAttributes or resourceAttributes must be specified';
const noSubject = 'spec.user: Invalid value: "": at least one of user or group must be specified';
const bothKinds =
  'spec.nonResourceAttributes: Invalid value: {"Path":"/x","Verb":""}: cannot be specified in combination with resourceAttributes';

describe('a review of what a subject may do', () => {
  it.each<[string, object | undefined, string[]]>([
    ['a user', { user: 'u', resourceAttributes }, []],
    ['a group', { groups: ['g'], nonResourceAttributes }, []],
    ['no spec', undefined, [oneKind, noSubject]],
    ['both kinds', { user: 'u', resourceAttributes, nonResourceAttributes }, [bothKinds]],
  ])('is checked: %s', (_what, spec, expected) => {
    expect(texts(validateSubjectAccessReview, spec)).toEqual(expected);
  });

  it('may not have metadata', () => {
    expect(texts(validateSubjectAccessReview, { user: 'u', resourceAttributes }, { name: 'n' })).toEqual([
      'metadata: Invalid value: {"name":"n","managedFields":[{"manager":"m"}]}: must be empty',
    ]);
  });
});

describe('a review of what the caller may do', () => {
  it.each<[string, object | undefined, string[]]>([
    ['a path', { nonResourceAttributes }, []],
    ['no spec', undefined, [oneKind]],
    ['both kinds', { resourceAttributes, nonResourceAttributes }, [bothKinds]],
  ])('is checked: %s', (_what, spec, expected) => {
    expect(texts(validateSelfSubjectAccessReview, spec)).toEqual(expected);
  });
});

describe('a review in a namespace', () => {
  const inNamespace = { ...resourceAttributes, namespace: 'n' };

  it.each<[string, object, object, string[]]>([
    ['its namespace', { user: 'u', resourceAttributes: inNamespace }, {}, []],
    [
      'no namespace',
      { user: 'u', resourceAttributes },
      {},
      ['spec.resourceAttributes.namespace: Invalid value: "": must match metadata.namespace'],
    ],
    [
      'a path',
      { user: 'u', nonResourceAttributes },
      {},
      ['spec.nonResourceAttributes: Invalid value: {"Path":"/x","Verb":""}: disallowed on this kind of request'],
    ],
    [
      'more metadata',
      { user: 'u', resourceAttributes: inNamespace },
      { labels: { a: 'b' } },
      [
        'metadata: Invalid value: {"namespace":"n","labels":{"a":"b"},"managedFields":[{"manager":"m"}]}: must be empty except for namespace',
      ],
    ],
  ])('is checked: %s', (_what, spec, metadata, expected) => {
    expect(texts(validateLocalSubjectAccessReview, spec, { namespace: 'n', ...metadata })).toEqual(expected);
  });
});

describe('the selectors of a review', () => {
  const field = 'spec.resourceAttributes.fieldSelector';
  const label = 'spec.resourceAttributes.labelSelector';
  const inOrNot = "must be specified when `operator` is 'In' or 'NotIn'";
  const existsOrNot = "may not be specified when `operator` is 'Exists' or 'DoesNotExist'";

  it.each<[string, object, string[]]>([
    ['a raw one', { fieldSelector: { rawSelector: 'no selector' }, labelSelector: { rawSelector: '(' } }, []],
    [
      'empty ones',
      { fieldSelector: {}, labelSelector: {} },
      [
        `${field}.requirements: Required value: when ${field} is specified, requirements or rawSelector is required`,
        `${label}.requirements: Required value: when ${label} is specified, requirements or rawSelector is required`,
      ],
    ],
    [
      'both forms',
      { labelSelector: { rawSelector: 'a', requirements: [{ key: 'a', operator: 'Exists' }] } },
      [`${label}.rawSelector: Invalid value: "a": may not specified at the same time as requirements`],
    ],
    ['an operator of the future', { fieldSelector: { requirements: [{ key: 'a', operator: 'Near' }] } }, []],
    [
      'bad requirements on fields',
      { fieldSelector: { requirements: [{ operator: 'In' }, { key: '?', operator: 'Exists', values: ['a'] }] } },
      [
        `${field}.requirements[0].key: Required value: must be specified`,
        `${field}.requirements[0].values: Required value: ${inOrNot}`,
        `${field}.requirements[1].values: Forbidden: ${existsOrNot}`,
      ],
    ],
    [
      'bad requirements on labels',
      { labelSelector: { requirements: [{ key: 'a', operator: 'DoesNotExist', values: ['-'] }] } },
      [
        `${label}.requirements[0].values: Forbidden: ${existsOrNot}`,
        expect.stringMatching(/requirements\[0\]\.values\[0\]: Invalid value: "-": a valid label must be/),
      ],
    ],
  ])('are checked: %s', (_what, selectors, expected) => {
    const spec = { resourceAttributes: { ...resourceAttributes, ...selectors } };
    expect(texts(validateSelfSubjectAccessReview, spec)).toEqual(expected);
  });
});
