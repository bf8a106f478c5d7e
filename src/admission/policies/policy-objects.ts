import type { ObjectLabelSelector } from '../../meta/object-label-selector.ts';
import type { MatchCondition } from '../expressions/index.ts';
import type { MatchConstraints } from '../matching/index.ts';

// The fields that validating and mutating policies share. Stored objects may predate current rules.

export interface PolicySpec {
  readonly paramKind?: ParamKind;
  readonly matchConstraints?: MatchConstraints;
  /** `Fail` or `Ignore`. */
  readonly failurePolicy?: string;
  readonly matchConditions?: readonly MatchCondition[];
  readonly variables?: readonly { readonly name?: string; readonly expression?: string }[];
}

export interface ParamKind {
  readonly apiVersion?: string;
  readonly kind?: string;
}

export interface BindingSpec {
  readonly policyName?: string;
  readonly paramRef?: ParamRef;
  readonly matchResources?: MatchConstraints;
}

export interface ParamRef {
  readonly name?: string;
  readonly namespace?: string;
  readonly selector?: ObjectLabelSelector;
  /** `Allow` or `Deny`. */
  readonly parameterNotFoundAction?: string;
}

/** A policy or a binding by its name. */
export interface NamedSpec<Spec> {
  readonly name: string;
  readonly spec: Spec;
}
