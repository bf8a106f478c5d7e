import { expect, it } from 'vitest';
import { volumeAttachmentRules } from './volume-attachment-rules.ts';

const spec = { attacher: 'csi.example.com', nodeName: 'n', source: { persistentVolumeName: 'v' } };
const attachment = (changed: object) => ({ metadata: { name: 'a' }, spec: { ...spec, ...changed } });

it.each<[string, object, readonly string[]]>([
  ['a code', { attachError: { errorCode: 0 } }, []],
  ['a negative code', { detachError: { errorCode: -1 } }, ['status.detachError.errorCode']],
])('the status reports an error with %s', (_name, status, fields) => {
  const errors = volumeAttachmentRules.validate!({ ...attachment({}), status }, attachment({}));
  expect(errors.map(({ field }) => field)).toEqual(fields);
});

it.each<[string, object, readonly string[]]>([
  ['nothing', {}, []],
  ['the node', { nodeName: 'm' }, ['spec']],
  ['to an invalid attacher', { attacher: 'a b' }, ['spec.attacher', 'spec']],
  ['to no attacher', { attacher: undefined }, ['spec.attacher', 'spec']],
  ['to an invalid volume', { source: { persistentVolumeName: 'A' } }, ['spec.source.persistentVolumeName', 'spec']],
])('an update that changes %s', (_name, changed, fields) => {
  const { validate, validateUpdate } = volumeAttachmentRules;
  const errors = [...validate!(attachment(changed)), ...validateUpdate!(attachment(changed), attachment({}))];
  expect(errors.map(({ field }) => field)).toEqual(fields);
});
