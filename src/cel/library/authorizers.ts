import { dnsLabelErrors, dnsSubdomainErrors } from '../../meta/names.ts';
import { CelError } from '../cel-error.ts';
import { defineFunction, type Overload } from '../checker/declarations.ts';
import { type CallCost, exactly, unitCost } from '../cost/call-cost.ts';
import { OpaqueValue } from '../evaluate/values.ts';
import { parseCost } from './text-costs.ts';

/** The action that an expression checks. */
export interface AccessCheck {
  readonly verb: string;
  /** Undefined for the user of the authorizer. */
  readonly serviceAccount?: { readonly namespace: string; readonly name: string } | undefined;
  /** Undefined for a resource. */
  readonly path?: string;
  /** Undefined for a path. */
  readonly resource?: CheckedResource;
}

/** Fields that an expression does not set are empty. */
export interface CheckedResource {
  readonly group: string;
  readonly resource: string;
  readonly subresource: string;
  readonly namespace: string;
  readonly name: string;
  readonly fieldSelector: string;
  readonly labelSelector: string;
}

export interface AccessDecision {
  readonly isAllowed: boolean;
  readonly reason: string;
  /** The error that prevented a decision. */
  readonly error?: Error | undefined;
}

/** An exception ends the evaluation, unless it is a `CelError`. */
export type CheckAccess = (check: AccessCheck) => AccessDecision;

/** The base of the values of this library. None of them can be compared. */
abstract class AccessValue extends OpaqueValue {
  equals(other: OpaqueValue): boolean {
    return other === this;
  }
}

/** The variable `authorizer`. */
export class AuthorizerValue extends AccessValue {
  readonly typeName = 'kubernetes.authorization.Authorizer';
  readonly #check: CheckAccess;
  readonly #account: AccessCheck['serviceAccount'];

  constructor(check: CheckAccess, account?: AccessCheck['serviceAccount']) {
    super();
    this.#check = check;
    this.#account = account;
  }

  as(namespace: string, name: string): AuthorizerValue {
    if (dnsSubdomainErrors(name).length > 0) throw new CelError('Invalid service account name');
    if (dnsLabelErrors(namespace).length > 0) throw new CelError('Invalid service account namespace');
    return new AuthorizerValue(this.#check, { namespace, name });
  }

  /** A check of a resource with some fields set. */
  resource(resource: Partial<CheckedResource>): ResourceCheckValue {
    return new ResourceCheckValue(this, { ...noResource, ...resource });
  }

  decide(check: Pick<AccessCheck, 'verb' | 'path' | 'resource'>): DecisionValue {
    return new DecisionValue(this.#check({ ...check, serviceAccount: this.#account }));
  }
}

const noResource: CheckedResource = {
  group: '',
  resource: '',
  subresource: '',
  namespace: '',
  name: '',
  fieldSelector: '',
  labelSelector: '',
};

class PathCheckValue extends AccessValue {
  readonly typeName = 'kubernetes.authorization.PathCheck';
  readonly authorizer: AuthorizerValue;
  readonly path: string;

  constructor(authorizer: AuthorizerValue, path: string) {
    super();
    this.authorizer = authorizer;
    this.path = path;
  }
}

class GroupCheckValue extends AccessValue {
  readonly typeName = 'kubernetes.authorization.GroupCheck';
  readonly authorizer: AuthorizerValue;
  readonly group: string;

  constructor(authorizer: AuthorizerValue, group: string) {
    super();
    this.authorizer = authorizer;
    this.group = group;
  }
}

/** Also the variable `authorizer.requestResource`. */
class ResourceCheckValue extends AccessValue {
  readonly typeName = 'kubernetes.authorization.ResourceCheck';
  readonly authorizer: AuthorizerValue;
  readonly resource: CheckedResource;

  constructor(authorizer: AuthorizerValue, resource: CheckedResource) {
    super();
    this.authorizer = authorizer;
    this.resource = resource;
  }
}

class DecisionValue extends AccessValue {
  readonly typeName = 'kubernetes.authorization.Decision';
  readonly decision: AccessDecision;

  constructor(decision: AccessDecision) {
    super();
    this.decision = decision;
  }
}

/** Sets a field of a resource check. */
const set =
  (field: keyof CheckedResource) =>
  ({ authorizer, resource }: ResourceCheckValue, value: string): ResourceCheckValue =>
    new ResourceCheckValue(authorizer, { ...resource, [field]: value });

function nonEmpty(value: string, what: string): string {
  if (value.trim() === '') throw new CelError(`${what} must not be empty`);
  return value;
}

/** With this cost, an expression can make at most two checks. */
const checkCost: CallCost = { actual: () => 350_000, estimate: () => ({ cost: exactly(350_000) }) };
const unit = { cost: unitCost };
const parse = { cost: { ...parseCost, actual: ([, text]) => parseCost.actual!([text]) } as CallCost };

/** The functions of the variable `authorizer`. */
export const authorizers: readonly Overload[] = [
  defineFunction(
    'path',
    {
      'Authorizer.(string): PathCheck': (authorizer: AuthorizerValue, path: string) =>
        new PathCheckValue(authorizer, nonEmpty(path, 'path')),
    },
    unit,
  ),
  defineFunction(
    'group',
    {
      'Authorizer.(string): GroupCheck': (authorizer: AuthorizerValue, group: string) =>
        new GroupCheckValue(authorizer, group),
    },
    unit,
  ),
  defineFunction(
    'serviceAccount',
    {
      'Authorizer.(string, string): Authorizer': (authorizer: AuthorizerValue, namespace: string, name: string) =>
        authorizer.as(namespace, name),
    },
    unit,
  ),
  defineFunction(
    'resource',
    {
      'GroupCheck.(string): ResourceCheck': ({ authorizer, group }: GroupCheckValue, resource: string) =>
        authorizer.resource({ group, resource: nonEmpty(resource, 'resource') }),
    },
    unit,
  ),
  ...(['subresource', 'namespace', 'name'] as const).map((field) =>
    defineFunction(field, { 'ResourceCheck.(string): ResourceCheck': set(field) }, unit),
  ),
  ...(['fieldSelector', 'labelSelector'] as const).map((field) =>
    defineFunction(field, { 'ResourceCheck.(string): ResourceCheck': set(field) }, parse),
  ),
  defineFunction(
    'check',
    {
      'PathCheck.(string): Decision': ({ authorizer, path }: PathCheckValue, verb: string) =>
        authorizer.decide({ verb, path }),
      'ResourceCheck.(string): Decision': ({ authorizer, resource }: ResourceCheckValue, verb: string) =>
        authorizer.decide({ verb, resource }),
    },
    { cost: checkCost },
  ),
  defineFunction('allowed', { 'Decision.(): bool': ({ decision }: DecisionValue) => decision.isAllowed }, unit),
  defineFunction('reason', { 'Decision.(): string': ({ decision }: DecisionValue) => decision.reason }, unit),
  defineFunction(
    'errored',
    { 'Decision.(): bool': ({ decision }: DecisionValue) => decision.error !== undefined },
    unit,
  ),
  defineFunction(
    'error',
    { 'Decision.(): string': ({ decision }: DecisionValue) => decision.error?.message ?? '' },
    unit,
  ),
].flat();
