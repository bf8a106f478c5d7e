import { type FieldError, invalidValue, requiredValue, tooLong } from '../../meta/field-error.ts';
import type { ResourceObject } from '../../meta/object.ts';
import { dataKeyErrors } from '../validation/data-keys.ts';
import { base64Size, maxDataBytes } from './data-size.ts';
import { jsonObjectProblem } from './json-object-problem.ts';

type Data = Readonly<Record<string, string>>;

const accountAnnotation = 'kubernetes.io/service-account.name';

export function validateSecret(secret: ResourceObject): FieldError[] {
  const data = (secret.data ?? {}) as Data;
  const errors: FieldError[] = [];
  let size = 0;
  for (const key in data) {
    for (const detail of dataKeyErrors(key)) errors.push(invalidValue(`data[${key}]`, key, detail));
    size += base64Size(data[key]!);
  }
  if (size > maxDataBytes) errors.push(tooLong('data', maxDataBytes));
  errors.push(...typeErrors(secret, data));
  return errors;
}

/** Checks the keys that well-known types require. Other types, including bootstrap tokens, may have any keys. */
function typeErrors({ type, metadata }: ResourceObject, data: Data): FieldError[] {
  switch (type) {
    case 'kubernetes.io/service-account-token':
      return metadata.annotations?.[accountAnnotation]
        ? []
        : [requiredValue(`metadata.annotations[${accountAnnotation}]`)];
    case 'kubernetes.io/dockercfg':
      return dockerConfigErrors(data, '.dockercfg');
    case 'kubernetes.io/dockerconfigjson':
      return dockerConfigErrors(data, '.dockerconfigjson');
    case 'kubernetes.io/basic-auth':
      // One of the two keys is enough, and its value may be empty.
      return Object.hasOwn(data, 'username') || Object.hasOwn(data, 'password')
        ? []
        : missing(data, ['username', 'password']);
    case 'kubernetes.io/ssh-auth':
      return data['ssh-privatekey'] ? [] : [requiredValue('data[ssh-privatekey]')];
    case 'kubernetes.io/tls':
      return missing(data, ['tls.crt', 'tls.key']);
    default:
      return [];
  }
}

function missing(data: Data, keys: readonly string[]): FieldError[] {
  return keys.filter((key) => !Object.hasOwn(data, key)).map((key) => requiredValue(`data[${key}]`));
}

function dockerConfigErrors(data: Data, key: string): FieldError[] {
  const encoded = data[key];
  if (encoded === undefined) return [requiredValue(`data[${key}]`)];
  const problem = jsonObjectProblem(Buffer.from(encoded, 'base64').toString());
  return problem === undefined ? [] : [invalidValue(`data[${key}]`, '<secret contents redacted>', problem)];
}
