import { describe, test } from 'vitest';
import { apply, patch, put, runScript, type Step } from '../conformance/script.conformance.ts';

/** Title, steps, and the expected part of the final object. */
type Script = [string, Step[], Record<string, unknown>];

describe('managedFields entries', () => {
  test.each<Script>([
    [
      'an empty list resets all entries',
      [apply('a', { spec: { name: 'n' } }, 'a: .spec.name'), patch('u', { metadata: { managedFields: [] } }, '')],
      { spec: { name: 'n' } },
    ],
    [
      'a list with one empty entry resets all entries',
      [apply('a', { spec: { name: 'n' } }, 'a: .spec.name'), patch('u', { metadata: { managedFields: [{}] } }, '')],
      { spec: { name: 'n' } },
    ],
    [
      'updates are not tracked after a reset',
      [
        apply('a', { spec: { name: 'n' } }, 'a: .spec.name'),
        patch('u', { metadata: { managedFields: [] } }, ''),
        patch('u', { spec: { name: 'm' } }, ''),
      ],
      { spec: { name: 'm' } },
    ],
    [
      'the first apply after a reset attributes all fields to before-first-apply',
      [
        apply('a', { spec: { name: 'n', size: 1 } }, 'a: .spec.name .spec.size'),
        patch('u', { metadata: { managedFields: [] } }, ''),
        apply('a', { spec: { name: 'm' } }, 'conflict before-first-apply*: .spec.name'),
        apply('a', { spec: { name: 'n' } }, 'a?: .spec.name; before-first-apply*: .spec.class .spec.name .spec.size'),
      ],
      { spec: { name: 'n', size: 1 } },
    ],
    [
      'the first apply after a reset can be forced',
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
      'entries can be rewritten together with a change',
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
      'entries with an unknown operation are ignored',
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
      'entries without a version are ignored',
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
      'malformed entries are ignored',
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
      'entries with malformed fields are ignored',
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
      'entries that own nothing are omitted',
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
      'entries in a create are ignored',
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
      'entries of removed versions are dropped',
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
      'apply entries precede update entries, older ones first',
      [
        put('u', { spec: { name: 'n' } }, 'u*: .spec.class .spec.name'),
        apply('b', { spec: { size: 1 } }, 'b: .spec.size; u*: .spec.class .spec.name'),
        apply('a', { spec: { flags: { x: '1' } } }, 'b: .spec.size; a: .spec.flags.x; u*: .spec.class .spec.name'),
        patch('t', { spec: { class: 'brig' } }, 'b: .spec.size; a: .spec.flags.x; u*: .spec.name; t*: .spec.class'),
      ],
      { spec: { name: 'n', size: 1, flags: { x: '1' }, class: 'brig' } },
    ],
    [
      'an applier that only becomes a co-owner has no time and comes first',
      [
        apply('b', { spec: { name: 'n' } }, 'b: .spec.name'),
        apply('c', { spec: { size: 1 } }, 'b: .spec.name; c: .spec.size'),
        apply('z', { spec: { name: 'n' } }, 'z?: .spec.name; b: .spec.name; c: .spec.size'),
      ],
      { spec: { name: 'n', size: 1 } },
    ],
    [
      'the time is set with the first change',
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
