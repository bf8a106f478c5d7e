import { type Fields, type Found, isRecord, mapFields, redactAll } from './redact-all.ts';
import { redacted } from './redacted.ts';

type Redact = (value: unknown, found: Found) => unknown;

/** A type whose objects contain secrets. */
export interface SecretKind {
  readonly group: string;
  readonly resource: string;
  /** Undefined matches all subresources. */
  readonly subresource?: string;
  readonly kind: string;
  /** The fields that may be recorded. All others are secret. */
  readonly fields: ReadonlyMap<string, Redact>;
}

const shown: Redact = (value) => value;

/** `kubectl apply` stores the whole object in this annotation, including its secrets. */
const lastApplied = 'kubectl.kubernetes.io/last-applied-configuration';

const common: readonly (readonly [string, Redact])[] = [
  ['kind', shown],
  ['apiVersion', shown],
  ['metadata', redactMetadata],
];

export const secretKinds: readonly SecretKind[] = [
  {
    group: '',
    resource: 'secrets',
    kind: 'Secret',
    fields: new Map([...common, ['type', shown], ['immutable', shown]]),
  },
  {
    group: '',
    resource: 'serviceaccounts',
    subresource: 'token',
    kind: 'TokenRequest',
    fields: new Map([
      ...common,
      ['spec', only(['audiences', 'expirationSeconds', 'boundObjectRef'])],
      ['status', only(['expirationTimestamp'])],
    ]),
  },
  {
    group: 'authentication.k8s.io',
    resource: 'tokenreviews',
    kind: 'TokenReview',
    fields: new Map([
      ...common,
      ['spec', only(['audiences'])],
      ['status', only(['authenticated', 'user', 'audiences', 'error'])],
    ]),
  },
];

/** Keeps these fields of a map and removes all others. */
function only(names: readonly string[]): Redact {
  return (value, found) => {
    if (!isRecord(value)) return redactAll(value, found);
    return mapFields(value, (name, inner) => (names.includes(name) ? inner : hideWhole(inner, found)));
  };
}

function hideWhole(value: unknown, found: Found): unknown {
  const hidden = redactAll(value, found);
  return hidden === null || hidden === undefined ? hidden : redacted;
}

export function redactFields(object: Fields, { fields }: Pick<SecretKind, 'fields'>, found: Found): Fields {
  return mapFields(object, (name, value) => (fields.get(name) ?? redactAll)(value, found));
}

function redactMetadata(metadata: unknown, found: Found): unknown {
  if (!isRecord(metadata)) return redactAll(metadata, found);
  return mapFields(metadata, (name, value) => (name === 'annotations' ? redactAnnotations(value, found) : value));
}

function redactAnnotations(annotations: unknown, found: Found): unknown {
  if (!isRecord(annotations)) return redactAll(annotations, found);
  return mapFields(annotations, (name, value) => (name === lastApplied ? redactAll(value, found) : value));
}

/** Redacts a value at a path in an object of the type. */
export function redactAt(
  path: readonly string[],
  value: unknown,
  { secretKind, found }: { secretKind: SecretKind; found: Found },
) {
  const [field, second, third] = path;
  if (field === undefined) return isRecord(value) ? redactFields(value, secretKind, found) : redactAll(value, found);
  if (field === 'metadata' && second !== undefined) {
    if (second !== 'annotations') return value;
    if (third === undefined) return redactAnnotations(value, found);
    return third === lastApplied ? redactAll(value, found) : value;
  }
  // Below a field nothing is known to be harmless.
  return (second === undefined ? (secretKind.fields.get(field) ?? redactAll) : hideWhole)(value, found);
}
