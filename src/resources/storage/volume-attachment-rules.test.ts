import { expect, it } from 'vitest';
import { volumeAttachmentRules } from './volume-attachment-rules.ts';

const spec = { attacher: 'csi.example.com', nodeName: 'n', source: { persistentVolumeName: 'v' } };
const attachment = (changed: object) => ({ metadata: { name: 'a' }, spec: { ...spec, ...changed } });

it.each<[string, object, readonly string[]]>([
  ['nothing', {}, []],
  ['the node', { nodeName: 'm' }, ['spec']],
  ['to an invalid attacher', { attacher: 'a b' }, ['spec.attacher', 'spec']],
  ['to no attacher', { attacher: undefined }, ['spec.attacher', 'spec']],
  ['to an invalid volume', { source: { persistentVolumeName: 'A' } }, ['spec.source.persistentVolumeName', 'spec']],
])('an update that changes %s', (_name, changed, fields) => {
  const errors = volumeAttachmentRules.validateUpdate!(attachment(changed), attachment({}));
  expect(errors.map(({ field }) => field)).toEqual(fields);
});
