import { describe, expect, it } from 'vitest';
import { fieldErrorText } from '../../meta/field-error.ts';
import { secretRules } from './secret-rules.ts';

const metadata = { name: 's' };

describe('an update of a secret', () => {
  it.each([
    ['with another type', { type: 'a/b' }, { type: 'Opaque' }, ['type: Invalid value: "a/b": field is immutable']],
    [
      'that lost what its type needs',
      { type: 'kubernetes.io/tls', data: { 'tls.crt': '' } },
      { type: 'kubernetes.io/tls', data: { 'tls.crt': '', 'tls.key': '' } },
      ['data[tls.key]: Required value'],
    ],
    [
      'that was immutable',
      { type: 'Opaque', data: { a: 'MQ==' } },
      { type: 'Opaque', immutable: true },
      [
        'immutable: Forbidden: field is immutable when `immutable` is set',
        'data: Forbidden: field is immutable when `immutable` is set',
      ],
    ],
  ])('%s', (_about, next, old, errors) => {
    const [secret, oldSecret] = [
      { metadata, ...next },
      { metadata, ...old },
    ];
    const found = [...secretRules.validateUpdate!(secret, oldSecret), ...secretRules.validate!(secret, oldSecret)];
    expect(found.map(fieldErrorText)).toEqual(errors);
  });
});

describe('warnings', () => {
  it('report only certificates that cannot be used', () => {
    const warningsOf = (type: string) => secretRules.warnings!({ metadata, type }, undefined);
    expect(warningsOf('kubernetes.io/tls')).toEqual(['tls: failed to find any PEM data in certificate input']);
    expect(warningsOf('Opaque')).toEqual([]);
  });
});
