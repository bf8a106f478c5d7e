import type { FieldError } from '../../meta/field-error.ts';
import { validateClaimSpec } from '../core/persistent-volume/persistent-volume-claim-validation.ts';
import type { PodTemplateSpec } from '../core/pod-types.ts';
import type { Volume } from '../core/volume-types.ts';
import { isWholeQuantity } from '../validation/quantities.ts';
import type { StatefulSetSpec } from './stateful-set-types.ts';

type ClaimTemplates = NonNullable<StatefulSetSpec['volumeClaimTemplates']>;

export function validateClaimTemplates(claims: ClaimTemplates, path: string): FieldError[] {
  return claims.flatMap(({ spec = {} }, index) => validateClaimSpec(spec, `${path}[${index}].spec`));
}

export function claimTemplateWarnings(claims: ClaimTemplates, path: string): string[] {
  const warnings: string[] = [];
  claims.forEach(({ spec }, index) => {
    for (const kind of ['requests', 'limits'] as const) {
      const amount = spec?.resources?.[kind]?.storage;
      if (amount === undefined || isWholeQuantity(amount)) continue;
      const field = `${path}[${index}].resources.${kind}[storage]`;
      warnings.push(`${field}: fractional byte value "${amount}" is invalid, must be an integer`);
    }
  });
  return warnings;
}

/**
 * Returns the template as pods will have it: every claim replaces a volume of the same name. Hostname and subdomain are
 * omitted, because they differ between pods.
 */
export function templateWithClaims(template: PodTemplateSpec, claims: ClaimTemplates): PodTemplateSpec {
  const { hostname: _hostname, subdomain: _subdomain, ...spec } = template.spec ?? {};
  if (claims.length === 0) return { ...template, spec };
  const volumes = new Map<string, Volume>();
  for (const { metadata } of claims) {
    const name = metadata?.name ?? '';
    volumes.set(name, { name, persistentVolumeClaim: { claimName: name } });
  }
  const otherVolumes = (spec.volumes ?? []).filter(({ name = '' }) => !volumes.has(name));
  return { ...template, spec: { ...spec, volumes: [...volumes.values(), ...otherVolumes] } };
}
