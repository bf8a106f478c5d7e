import { X509Certificate } from 'node:crypto';
import { duplicateValue, type FieldError, invalidValue, requiredValue } from '../../meta/field-error.ts';
import { goQuote } from '../../meta/go-quote.ts';
import type { IssuerConfiguration } from './authentication-configuration.ts';
import type { IssuerDocument } from './authentication-document.ts';

const pemCertificate = /-----BEGIN CERTIFICATE-----[^-]+-----END CERTIFICATE-----/g;
const urlSyntax = /^(?:([a-zA-Z][a-zA-Z0-9+.-]*):)?(?:\/\/([^/?#]*))?[^?#]*(?:\?([^#]*))?(?:#(.*))?$/s;

export interface IssuerContext {
  readonly field: string;
  /** The issuers of this server's own tokens. */
  readonly disallowedIssuers: readonly string[];
}

/** Validates the issuer and adds its errors to `errors`. */
export function validateIssuer(
  document: IssuerDocument,
  { field, disallowedIssuers }: IssuerContext,
  errors: FieldError[],
): IssuerConfiguration {
  const url = document.url ?? '';
  const discoveryUrl = document.discoveryURL ?? '';
  const certificateAuthority = document.certificateAuthority ?? '';
  if (url === '') errors.push(requiredValue(`${field}.url`));
  else errors.push(...disallowedErrors(url, `${field}.url`, disallowedIssuers), ...urlErrors(url, `${field}.url`));
  if (discoveryUrl !== '') errors.push(...discoveryErrors(url, discoveryUrl, `${field}.discoveryURL`));
  errors.push(...audienceErrors(document, field));
  if (certificateAuthority !== '')
    errors.push(...authorityErrors(certificateAuthority, `${field}.certificateAuthority`));
  if ((document.egressSelectorType ?? '') !== '') {
    const detail = 'egress selector is not supported';
    errors.push(invalidValue(`${field}.egressSelectorType`, document.egressSelectorType, detail));
  }
  return {
    url,
    audiences: document.audiences ?? [],
    ...(discoveryUrl !== '' && { discoveryUrl }),
    ...(certificateAuthority !== '' && { certificateAuthority }),
  };
}

function disallowedErrors(url: string, field: string, disallowed: readonly string[]): FieldError[] {
  if (!disallowed.includes(url)) return [];
  const all = [...new Set(disallowed)].sort().join(' ');
  return [invalidValue(field, url, `URL must not overlap with disallowed issuers: [${all}]`)];
}

function discoveryErrors(url: string, discoveryUrl: string, field: string): FieldError[] {
  const errors: FieldError[] = [];
  const bare = (text: string): string => text.replace(/\/+$/, '');
  if (url !== '' && bare(url) === bare(discoveryUrl)) {
    errors.push(invalidValue(field, discoveryUrl, 'discoveryURL must be different from URL'));
  }
  return [...errors, ...urlErrors(discoveryUrl, field)];
}

function urlErrors(url: string, field: string): FieldError[] {
  if (/[\x00-\x1f\x7f]/.test(url)) {
    return [invalidValue(field, url, `parse ${goQuote(url)}: net/url: invalid control character in URL`)];
  }
  const errors: FieldError[] = [];
  const [, scheme = '', host = '', query = '', fragment = ''] = urlSyntax.exec(url) ?? [];
  if (scheme.toLowerCase() !== 'https') errors.push(invalidValue(field, url, 'URL scheme must be https'));
  else if (!URL.canParse(url) || host === '')
    errors.push(invalidValue(field, url, `parse ${goQuote(url)}: invalid URL`));
  if (host.includes('@')) errors.push(invalidValue(field, url, 'URL must not contain a username or password'));
  if (query !== '') errors.push(invalidValue(field, url, 'URL must not contain a query'));
  if (fragment !== '') errors.push(invalidValue(field, url, 'URL must not contain a fragment'));
  return errors;
}

function audienceErrors({ audiences, audienceMatchPolicy }: IssuerDocument, field: string): FieldError[] {
  const all = audiences ?? [];
  const policy = audienceMatchPolicy ?? '';
  if (all.length === 0) {
    return [requiredValue(`${field}.audiences`, `at least one ${field}.audiences is required`)];
  }
  const errors: FieldError[] = [];
  for (const [index, audience] of all.entries()) {
    if (audience === '') errors.push(requiredValue(`${field}.audiences[${index}]`));
    if (all.indexOf(audience) !== index) errors.push(duplicateValue(`${field}.audiences[${index}]`, audience));
  }
  if (all.length > 1 && policy !== 'MatchAny') {
    const detail = 'audienceMatchPolicy must be MatchAny for multiple audiences';
    errors.push(invalidValue(`${field}.audienceMatchPolicy`, policy, detail));
  } else if (all.length === 1 && policy !== '' && policy !== 'MatchAny') {
    const detail = 'audienceMatchPolicy must be empty or MatchAny for single audience';
    errors.push(invalidValue(`${field}.audienceMatchPolicy`, policy, detail));
  }
  return errors;
}

/** The message omits the PEM text, which is long. */
function authorityErrors(pem: string, field: string): FieldError[] {
  const blocks = pem.match(pemCertificate) ?? [];
  if (blocks.length === 0) {
    return [invalidValue(field, '<omitted>', 'data does not contain any valid RSA or ECDSA certificates')];
  }
  try {
    for (const block of blocks) new X509Certificate(block);
    return [];
  } catch (error) {
    return [invalidValue(field, '<omitted>', (error as Error).message)];
  }
}
