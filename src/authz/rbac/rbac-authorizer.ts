import { joinedErrors } from '../../meta/joined-errors.ts';
import type { UserInfo } from '../../meta/user.ts';
import type { Attributes, Authorizer, Decision } from '../authorizer.ts';
import type { NonResourceRule, ResourceRule, RuleResolver, UserRules } from '../rule-resolver.ts';
import type { RoleRef } from './binding.ts';
import { closestRule } from './closest-rule.ts';
import { type Grant, missingRoleText } from './grant.ts';
import { GrantsByUser } from './grants-by-user.ts';
import type { PolicyRule } from './policy-rule.ts';
import type { RbacIndex } from './rbac-index.ts';

/** The rules of a user in a namespace, and the bound roles that do not exist. */
export interface HeldRules {
  readonly rules: readonly PolicyRule[];
  readonly missing: readonly RoleRef[];
}

/** Looks up the rules of users and roles. */
export interface RbacRules {
  /** The rules of cluster scope and, unless `namespace` is empty, of the namespace, in evaluation order. */
  heldRules(user: UserInfo, namespace: string): HeldRules;
  /** The rules of a role as referred to by a binding in the namespace. Undefined when the role does not exist. */
  roleRules(role: RoleRef, namespace: string): readonly PolicyRule[] | undefined;
}

/**
 * Allows what the roles bound to a user or its groups allow. Bindings of cluster scope are evaluated first, then those
 * of the namespace, both sorted by name. Never denies. Synchronous.
 */
export class RbacAuthorizer implements Authorizer, RuleResolver, RbacRules {
  readonly #index: RbacIndex;
  readonly #grants: GrantsByUser;

  constructor(index: RbacIndex) {
    this.#index = index;
    this.#grants = new GrantsByUser(index);
  }

  authorize({ user, verb, resource, path }: Attributes): Decision {
    const grants = this.#grants.of(user);
    const { cluster } = grants;
    if (resource === undefined) return cluster.onPath(verb, path) ?? cluster.refusal;
    const everywhere = cluster.onResource(verb, resource);
    if (everywhere !== undefined) return everywhere;
    if (resource.namespace === '') return cluster.refusal;
    const here = grants.inNamespace(resource.namespace);
    return here === cluster ? cluster.refusal : (here.onResource(verb, resource) ?? here.refusal);
  }

  rulesFor(user: UserInfo, namespace: string): UserRules {
    const { rules, missing } = this.heldRules(user, namespace);
    return {
      resourceRules: rules.filter(({ resources }) => resources.length > 0).map(resourceRule),
      nonResourceRules: rules.filter(({ nonResourceURLs }) => nonResourceURLs.length > 0).map(nonResourceRule),
      // As in kube-apiserver: a missing role grants nothing, so the list is complete.
      incomplete: false,
      evaluationError: joinedErrors(missing.map((role) => missingRoleText(role))),
    };
  }

  heldRules(user: UserInfo, namespace: string): HeldRules {
    const grants = this.#grantsIn(user, namespace);
    return {
      rules: grants.flatMap(({ rules }) => rules),
      missing: grants.filter(({ isMissing }) => isMissing).map(({ binding }) => binding.roleRef),
    };
  }

  roleRules(role: RoleRef, namespace: string): readonly PolicyRule[] | undefined {
    return this.#index.rulesOf(role, namespace);
  }

  /**
   * For a refused request: describes the rule that would allow it if exactly one thing were different. The text reveals
   * the user's permissions, so show it only to the user and to administrators.
   */
  closestRule(attributes: Attributes): string | undefined {
    return closestRule(this.#grants.of(attributes.user), attributes);
  }

  #grantsIn(user: UserInfo, namespace: string): readonly Grant[] {
    const grants = this.#grants.of(user);
    const { cluster } = grants;
    if (namespace === '') return cluster.grants;
    const here = grants.inNamespace(namespace);
    return here === cluster ? cluster.grants : [...cluster.grants, ...here.grants];
  }
}

function resourceRule({ verbs, apiGroups, resources, resourceNames }: PolicyRule): ResourceRule {
  return { verbs, apiGroups, resources, ...(resourceNames.length > 0 && { resourceNames }) };
}

function nonResourceRule({ verbs, nonResourceURLs }: PolicyRule): NonResourceRule {
  return { verbs, nonResourceURLs };
}
