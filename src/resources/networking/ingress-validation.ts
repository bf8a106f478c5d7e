import { type FieldError, invalidValue, notSupportedValue, requiredValue } from '../../meta/field-error.ts';
import { dnsSubdomainErrors, patternDetail } from '../../meta/names.ts';
import type { ResourceObject } from '../../meta/object.ts';
import { validateIngressHostname } from '../core/service/load-balancer-validation.ts';
import { isIp, validateIp } from '../validation/addresses.ts';
import { validateBackend } from './ingress-backend.ts';
import type { HTTPIngressPath, IngressRule, IngressSpec, IngressStatus } from './ingress-types.ts';
import { pathTypes } from './ingress-types.ts';

export const classAnnotation = 'kubernetes.io/ingress.class';

const forbiddenSequences = ['//', '/./', '/../', '%2f', '%2F'];
const forbiddenSuffixes = ['/..', '/.'];

const wildcardPattern = '\\*\\.[a-z0-9]([-a-z0-9]*[a-z0-9])?(\\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*';
const wildcardSyntax = new RegExp(`^${wildcardPattern}$`);
const notWildcard = patternDetail(
  "a wildcard DNS-1123 subdomain must start with '*.', followed by a valid DNS subdomain, which must consist of lower case alphanumeric characters, '-' or '.' and end with an alphanumeric character",
  wildcardPattern,
  ['*.example.com'],
);
const maxHostLength = 253;

/** A new ingress that names its class in both ways must name the same one. */
export function validateClassAnnotation(object: ResourceObject): FieldError[] {
  const annotation = object.metadata.annotations?.[classAnnotation];
  const { ingressClassName } = specOf(object);
  if (annotation === undefined || ingressClassName === undefined || annotation === ingressClassName) return [];
  const detail = 'must match `ingressClassName` when both are specified';
  return [invalidValue(`annotations.${classAnnotation}`, annotation, detail)];
}

function specOf(object: ResourceObject): IngressSpec {
  return (object.spec as IngressSpec | undefined) ?? {};
}

/** Checks that are skipped because the old object does not pass them. */
interface Allowances {
  readonly anySecretName: boolean;
  readonly anyWildcardRule: boolean;
}

export function validateIngress(object: ResourceObject, oldObject?: ResourceObject): FieldError[] {
  const { rules = [], tls = [], defaultBackend, ingressClassName } = specOf(object);
  const allowed =
    oldObject === undefined ? { anySecretName: false, anyWildcardRule: false } : allowances(specOf(oldObject));
  const errors: FieldError[] = [];
  if (rules.length === 0 && defaultBackend === undefined) {
    errors.push(invalidValue('spec', undefined, 'either `defaultBackend` or `rules` must be specified'));
  }
  if (defaultBackend !== undefined) errors.push(...validateBackend(defaultBackend, 'spec.defaultBackend'));
  for (let index = 0; index < rules.length; index++) {
    const path = `spec.rules[${index}]`;
    const { host = '' } = rules[index]!;
    if (host !== '') errors.push(...ruleHostErrors(host, `${path}.host`));
    if (!host.includes('*') || !allowed.anyWildcardRule) errors.push(...ruleErrors(rules[index]!, path));
  }
  for (let index = 0; index < tls.length; index++) {
    const path = `spec.tls[${index}]`;
    const { hosts = [], secretName = '' } = tls[index]!;
    for (const [at, host] of hosts.entries()) errors.push(...hostErrors(host, `${path}.hosts[${at}]`));
    if (!allowed.anySecretName) errors.push(...secretNameErrors(secretName, `${path}.secretName`));
  }
  for (const detail of ingressClassName === undefined ? [] : dnsSubdomainErrors(ingressClassName)) {
    errors.push(invalidValue('spec.ingressClassName', ingressClassName, detail));
  }
  return errors;
}

function allowances({ rules = [], tls = [] }: IngressSpec): Allowances {
  return {
    anySecretName: tls.some(({ secretName = '' }) => secretNameErrors(secretName, '').length > 0),
    anyWildcardRule: rules.some((rule) => rule.host?.includes('*') && ruleErrors(rule, '').length > 0),
  };
}

function ruleHostErrors(host: string, path: string): FieldError[] {
  const errors = isIp(host) ? [invalidValue(path, host, 'must be a DNS name, not an IP address')] : [];
  return [...errors, ...hostErrors(host, path)];
}

function hostErrors(host: string, path: string): FieldError[] {
  const problems = host.includes('*') ? wildcardProblems(host) : dnsSubdomainErrors(host);
  return problems.map((detail) => invalidValue(path, host, detail));
}

function wildcardProblems(host: string): string[] {
  const problems: string[] = [];
  if (Buffer.byteLength(host) > maxHostLength) problems.push(`must be no more than ${maxHostLength} characters`);
  if (!wildcardSyntax.test(host)) problems.push(notWildcard);
  return problems;
}

function secretNameErrors(name: string, path: string): FieldError[] {
  return name === '' ? [] : dnsSubdomainErrors(name).map((detail) => invalidValue(path, name, detail));
}

function ruleErrors({ http }: IngressRule, path: string): FieldError[] {
  if (http === undefined) return [];
  const paths = http.paths ?? [];
  if (paths.length === 0) return [requiredValue(`${path}.http.paths`)];
  return paths.flatMap((item, index) => pathErrors(item, `${path}.http.paths[${index}]`));
}

function pathErrors({ path: text = '', pathType, backend = {} }: HTTPIngressPath, at: string): FieldError[] {
  if (pathType === undefined || pathType === null) {
    return [requiredValue(`${at}.pathType`, 'pathType must be specified')];
  }
  const errors: FieldError[] = [];
  const isMatched = pathType === 'Exact' || pathType === 'Prefix';
  if (!pathTypes.includes(pathType)) {
    errors.push(notSupportedValue(`${at}.pathType`, pathType, pathTypes));
  } else if (!text.startsWith('/') && (isMatched || text !== '')) {
    errors.push(invalidValue(`${at}.path`, text, 'must be an absolute path'));
  }
  for (const sequence of isMatched ? forbiddenSequences : []) {
    if (text.includes(sequence)) errors.push(invalidValue(`${at}.path`, text, `must not contain '${sequence}'`));
  }
  for (const suffix of isMatched ? forbiddenSuffixes : []) {
    if (text.endsWith(suffix)) errors.push(invalidValue(`${at}.path`, text, `cannot end with '${suffix}'`));
  }
  return [...errors, ...validateBackend(backend, `${at}.backend`)];
}

export function validateIngressStatus(next: ResourceObject, oldObject: ResourceObject): FieldError[] {
  const ingress = ({ status }: ResourceObject) => (status as IngressStatus | undefined)?.loadBalancer?.ingress ?? [];
  const existing = ingress(oldObject).flatMap(({ ip }) => (ip ? [ip] : []));
  return ingress(next).flatMap(({ ip, hostname }, index) => {
    const path = `status.loadBalancer.ingress[${index}]`;
    const errors = ip ? validateIp(ip, `${path}.ip`, existing) : [];
    return [...errors, ...validateIngressHostname(hostname, `${path}.hostname`)];
  });
}
