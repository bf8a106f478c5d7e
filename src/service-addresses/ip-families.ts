import { type FieldError, invalidValue } from '../meta/field-error.ts';
import { validateClusterIps } from '../resources/core/service/cluster-ip-validation.ts';
import { headlessIp, needsClusterIp, sameList } from '../resources/core/service/service-spec.ts';
import type { ServiceSpec } from '../resources/core/service-types.ts';
import { ipFamily } from '../resources/validation/addresses.ts';
import { type AddressFamily, otherFamily } from './address-family.ts';

const policyPath = 'spec.ipFamilyPolicy';

/**
 * Sets the IP families and their policy as the cluster allows them, so that every family gets an address. Returns the
 * errors when that is not possible; the spec is then only partly filled in.
 */
export function assignFamilies(
  spec: ServiceSpec,
  before: ServiceSpec | undefined,
  families: readonly AddressFamily[],
): FieldError[] {
  if (spec.type === 'ExternalName' || isUnchangedPreference(spec, before)) return [];
  spec.ipFamilyPolicy ??= before?.ipFamilyPolicy ?? (isOpen(spec) ? 'RequireDualStack' : 'SingleStack');
  const invalid = validateClusterIps(spec, before);
  if (invalid.length > 0) return invalid;
  const errors = before === undefined ? [] : reductionErrors(spec, before);
  errors.push(...singleStackErrors(spec), ...inferFamilies(spec, families));
  if (errors.length > 0) return errors;
  if (isOpen(spec)) {
    spec.ipFamilies = filled(spec.ipFamilies, families[0]!);
    if (spec.ipFamilyPolicy !== 'SingleStack') addFamily(spec);
    return [];
  }
  const missing = missingFamilies(spec, families);
  if (missing.length > 0) return missing;
  spec.ipFamilies = filled(spec.ipFamilies, families[0]!);
  if (spec.ipFamilyPolicy !== 'SingleStack' && families.length === 2) addFamily(spec);
  return [];
}

/** A headless service without a selector may have any families, because its user creates the endpoints. */
function isOpen({ clusterIP, selector }: ServiceSpec): boolean {
  return clusterIP === headlessIp && Object.keys(selector ?? {}).length === 0;
}

/** A service that prefers dual stack stays unchanged when the cluster gains or loses a family. */
export function isUnchangedPreference(spec: ServiceSpec, before: ServiceSpec | undefined): boolean {
  if (before === undefined || before.type !== spec.type || !needsClusterIp(spec)) return false;
  if (spec.ipFamilyPolicy !== 'PreferDualStack' || before.ipFamilyPolicy !== 'PreferDualStack') return false;
  return sameList(spec.clusterIPs, before.clusterIPs) && sameList(spec.ipFamilies, before.ipFamilies);
}

/** The policy SingleStack is enough to release the second family. Any other policy must name the remaining family. */
function reductionErrors(spec: ServiceSpec, before: ServiceSpec): FieldError[] {
  const { clusterIPs = [], ipFamilies = [], ipFamilyPolicy } = spec;
  if (ipFamilyPolicy === 'SingleStack') {
    if (clusterIPs.length > 1 && sameList(clusterIPs, before.clusterIPs)) spec.clusterIPs = clusterIPs.slice(0, 1);
    if (ipFamilies.length > 1 && sameList(ipFamilies, before.ipFamilies)) spec.ipFamilies = ipFamilies.slice(0, 1);
    return [];
  }
  const errors: FieldError[] = [];
  if (isReduced(clusterIPs, before.clusterIPs)) {
    errors.push(invalidValue(policyPath, ipFamilyPolicy, "must be 'SingleStack' to release the secondary cluster IP"));
  }
  if (isReduced(ipFamilies, before.ipFamilies)) {
    errors.push(invalidValue(policyPath, ipFamilyPolicy, "must be 'SingleStack' to release the secondary IP family"));
  }
  return errors;
}

function isReduced(values: readonly string[], before: readonly string[] = []): boolean {
  return values.length > 0 && values.length < before.length;
}

function singleStackErrors({ ipFamilyPolicy, clusterIPs = [], ipFamilies = [] }: ServiceSpec): FieldError[] {
  if (ipFamilyPolicy !== 'SingleStack') return [];
  const several: string[] = [];
  if (clusterIPs.length === 2) several.push('cluster IPs');
  if (ipFamilies.length === 2) several.push('IP families');
  return several.map((what) => {
    const detail = `must be 'RequireDualStack' or 'PreferDualStack' when multiple ${what} are specified`;
    return invalidValue(policyPath, ipFamilyPolicy, detail);
  });
}

/** Derives the families from the addresses that the client requests. */
function inferFamilies(spec: ServiceSpec, families: readonly AddressFamily[]): FieldError[] {
  const { clusterIPs = [] } = spec;
  const errors: FieldError[] = [];
  if (clusterIPs[0] === headlessIp) return errors;
  for (let index = spec.ipFamilies?.length ?? 0; index < clusterIPs.length; index++) {
    const family = ipFamily(clusterIPs[index]!);
    if (family !== undefined && families.includes(family)) spec.ipFamilies = [...(spec.ipFamilies ?? []), family];
    else {
      const detail = `${family} is not configured on this cluster`;
      errors.push(invalidValue(`spec.clusterIPs[${index}]`, clusterIPs, detail));
    }
  }
  return errors;
}

function missingFamilies(spec: ServiceSpec, families: readonly AddressFamily[]): FieldError[] {
  const errors: FieldError[] = [];
  if (spec.ipFamilyPolicy === 'RequireDualStack' && families.length < 2) {
    const detail = 'this cluster is not configured for dual-stack services';
    errors.push(invalidValue(policyPath, spec.ipFamilyPolicy, detail));
  }
  for (const [index, family] of (spec.ipFamilies ?? []).entries()) {
    if (families.includes(family as AddressFamily)) continue;
    errors.push(invalidValue(`spec.ipFamilies[${index}]`, family, 'not configured on this cluster'));
  }
  return errors;
}

function filled(families: string[] | undefined, fallback: string): string[] {
  return families?.length ? families : [fallback];
}

function addFamily(spec: ServiceSpec): void {
  const [first = 'IPv4', ...rest] = spec.ipFamilies ?? [];
  if (rest.length === 0) spec.ipFamilies = [first, otherFamily(first)];
}
