import { describe, expect, it } from 'vitest';
import type { ResourceObject } from '../../../meta/object.ts';
import { validateClaimChange } from './persistent-volume-claim-update.ts';

interface Claim {
  readonly spec?: object;
  readonly status?: object;
  readonly class?: string;
}

const requests = (storage: string) => ({ resources: { requests: { storage } } });

function claim({ spec, status, class: old }: Claim): ResourceObject {
  return {
    apiVersion: 'v1',
    kind: 'PersistentVolumeClaim',
    metadata: {
      name: 'c',
      ...(old !== undefined && { annotations: { 'volume.beta.kubernetes.io/storage-class': old } }),
    },
    spec: { volumeMode: 'Filesystem', ...requests('2Gi'), ...spec },
    status: { phase: 'Pending', ...status },
  };
}

const bound = { phase: 'Bound', capacity: { storage: '2Gi' } };

describe('validateClaimChange', () => {
  it.each<[string, Claim, Claim]>([
    ['a volume for a claim that had none', {}, { spec: { volumeName: 'v' } }],
    ['a class for a claim that had none', {}, { spec: { storageClassName: 'fast' } }],
    ['the class of the annotation in the field', { class: 'old' }, { spec: { storageClassName: 'old' } }],
    ['more for a bound claim', { status: bound }, { spec: requests('3Gi'), status: bound }],
    [
      'less than was asked for, but not less than there is',
      { spec: requests('9Gi'), status: bound },
      { spec: requests('3Gi'), status: bound },
    ],
    [
      'other attributes of a bound claim',
      { status: bound },
      { spec: { volumeAttributesClassName: 'a' }, status: bound },
    ],
    [
      'no attributes that were never applied',
      { spec: { volumeAttributesClassName: 'a' }, status: bound },
      { status: bound },
    ],
  ])('accepts %s', (_what, oldObject, next) => {
    expect(validateClaimChange(claim(next), claim(oldObject))).toEqual([]);
  });

  it.each<[string, Claim, Claim, string[]]>([
    ['another volume', { spec: { volumeName: 'v' } }, { spec: { volumeName: 'w' } }, ['spec']],
    ['another class', { spec: { storageClassName: 'a' } }, { spec: { storageClassName: 'b' } }, ['spec']],
    [
      'another class in the annotation',
      { class: 'a' },
      { class: 'b' },
      ['metadata.annotations.volume.beta.kubernetes.io/storage-class'],
    ],
    ['more for a claim that is not bound', {}, { spec: requests('3Gi') }, ['spec']],
    [
      'less than there is',
      { status: bound },
      { spec: requests('1Gi'), status: bound },
      ['spec.resources.requests.storage'],
    ],
    ['another mode', {}, { spec: { volumeMode: 'Block' } }, ['spec', 'volumeMode']],
    [
      'no attributes after they were applied',
      { spec: { volumeAttributesClassName: 'a' }, status: { ...bound, currentVolumeAttributesClassName: 'a' } },
      { status: bound },
      ['spec.volumeAttributesClassName'],
    ],
    [
      'empty attributes after they were applied',
      { spec: { volumeAttributesClassName: 'a' }, status: { ...bound, currentVolumeAttributesClassName: 'a' } },
      { spec: { volumeAttributesClassName: '' }, status: bound },
      ['spec.volumeAttributesClassName'],
    ],
    [
      'another class in the annotation, although the field has the old one',
      { class: 'a' },
      { class: 'b', spec: { storageClassName: 'a' } },
      ['metadata.annotations.volume.beta.kubernetes.io/storage-class'],
    ],
  ])('rejects %s', (_what, oldObject, next, fields) => {
    expect(validateClaimChange(claim(next), claim(oldObject)).map(({ field }) => field)).toEqual(fields);
  });
});
