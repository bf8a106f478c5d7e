import { goQuote } from '../../meta/go-quote.ts';
import type { Decision } from '../authorizer.ts';
import { type Binding, bindingText, type RoleRef, type Subject } from './binding.ts';
import type { PolicyRule } from './policy-rule.ts';

/** The permissions that one binding gives to one user. */
export class Grant {
  readonly binding: Binding;
  /** Empty when the role is missing. */
  readonly rules: readonly PolicyRule[];
  readonly isMissing: boolean;
  readonly #subject: Subject;
  #allowed: Decision | undefined = undefined;

  constructor(binding: Binding, subject: Subject, rules: readonly PolicyRule[] | undefined) {
    this.binding = binding;
    this.#subject = subject;
    this.rules = rules ?? [];
    this.isMissing = rules === undefined;
  }

  /** Created on first use, because most grants never decide a request. */
  get allowed(): Decision {
    this.#allowed ??= { decision: 'allow', reason: `RBAC: allowed by ${bindingText(this.binding, this.#subject)}` };
    return this.#allowed;
  }
}

/**
 * Returns the reason why the rules of a role are unknown. `resource` is the resource name used for the role in the
 * message.
 */
export function missingRoleText({ kind, name }: RoleRef, resource = kind.toLowerCase()): string {
  if (kind !== 'Role' && kind !== 'ClusterRole') return `unsupported role reference kind: ${goQuote(kind)}`;
  return `${resource}.rbac.authorization.k8s.io ${goQuote(name)} not found`;
}
