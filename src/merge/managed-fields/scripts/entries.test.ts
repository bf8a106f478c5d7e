import { describe, test } from 'vitest';
import { apply, patch, put, runScript, type Step } from '../conformance/script.conformance.ts';

/** Title, steps, and what of the object is looked at in the end. */
type Script = [string, Step[], Record<string, unknown>];

describe('ownership of entries', () => {
  test.each<Script>([
    [
      'an empty list forgets everybody',
      [apply('a', { spec: { name: 'n' } }, 'a: .spec.name'), patch('u', { metadata: { managedFields: [] } }, '')],
      { spec: { name: 'n' } },
    ],
    [
      'so does an entry that says nothing',
      [apply('a', { spec: { name: 'n' } }, 'a: .spec.name'), patch('u', { metadata: { managedFields: [{}] } }, '')],
      { spec: { name: 'n' } },
    ],
    [
      'after that updates are not tracked',
      [
        apply('a', { spec: { name: 'n' } }, 'a: .spec.name'),
        patch('u', { metadata: { managedFields: [] } }, ''),
        patch('u', { spec: { name: 'm' } }, ''),
      ],
      { spec: { name: 'm' } },
    ],
    [
      'the next applier finds the owner of all before',
      [
        apply('a', { spec: { name: 'n', size: 1 } }, 'a: .spec.name .spec.size'),
        patch('u', { metadata: { managedFields: [] } }, ''),
        apply('a', { spec: { name: 'm' } }, 'conflict before-first-apply*: .spec.name'),
        apply('a', { spec: { name: 'n' } }, 'a?: .spec.name; before-first-apply*: .spec.class .spec.name .spec.size'),
      ],
      { spec: { name: 'n', size: 1 } },
    ],
    [
      'and may force',
      [
        apply('a', { spec: { name: 'n', size: 1 } }, 'a: .spec.name .spec.size'),
        patch('u', { metadata: { managedFields: [] } }, ''),
        apply('a', { spec: { name: 'm' } }, 'a: .spec.name; before-first-apply*: .spec.class .spec.size', {
          force: true,
        }),
      ],
      { spec: { name: 'm', size: 1 } },
    ],
    [
      'entries can be rewritten',
      [
        apply('a', { spec: { name: 'n', size: 1 } }, 'a: .spec.name .spec.size'),
        patch(
          'u',
          {
            metadata: {
              managedFields: [
                {
                  manager: 'z',
                  operation: 'Apply',
                  apiVersion: 'sea/v1',
                  fieldsType: 'FieldsV1',
                  fieldsV1: { 'f:spec': { 'f:name': {} } },
                },
              ],
            },
          },
          'z?: .spec.name',
        ),
        apply('z', { spec: {} }, 'z: .spec'),
      ],
      { spec: { name: undefined, size: 1 } },
    ],
    [
      'rewritten and changed at once',
      [
        apply('a', { spec: { name: 'n', size: 1 } }, 'a: .spec.name .spec.size'),
        patch(
          'u',
          {
            metadata: {
              managedFields: [
                {
                  manager: 'z',
                  operation: 'Apply',
                  apiVersion: 'sea/v1',
                  fieldsType: 'FieldsV1',
                  fieldsV1: { 'f:spec': { 'f:size': {}, 'f:name': {} } },
                },
              ],
            },
            spec: { size: 2 },
          },
          'z?: .spec.name; u*: .spec.size',
        ),
      ],
      { spec: { name: 'n', size: 2 } },
    ],
    [
      'entries of no known operation are not taken',
      [
        apply('a', { spec: { name: 'n' } }, 'a: .spec.name'),
        patch(
          'u',
          {
            metadata: {
              managedFields: [
                { manager: 'z', operation: 'Foo', apiVersion: 'sea/v1', fieldsType: 'FieldsV1', fieldsV1: {} },
              ],
            },
          },
          'a: .spec.name',
        ),
      ],
      { spec: { name: 'n' } },
    ],
    [
      'nor entries without a version',
      [
        apply('a', { spec: { name: 'n' } }, 'a: .spec.name'),
        patch(
          'u',
          { metadata: { managedFields: [{ manager: 'z', operation: 'Apply', fieldsType: 'FieldsV1', fieldsV1: {} }] } },
          'a: .spec.name',
        ),
      ],
      { spec: { name: 'n' } },
    ],
    [
      'nor entries of another form',
      [
        apply('a', { spec: { name: 'n' } }, 'a: .spec.name'),
        patch(
          'u',
          {
            metadata: {
              managedFields: [
                { manager: 'z', operation: 'Apply', apiVersion: 'sea/v1', fieldsType: 'FieldsV9', fieldsV1: {} },
              ],
            },
          },
          'a: .spec.name',
        ),
      ],
      { spec: { name: 'n' } },
    ],
    [
      'nor entries whose fields are none',
      [
        apply('a', { spec: { name: 'n' } }, 'a: .spec.name'),
        patch(
          'u',
          {
            metadata: {
              managedFields: [
                {
                  manager: 'z',
                  operation: 'Apply',
                  apiVersion: 'sea/v1',
                  fieldsType: 'FieldsV1',
                  fieldsV1: { zzz: {} },
                },
              ],
            },
          },
          'a: .spec.name',
        ),
      ],
      { spec: { name: 'n' } },
    ],
    [
      'entries that own nothing are left out',
      [
        apply('a', { spec: { name: 'n' } }, 'a: .spec.name'),
        patch(
          'u',
          {
            metadata: {
              managedFields: [
                { manager: 'z', operation: 'Update', apiVersion: 'sea/v1', fieldsType: 'FieldsV1', fieldsV1: {} },
              ],
            },
          },
          '',
        ),
      ],
      { spec: { name: 'n' } },
    ],
    [
      'a put without entries keeps them',
      [
        apply('a', { spec: { name: 'n' } }, 'a: .spec.name'),
        put('u', { spec: { name: 'n', size: 1 } }, 'a: .spec.name; u*: .spec.size'),
      ],
      { spec: { name: 'n', size: 1 } },
    ],
    [
      'entries of a create are not taken',
      [
        put(
          'u',
          {
            metadata: {
              managedFields: [
                {
                  manager: 'z',
                  operation: 'Apply',
                  apiVersion: 'sea/v1',
                  fieldsType: 'FieldsV1',
                  fieldsV1: { 'f:spec': { 'f:name': {} } },
                },
              ],
            },
            spec: { name: 'n' },
          },
          'u*: .spec.class .spec.name',
        ),
      ],
      { spec: { name: 'n' } },
    ],
    [
      'entries of versions that are gone are dropped',
      [
        apply('a', { spec: { name: 'n' } }, 'a: .spec.name'),
        patch(
          'u',
          {
            metadata: {
              managedFields: [
                {
                  manager: 'z',
                  operation: 'Apply',
                  apiVersion: 'sea/v0',
                  fieldsType: 'FieldsV1',
                  fieldsV1: { 'f:spec': { 'f:name': {} } },
                },
                {
                  manager: 'y',
                  operation: 'Apply',
                  apiVersion: 'sea/v1',
                  fieldsType: 'FieldsV1',
                  fieldsV1: { 'f:spec': { 'f:name': {} } },
                },
              ],
            },
          },
          'y?: .spec.name',
        ),
        patch('u', { spec: { size: 1 } }, 'y?: .spec.name; u*: .spec.size'),
      ],
      { spec: { name: 'n', size: 1 } },
    ],
    [
      'appliers come before updaters, and the older first',
      [
        put('u', { spec: { name: 'n' } }, 'u*: .spec.class .spec.name'),
        apply('b', { spec: { size: 1 } }, 'b: .spec.size; u*: .spec.class .spec.name'),
        apply('a', { spec: { flags: { x: '1' } } }, 'b: .spec.size; a: .spec.flags.x; u*: .spec.class .spec.name'),
        patch('t', { spec: { class: 'brig' } }, 'b: .spec.size; a: .spec.flags.x; u*: .spec.name; t*: .spec.class'),
      ],
      { spec: { name: 'n', size: 1, flags: { x: '1' }, class: 'brig' } },
    ],
    [
      'who only joins has no time and comes first',
      [
        apply('b', { spec: { name: 'n' } }, 'b: .spec.name'),
        apply('c', { spec: { size: 1 } }, 'b: .spec.name; c: .spec.size'),
        apply('z', { spec: { name: 'n' } }, 'z?: .spec.name; b: .spec.name; c: .spec.size'),
      ],
      { spec: { name: 'n', size: 1 } },
    ],
    [
      'the time comes with the first change',
      [
        apply('b', { spec: { name: 'n' } }, 'b: .spec.name'),
        apply('z', { spec: { name: 'n' } }, 'z?: .spec.name; b: .spec.name'),
        apply('z', { spec: { name: 'n', size: 1 } }, 'b: .spec.name; z: .spec.name .spec.size'),
      ],
      { spec: { name: 'n', size: 1 } },
    ],
  ])('%s', (_title, steps, result) => {
    runScript(steps, result);
  });
});
