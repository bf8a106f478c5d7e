import type { ResourceObject } from '../../meta/object.ts';
import type { ResourceRules } from '../../registry/resource-definition.ts';
import { validateImmutable, validateImmutableObject } from '../validation/immutable.ts';
import { keyPairProblem } from './secret-key-pair.ts';
import { validateSecret } from './secret-validation.ts';

export const secretRules: Partial<ResourceRules> = {
  setDefaults,
  updateChecks: ['metadataChange', 'change', 'metadata', 'object'],
  validate: validateSecret,
  validateUpdate(next, oldObject) {
    return [
      ...validateImmutable({ next: next.type, oldValue: oldObject.type }, 'type'),
      ...validateImmutableObject(next, oldObject, ['data']),
    ];
  },
  warnings(secret) {
    if (secret.type !== 'kubernetes.io/tls') return [];
    const data = secret.data as Record<string, string> | undefined;
    const problem = keyPairProblem({
      certificate: Buffer.from(data?.['tls.crt'] ?? '', 'base64'),
      key: Buffer.from(data?.['tls.key'] ?? '', 'base64'),
    });
    return problem === undefined ? [] : [problem];
  },
};

function setDefaults(secret: ResourceObject): void {
  secret.type ??= 'Opaque';
  const texts = secret.stringData as Record<string, string> | undefined;
  if (texts === undefined) return;
  // `stringData` is write-only: it overrides `data` and is stored there as base64.
  const encoded = Object.entries(texts).map(([key, text]) => [key, Buffer.from(text).toString('base64')] as const);
  const all = new Map([...Object.entries((secret.data as Record<string, string> | undefined) ?? {}), ...encoded]);
  secret.data = Object.fromEntries([...all].sort(([a], [b]) => (a < b ? -1 : 1)));
  delete secret.stringData;
}
