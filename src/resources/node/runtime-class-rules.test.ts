import { expect, it } from 'vitest';
import { fieldErrorText } from '../../meta/field-error.ts';
import { runtimeClassRules } from './runtime-class-rules.ts';

const shown = (seconds: string) =>
  `{"Key":"k","Operator":"Exists","Value":"","Effect":"NoExecute","TolerationSeconds":${seconds}}`;
const toleration = { key: 'k', operator: 'Exists', effect: 'NoExecute' };

it.each<[string, object[], readonly string[]]>([
  ['different keys', [toleration, { ...toleration, key: 'l' }], []],
  ['different effects', [toleration, { ...toleration, effect: 'NoSchedule' }], []],
  ['the same', [toleration, toleration], [`scheduling.tolerations[1]: Duplicate value: ${shown('null')}`]],
  [
    'the same for different times',
    [toleration, { ...toleration, tolerationSeconds: 10 }],
    [`scheduling.tolerations[1]: Duplicate value: ${shown('10')}`],
  ],
])('tolerations: %s', (_name, tolerations, errors) => {
  const runtimeClass = { metadata: { name: 'r' }, handler: 'h', scheduling: { tolerations } };
  expect(runtimeClassRules.validate(runtimeClass).map(fieldErrorText)).toEqual(errors);
});
