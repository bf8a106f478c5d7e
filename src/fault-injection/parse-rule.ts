import type { FaultRule } from './fault-rule.ts';

/** Returns the problem of a value, or undefined. */
type Check = (value: unknown) => string | undefined;

interface Field {
  readonly check: Check;
  readonly required?: boolean;
}

type Fields = Readonly<Record<string, Field>>;

const maxMs = 24 * 60 * 60 * 1000;

const text: Check = (value) => (typeof value === 'string' && value !== '' ? undefined : 'must be a non-empty string');

const integer =
  (min: number, max = Number.MAX_SAFE_INTEGER): Check =>
  (value) => {
    if (Number.isSafeInteger(value) && (value as number) >= min && (value as number) <= max) return undefined;
    return max === Number.MAX_SAFE_INTEGER
      ? `must be an integer of at least ${min}`
      : `must be an integer between ${min} and ${max}`;
  };

const oneOf =
  (...known: readonly unknown[]): Check =>
  (value) =>
    known.includes(value) ? undefined : `must be one of ${known.join(', ')}`;

const pattern: Check = (value) => {
  const values = Array.isArray(value) ? (value as unknown[]) : [value];
  const isPattern = values.length > 0 && values.every((one) => typeof one === 'string');
  return isPattern ? undefined : 'must be a string or a list of strings';
};

const path: Check = (value) => {
  const values = Array.isArray(value) ? (value as unknown[]) : [value];
  const arePaths = values.length > 0 && values.every((one) => typeof one === 'string' && /^(\/|\*$)/.test(one));
  return arePaths ? undefined : 'must be a path or a list of paths, which begin with a slash';
};

const nth: Check = (value) => {
  const values = Array.isArray(value) ? (value as unknown[]) : [value];
  const arePositions = values.length > 0 && values.every((one) => integer(1)(one) === undefined);
  return arePositions ? undefined : 'must be an integer of at least 1, or a list of them';
};

const probability: Check = (value) =>
  typeof value === 'number' && value >= 0 && value <= 1 ? undefined : 'must be a number from 0 to 1';

const milliseconds = integer(0, maxMs);

const delay: Check = (value) => {
  if (!Array.isArray(value)) return milliseconds(value);
  const [min, max] = value as unknown[];
  const isRange = value.length === 2 && [min, max].every((one) => milliseconds(one) === undefined);
  return isRange && (min as number) <= (max as number) ? undefined : `must be a range such as [100, 200]`;
};

const resourceVersion: Check = (value) =>
  typeof value === 'string' && /^[1-9][0-9]{0,15}$/.test(value) ? undefined : 'must be a resource version';

const statusFields: Fields = {
  code: { check: integer(400, 599), required: true },
  reason: { check: text },
  message: { check: text },
  retryAfterSeconds: { check: integer(0, 24 * 60 * 60) },
};

const status: Check = (value) => problemOf(value, statusFields);
const afterEvents: Field = { check: integer(0) };

const actions: Readonly<Record<string, Fields>> = {
  status: statusFields,
  delay: { ms: { check: delay, required: true } },
  hold: {},
  drop: { when: { check: oneOf('before', 'after'), required: true } },
  staleRead: { resourceVersion: { check: resourceVersion } },
  compact: {},
  expireContinue: {},
  holdEvents: { afterEvents },
  delayEvents: { ms: { check: milliseconds, required: true } },
  endWatch: { afterEvents, status: { check: status } },
  cutWatch: { afterEvents },
  refuseConnections: { ms: { check: milliseconds } },
  closePort: { ms: { check: milliseconds, required: true } },
};

const action: Check = (value) => {
  if (!isObject(value)) return 'must be an object';
  const { type, ...rest } = value;
  const known = oneOf(...Object.keys(actions))(type);
  return known === undefined ? problemOf(rest, actions[type as string]!) : `.type: ${known}`;
};

const matchFields: Fields = {
  user: { check: pattern },
  verb: { check: pattern },
  group: { check: pattern },
  resource: { check: pattern },
  subresource: { check: pattern },
  namespace: { check: pattern },
  name: { check: pattern },
  path: { check: path },
};

const ruleFields: Fields = {
  id: { check: (value) => (typeof value === 'string' && /^[\w.-]{1,63}$/.test(value) ? undefined : idProblem) },
  match: { check: (value) => problemOf(value, matchFields) },
  nth: { check: nth },
  first: { check: integer(1) },
  probability: { check: probability },
  seed: { check: integer(0, 2 ** 32 - 1) },
  action: { check: action, required: true },
};

const idProblem = 'must have 1 to 63 letters, digits, dots, dashes and underscores';
const reserved = ['log', 'compact'];

/** Checks a rule from a client. Throws a RangeError that describes the error. */
export function parseRule(value: unknown): FaultRule {
  const problem = problemOf(value, ruleFields) ?? contradiction(value as FaultRule);
  if (problem !== undefined) throw new RangeError(`the fault rule is invalid: ${problem.replace(/^\./, '')}`);
  return value as FaultRule;
}

function contradiction({ id, match, nth: positions, first, probability: chance, seed, action }: FaultRule) {
  if (id !== undefined && reserved.includes(id)) return `id: ${reserved.join(' and ')} are reserved`;
  if (positions !== undefined && first !== undefined) return 'nth and first are mutually exclusive';
  if (positions !== undefined && chance !== undefined) return 'nth and probability are mutually exclusive';
  if (seed !== undefined && chance === undefined && !(action.type === 'delay' && Array.isArray(action.ms))) {
    return 'seed: nothing in this rule is random';
  }
  if (match?.path !== undefined) {
    const others = Object.keys(match).filter((key) => !['path', 'user', 'verb'].includes(key));
    if (others.length > 0) return `match.path excludes match.${others[0]}`;
  }
  if (action.type !== 'refuseConnections' && action.type !== 'closePort') return undefined;
  if (match !== undefined) return 'match: connections have no request to match';
  if (action.type === 'closePort') {
    const counted = Object.entries({ nth: positions, first, probability: chance }).find(
      ([, value]) => value !== undefined,
    );
    return counted && `${counted[0]}: a closed port counts no connections`;
  }
  // No client could connect to remove the rule.
  return first === undefined && action.ms === undefined ? 'refuseConnections needs first or ms' : undefined;
}

function problemOf(value: unknown, fields: Fields): string | undefined {
  if (!isObject(value)) return 'must be an object';
  for (const [key, one] of Object.entries(value)) {
    if (!Object.hasOwn(fields, key)) return `.${key}: unknown field, use ${Object.keys(fields).join(', ') || 'none'}`;
    if (one === undefined) continue;
    const problem = fields[key]!.check(one);
    if (problem !== undefined) return `.${key}${problem.startsWith('.') ? '' : ': '}${problem}`;
  }
  const missing = Object.keys(fields).find((key) => fields[key]!.required && value[key] === undefined);
  return missing === undefined ? undefined : `.${missing}: is required`;
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
