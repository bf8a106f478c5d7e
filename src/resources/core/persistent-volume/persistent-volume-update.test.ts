import { describe, expect, it } from 'vitest';
import type { PersistentVolumeSpec } from '../persistent-volume-types.ts';
import { validateVolumeChange } from './persistent-volume-update.ts';

const affinity = (key: string) => ({
  required: { nodeSelectorTerms: [{ matchExpressions: [{ key, operator: 'In', values: ['a'] }] }] },
});
const csi = { driver: 'd', volumeHandle: 'h' };
const reference = { name: 's', namespace: 'n' };
const volume = (more: object): PersistentVolumeSpec => ({ volumeMode: 'Filesystem', ...more });

describe('validateVolumeChange', () => {
  it.each([
    ['nothing', volume({ csi }), volume({ csi })],
    ['a capacity', volume({ csi, capacity: { storage: '1' } }), volume({ csi, capacity: { storage: '2' } })],
    ['a secret for the expansion', volume({ csi }), volume({ csi: { ...csi, controllerExpandSecretRef: reference } })],
    ['an affinity where there was none', volume({ csi }), volume({ csi, nodeAffinity: affinity('zone') })],
    [
      'a label by its present name',
      volume({ csi, nodeAffinity: affinity('failure-domain.beta.kubernetes.io/zone') }),
      volume({ csi, nodeAffinity: affinity('topology.kubernetes.io/zone') }),
    ],
    [
      'another class of attributes',
      volume({ csi, volumeAttributesClassName: 'a' }),
      volume({ csi, volumeAttributesClassName: 'b' }),
    ],
  ])('accepts %s', (_what, oldSpec, next) => {
    expect(validateVolumeChange(next, oldSpec)).toEqual([]);
  });

  it.each([
    ['another source', volume({ csi }), volume({ csi: { ...csi, volumeHandle: 'i' } }), 'spec.persistentvolumesource'],
    [
      'another secret for the expansion',
      volume({ csi: { ...csi, controllerExpandSecretRef: reference } }),
      volume({ csi }),
      'spec.persistentvolumesource',
    ],
    ['another mode', volume({ csi }), volume({ csi, volumeMode: 'Block' }), 'volumeMode'],
    [
      'a label by its former name',
      volume({ csi, nodeAffinity: affinity('kubernetes.io/os') }),
      volume({ csi, nodeAffinity: affinity('beta.kubernetes.io/os') }),
      'nodeAffinity',
    ],
    ['no affinity any more', volume({ csi, nodeAffinity: affinity('zone') }), volume({ csi }), 'nodeAffinity'],
    [
      'no class of attributes any more',
      volume({ csi, volumeAttributesClassName: 'a' }),
      volume({ csi }),
      'spec.volumeAttributesClassName',
    ],
  ])('rejects %s', (_what, oldSpec, next, field) => {
    expect(validateVolumeChange(next, oldSpec).map((error) => error.field)).toEqual([field]);
  });
});
