import { describe, expect, it } from 'vitest';
import { fieldErrorText } from '../../meta/field-error.ts';
import type { ResourceObject } from '../../meta/object.ts';
import { serverUser } from '../../meta/user.ts';
import { namespaceRules } from './namespace-rules.ts';

const nameLabel = 'kubernetes.io/metadata.name';

describe('a namespace', () => {
  it.each([
    [{ name: 'a' }, { [nameLabel]: 'a' }],
    [
      { name: 'a', labels: { z: '1', [nameLabel]: 'b' } },
      { [nameLabel]: 'a', z: '1' },
    ],
    [{ generateName: 'a-' }, undefined],
  ])('is labelled with its name: %j', (metadata, labels) => {
    const namespace: ResourceObject = { metadata };
    namespaceRules.setDefaults!(namespace);
    expect(namespace.metadata.labels).toEqual(labels);
  });

  it.each([
    ['a-x7k2p', { [nameLabel]: 'a-x7k2p' }],
    ['-x7k2p-', undefined],
  ])('is labelled with its generated name if that is a valid label value: %s', (name, labels) => {
    const namespace: ResourceObject = { metadata: { name } };
    namespaceRules.prepareCreate!(namespace, serverUser);
    expect(namespace.metadata.labels).toEqual(labels);
  });

  it.each([
    [undefined, 'Active', []],
    [
      undefined,
      'Terminating',
      ['status.Phase: Invalid value: "Terminating": may only be \'Active\' if `deletionTimestamp` is empty'],
    ],
    ['2024-01-01T00:00:00Z', 'Terminating', []],
    [
      '2024-01-01T00:00:00Z',
      'Active',
      ['status.Phase: Invalid value: "Active": may only be \'Terminating\' if `deletionTimestamp` is not empty'],
    ],
  ])('is checked: deletionTimestamp %s and phase %s', (deletionTimestamp, phase, errors) => {
    const namespace = { metadata: { name: 'a', deletionTimestamp }, status: { phase } };
    expect(namespaceRules.validateStatus!(namespace, namespace).map(fieldErrorText)).toEqual(errors);
  });

  it('reports the index of an invalid finalizer on updates', () => {
    const namespace = { metadata: { name: 'a' }, spec: { finalizers: ['kubernetes', 'mine'] } };
    expect(namespaceRules.validateUpdate!(namespace, namespace).map(fieldErrorText)).toEqual([
      'spec.finalizers[1]: Invalid value: "mine": name is neither a standard finalizer name nor is it fully qualified',
    ]);
  });
});
