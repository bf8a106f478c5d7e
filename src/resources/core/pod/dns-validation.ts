import { invalidValue, notSupportedValue, requiredValue } from '../../../meta/field-error.ts';
import { maxSubdomainLength, patternDetail } from '../../../meta/names.ts';
import { enumOf } from '../../../schema/enum-of.ts';
import { validateIp } from '../../validation/addresses.ts';
import { PodSpec } from '../pod-types.ts';
import type { Errors } from './field-checks.ts';

const policies = enumOf(PodSpec, 'dnsPolicy');
const maxServers = 3;
const maxSearches = 32;
const maxSearchesLength = 2048;
const searchLabel = '_?[a-z0-9]([-_a-z0-9]*[a-z0-9])?';
const searchPattern = `${searchLabel}(\\.${searchLabel})*`;
const searchSyntax = new RegExp(`^${searchPattern}$`);
const notSearch = patternDetail(
  "a lowercase RFC 1123 subdomain must consist of lower case alphanumeric characters, '_', '-' or '.', and must start and end with an alphanumeric character",
  searchPattern,
  ['example.com'],
);

export function validateDnsPolicy({ dnsPolicy }: PodSpec, field: string, errors: Errors): void {
  if (!dnsPolicy) errors.push(requiredValue(field));
  else if (!policies.includes(dnsPolicy)) errors.push(notSupportedValue(field, dnsPolicy, policies));
}

export function validateDnsConfig({ dnsPolicy, dnsConfig }: PodSpec, field: string, errors: Errors): void {
  if (dnsPolicy === 'None') {
    if (dnsConfig === undefined) {
      errors.push(requiredValue(field, 'must provide `dnsConfig` when `dnsPolicy` is None'));
    } else if (!dnsConfig.nameservers?.length) {
      const detail = 'must provide at least one DNS nameserver when `dnsPolicy` is None';
      errors.push(requiredValue(`${field}.nameservers`, detail));
      return;
    }
  }
  if (dnsConfig === undefined) return;
  const { nameservers = [], searches = [], options = [] } = dnsConfig;
  if (nameservers.length > maxServers) {
    const detail = `must not have more than ${maxServers} nameservers`;
    errors.push(invalidValue(`${field}.nameservers`, nameservers, detail));
  }
  for (const [index, server] of nameservers.entries()) {
    errors.push(...validateIp(server, `${field}.nameservers[${index}]`));
  }
  validateSearches(searches, `${field}.searches`, errors);
  for (const [index, { name }] of options.entries()) {
    if (!name) errors.push(requiredValue(`${field}.options[${index}]`, 'must not be empty'));
  }
}

function validateSearches(searches: readonly string[], field: string, errors: Errors): void {
  if (searches.length > maxSearches) {
    errors.push(invalidValue(field, searches, `must not have more than ${maxSearches} search paths`));
  }
  if (searches.join(' ').length > maxSearchesLength) {
    const detail = `must not have more than ${maxSearchesLength} characters (including spaces) in the search list`;
    errors.push(invalidValue(field, searches, detail));
  }
  for (const [index, search] of searches.entries()) {
    if (search === '.') continue;
    const name = search.endsWith('.') ? search.slice(0, -1) : search;
    const path = `${field}[${index}]`;
    if (name.length > maxSubdomainLength) {
      errors.push(invalidValue(path, name, `must be no more than ${maxSubdomainLength} characters`));
    }
    if (!searchSyntax.test(name)) errors.push(invalidValue(path, name, notSearch));
  }
}
