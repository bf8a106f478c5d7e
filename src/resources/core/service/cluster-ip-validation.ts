import {
  duplicateValue,
  type FieldError,
  invalidValue,
  notSupportedValue,
  requiredValue,
} from '../../../meta/field-error.ts';
import { enumOf } from '../../../schema/enum-of.ts';
import { ipFamily, validateIp } from '../../validation/addresses.ts';
import { ServiceSpec } from '../service-types.ts';
import { headlessIp, isHeadless } from './service-spec.ts';

const families = ['IPv4', 'IPv6'];
const policies = enumOf(ServiceSpec, 'ipFamilyPolicy');

/** Checks that addresses, IP families and policy are consistent. Absent ones are allocated later. */
export function validateClusterIps(spec: ServiceSpec, oldSpec?: ServiceSpec): FieldError[] {
  if (spec.type === 'ExternalName') return [];
  const { ipFamilyPolicy, clusterIPs = [] } = spec;
  const errors = [...syncErrors(spec), ...familyErrors(spec)];
  if (ipFamilyPolicy !== undefined && !policies.includes(ipFamilyPolicy)) {
    errors.push(notSupportedValue('spec.ipFamilyPolicy', ipFamilyPolicy, policies));
  }
  const ipErrors = clusterIpErrors(clusterIPs, oldSpec?.clusterIPs);
  errors.push(...ipErrors);
  if (clusterIPs.length > 2) errors.push(invalidValue('spec.clusterIPs', clusterIPs, 'may only hold up to 2 values'));
  // The remaining checks compare address families, which invalid addresses do not have.
  if (ipErrors.length > 0) return errors;
  if (clusterIPs.length > 1 && !isDualStack(clusterIPs)) {
    errors.push(invalidValue('spec.clusterIPs', clusterIPs, 'may specify no more than one IP for each IP family'));
  }
  errors.push(...mismatchErrors(spec));
  return errors;
}

function syncErrors({ clusterIP = '', clusterIPs = [] }: ServiceSpec): FieldError[] {
  if (clusterIP === '') {
    if (clusterIPs.length === 0) return [];
    return [invalidValue('spec.clusterIPs', clusterIPs, 'must be empty when `clusterIP` is not specified')];
  }
  if (clusterIPs.length === 0) return [requiredValue('spec.clusterIPs')];
  if (clusterIPs[0] === clusterIP) return [];
  return [invalidValue('spec.clusterIPs', clusterIPs, 'first value must match `clusterIP`')];
}

function familyErrors({ ipFamilies = [] }: ServiceSpec): FieldError[] {
  const errors: FieldError[] = [];
  for (let index = 0; index < ipFamilies.length; index++) {
    const family = ipFamilies[index]!;
    const path = `spec.ipFamilies[${index}]`;
    if (!families.includes(family)) errors.push(notSupportedValue(path, family, families));
    if (ipFamilies.indexOf(family) < index) errors.push(duplicateValue(path, family));
  }
  return errors;
}

function clusterIpErrors(clusterIPs: readonly string[], existing: readonly string[] | undefined): FieldError[] {
  const errors: FieldError[] = [];
  for (let index = 0; index < clusterIPs.length; index++) {
    const ip = clusterIPs[index]!;
    if (index === 0 && ip === headlessIp) {
      if (clusterIPs.length > 1) {
        errors.push(invalidValue('spec.clusterIPs', clusterIPs, "'None' must be the first and only value"));
      }
      continue;
    }
    errors.push(...validateIp(ip, `spec.clusterIPs[${index}]`, existing));
  }
  return errors;
}

function isDualStack(ips: readonly string[]): boolean {
  return ips.length === 2 && ipFamily(ips[0]!) !== ipFamily(ips[1]!);
}

function mismatchErrors(spec: ServiceSpec): FieldError[] {
  const { clusterIPs = [], ipFamilies = [] } = spec;
  const errors: FieldError[] = [];
  if (isHeadless(spec)) return errors;
  for (let index = 0; index < Math.min(clusterIPs.length, ipFamilies.length); index++) {
    const family = ipFamilies[index]!;
    if (!families.includes(family) || ipFamily(clusterIPs[index]!) === family) continue;
    const detail = `expected an ${family} value as indicated by \`ipFamilies[${index}]\``;
    errors.push(invalidValue(`spec.clusterIPs[${index}]`, clusterIPs[index], detail));
  }
  return errors;
}
