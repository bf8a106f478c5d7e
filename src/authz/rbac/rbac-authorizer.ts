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

/** The rules that a user has in a namespace, and the roles that could not be found. */
export interface HeldRules {
  readonly rules: readonly PolicyRule[];
  readonly missing: readonly RoleRef[];
}

/** Where the rules of users and roles are to be had. */
export interface RbacRules {
  /** Those of the cluster scope and, unless it is empty, of the namespace; in the order in which they are asked. */
  heldRules(user: UserInfo, namespace: string): HeldRules;
  /** The rules that a binding in the namespace would give. Undefined when there is no such role. */
  roleRules(role: RoleRef, namespace: string): readonly PolicyRule[] | undefined;
}

/**
 * Allows what the roles that are bound to a user or its groups allow. Bindings of the cluster scope are asked first, then those
 * of the namespace, both by name. It never denies, and it answers at once.
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
      // As in kube-apiserver: a missing role grants nothing, so the list is complete all the same.
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
   * For a request that was refused: the rule that would allow it if one thing were different, in a sentence. Undefined when there
   * is none. It tells what the user may do, so it is for the user and for those who run the server.
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
