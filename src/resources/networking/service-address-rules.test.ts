import { expect, it } from 'vitest';
import { fieldErrorText } from '../../meta/field-error.ts';
import { recordExplicitEmpty } from '../../schema/explicit-empty.ts';
import { ipAddressRules, serviceCidrRules } from './service-address-rules.ts';

const address = (parentRef: object) => ({ metadata: { name: '192.0.2.1' }, spec: { parentRef } });
const parent = { resource: 'services', namespace: 'n', name: 's' };

it.each<[string, object, readonly string[]]>([
  ['nothing', parent, []],
  ['the name', { ...parent, name: 't' }, ['spec.parentRef']],
  ['to no name', { ...parent, name: undefined }, ['spec.parentRef.name', 'spec.parentRef']],
  ['to an invalid namespace', { ...parent, namespace: 'a/b' }, ['spec.parentRef.namespace', 'spec.parentRef']],
])('an update of an address that changes %s', (_name, next, fields) => {
  const { validate, validateUpdate } = ipAddressRules;
  const errors = [...validate!(address(next)), ...validateUpdate!(address(next), address(parent))];
  expect(errors.map(({ field }) => field)).toEqual(fields);
});

it('an update of the parent shows all fields of it', () => {
  const errors = ipAddressRules.validateUpdate!(address({ ...parent, name: 't' }), address(parent));
  expect(errors.map(fieldErrorText)).toEqual([
    'spec.parentRef: Invalid value: {"Group":"","Resource":"services","Namespace":"n","Name":"t"}: field is immutable',
  ]);
});

it.each<[string, boolean, string]>([
  ['no ranges', false, 'null'],
  ['an empty list of ranges', true, '[]'],
])('an update to %s shows them as they were sent', (_name, isEmpty, shown) => {
  const next = { metadata: { name: 'c' }, spec: {} };
  if (isEmpty) recordExplicitEmpty(next.spec, 'cidrs');
  const errors = serviceCidrRules.validateUpdate!(next, { metadata: { name: 'c' }, spec: { cidrs: ['10.0.0.0/24'] } });
  expect(errors.map(fieldErrorText)).toEqual([`spec.cidrs: Invalid value: ${shown}: field is immutable`]);
});
