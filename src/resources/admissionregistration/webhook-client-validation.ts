import { type FieldError, invalidValue, requiredValue } from '../../meta/field-error.ts';
import { dnsSubdomainErrors } from '../../meta/names.ts';
import { parseGoUrl } from './go-url.ts';
import type { ServiceReference, WebhookClientConfig } from './webhook-configuration-types.ts';

const urlFormat = '; desired format: https://host[/path]';

export function validateWebhookClient(config: WebhookClientConfig, path: string, errors: FieldError[]): void {
  const { url, service } = config;
  if ((url === undefined) === (service === undefined)) {
    errors.push(requiredValue(path, 'exactly one of url or service is required'));
  } else if (url !== undefined) {
    validateUrl(url, `${path}.url`, errors);
  } else {
    validateService(service!, `${path}.service`, errors);
  }
}

function validateUrl(text: string, path: string, errors: FieldError[]): void {
  const url = parseGoUrl(text);
  if (typeof url === 'string') {
    errors.push(requiredValue(path, `url must be a valid URL: ${url}${urlFormat}`));
    return;
  }
  const { scheme, host, user, fragment, query } = url;
  if (scheme !== 'https') {
    errors.push(invalidValue(path, scheme, `'https' is the only allowed URL scheme${urlFormat}`));
  }
  if (host === '') errors.push(invalidValue(path, host, `host must be specified${urlFormat}`));
  if (user !== undefined) errors.push(invalidValue(path, user, 'user information is not permitted in the URL'));
  if (fragment !== '') errors.push(invalidValue(path, fragment, 'fragments are not permitted in the URL'));
  if (query !== '') errors.push(invalidValue(path, query, 'query parameters are not permitted in the URL'));
}

function validateService({ namespace, name, path: urlPath, port }: ServiceReference, at: string, errors: FieldError[]) {
  // kube-apiserver swaps the two field names in these errors. Clients see the same here.
  if (!namespace) errors.push(requiredValue(`${at}.name`));
  if (!name) errors.push(requiredValue(`${at}.namespace`));
  validatePort(port, `${at}.port`, errors);
  if (urlPath !== undefined) validateUrlPath(urlPath, `${at}.path`, errors);
}

export function validatePort(port: number | undefined, path: string, errors: FieldError[]): void {
  if (port !== undefined && port >= 1 && port <= 65535) return;
  errors.push(invalidValue(path, port ?? 0, 'port is not valid: must be between 1 and 65535, inclusive'));
}

function validateUrlPath(urlPath: string, path: string, errors: FieldError[]): void {
  if (urlPath === '' || urlPath === '/') return;
  if (!urlPath.startsWith('/')) errors.push(invalidValue(path, urlPath, "must start with a '/'"));
  const checked = urlPath.slice(1, urlPath.length > 2 && urlPath.endsWith('/') ? -1 : undefined);
  const segments = urlPath === '//' ? [''] : checked.split('/');
  for (let index = 0; index < segments.length; index++) {
    const segment = segments[index]!;
    if (segment === '') {
      errors.push(invalidValue(path, urlPath, `segment[${index}] may not be empty`));
      continue;
    }
    for (const detail of dnsSubdomainErrors(segment)) {
      errors.push(invalidValue(path, urlPath, `segment[${index}]: ${detail}`));
    }
  }
}
