import { expect, it } from 'vitest';
import { fieldErrorText } from '../../../meta/field-error.ts';
import { validateVolumeSource } from './volume-source-validation.ts';

const second = 'Forbidden: may not specify more than 1 volume type';
const iscsi = { targetPortal: '192.0.2.1:3260', iqn: 'iqn.2001-04.com.example:a' };

it.each<[string, Record<string, unknown>, readonly string[]]>([
  ['one source', { hostPath: { path: '/d' } }, []],
  ['two sources', { hostPath: { path: '/d' }, nfs: {} }, [`spec.nfs: ${second}`]],
  ['a flex volume beside another source', { hostPath: { path: '/d' }, flexVolume: { driver: 'd' } }, []],
  [
    'an invalid flex volume beside another source',
    { hostPath: { path: '/d' }, flexVolume: {} },
    ['spec.flexVolume.driver: Required value'],
  ],
  ['a source after a flex volume', { flexVolume: { driver: 'd' }, azureFile: {} }, [`spec.azureFile: ${second}`]],
  ['partition 0', { awsElasticBlockStore: { volumeID: 'v', partition: 0 } }, []],
  [
    'a partition that does not exist',
    { gcePersistentDisk: { pdName: 'p', partition: 256 } },
    ['spec.persistentDisk.partition: Invalid value: 256: must be between 1 and 255, inclusive'],
  ],
  ['a target', { iscsi }, []],
  [
    'a target of an unknown kind',
    { iscsi: { ...iscsi, iqn: 'http://x' } },
    ['spec.iscsi.iqn: Invalid value: "http://x": must be valid format'],
  ],
  [
    'a target without a name',
    { iscsi: { ...iscsi, iqn: 'iqn.2001-04.com.example' } },
    ['spec.iscsi.iqn: Invalid value: "iqn.2001-04.com.example": must be valid format'],
  ],
  ['a hardware address', { iscsi: { ...iscsi, iqn: 'eui.0123456789abcdef' } }, []],
])('%s', (_name, spec, errors) => {
  expect(validateVolumeSource(spec, 'spec', 'v').map(fieldErrorText)).toEqual(errors);
});
