import { type Fields, type Found, hide, isRecord, mapFields } from './hide.ts';
import { redacted } from './redacted.ts';

type Redact = (value: unknown, found: Found) => unknown;

/** A type whose objects hold secrets. */
export interface Holder {
  readonly group: string;
  readonly resource: string;
  /** Undefined for all of them. */
  readonly subresource?: string;
  readonly kind: string;
  /** What may be shown of its fields. Every other one is secret. */
  readonly fields: ReadonlyMap<string, Redact>;
}

const shown: Redact = (value) => value;

/** `kubectl apply` keeps the whole object here, with everything in it. */
const lastApplied = 'kubectl.kubernetes.io/last-applied-configuration';

const common: readonly (readonly [string, Redact])[] = [
  ['kind', shown],
  ['apiVersion', shown],
  ['metadata', redactMetadata],
];

export const holders: readonly Holder[] = [
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

/** A map of which all but these fields are secret. */
function only(names: readonly string[]): Redact {
  return (value, found) => {
    if (!isRecord(value)) return hide(value, found);
    return mapFields(value, (name, inner) => (names.includes(name) ? inner : hideWhole(inner, found)));
  };
}

function hideWhole(value: unknown, found: Found): unknown {
  const hidden = hide(value, found);
  return hidden === null || hidden === undefined ? hidden : redacted;
}

export function redactFields(object: Fields, { fields }: Pick<Holder, 'fields'>, found: Found): Fields {
  return mapFields(object, (name, value) => (fields.get(name) ?? hide)(value, found));
}

function redactMetadata(metadata: unknown, found: Found): unknown {
  if (!isRecord(metadata)) return hide(metadata, found);
  return mapFields(metadata, (name, value) => (name === 'annotations' ? redactAnnotations(value, found) : value));
}

function redactAnnotations(annotations: unknown, found: Found): unknown {
  if (!isRecord(annotations)) return hide(annotations, found);
  return mapFields(annotations, (name, value) => (name === lastApplied ? hide(value, found) : value));
}

/** A value that stands at this path in an object of the type. */
export function redactAt(path: readonly string[], value: unknown, { holder, found }: { holder: Holder; found: Found }) {
  const [field, second, third] = path;
  if (field === undefined) return isRecord(value) ? redactFields(value, holder, found) : hide(value, found);
  if (field === 'metadata' && second !== undefined) {
    if (second !== 'annotations') return value;
    if (third === undefined) return redactAnnotations(value, found);
    return third === lastApplied ? hide(value, found) : value;
  }
  // Deeper inside of a field nothing is known to be harmless.
  return (second === undefined ? (holder.fields.get(field) ?? hide) : hideWhole)(value, found);
}
