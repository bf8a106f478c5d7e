import { isDeepStrictEqual } from 'node:util';
import type { Authorizer, RequestedResource } from '../../authz/index.ts';
import {
  missingRoleText,
  type PolicyRule,
  policyRules,
  type RbacRules,
  type RoleRef,
  roleRefOf,
  rulesText,
  TooManyRulesError,
  uncoveredRules,
} from '../../authz/rbac/index.ts';
import { goQuote, goQuoteList } from '../../meta/go-quote.ts';
import { joinedErrors } from '../../meta/joined-errors.ts';
import { type MaybePromise, mapMaybe } from '../../meta/maybe-promise.ts';
import type { ResourceObject } from '../../meta/object.ts';
import { forbidden, notFound, type StatusError } from '../../meta/status-error.ts';
import type { AdmissionPlugin } from '../admission-plugin.ts';
import type { AdmissionRequest } from '../admission-request.ts';

export interface RoleEscalationOptions {
  /** All authorizers combined: any of them may allow `escalate` or `bind`. */
  readonly authorizer: Authorizer;
  readonly rbac: RbacRules;
}

const group = 'rbac.authorization.k8s.io';
const single: Omit<PolicyRule, 'resources' | 'apiGroups' | 'nonResourceURLs'> = { verbs: ['*'], resourceNames: [] };
const everything: readonly PolicyRule[] = [
  { ...single, apiGroups: ['*'], resources: ['*'], nonResourceURLs: [] },
  { ...single, apiGroups: [], resources: [], nonResourceURLs: ['*'] },
];

/**
 * Rejects roles and bindings that grant permissions which the user does not have, unless the user may `escalate` roles
 * or `bind` that role. Runs after all plugins that change objects, and before validation.
 */
export function roleEscalation({ authorizer, rbac }: RoleEscalationOptions): AdmissionPlugin {
  const isAllowed = (request: AdmissionRequest, verb: string, role: Pick<RequestedResource, 'resource' | 'name'>) => {
    const { user, namespace } = request;
    const resource = { group, version: '*', subresource: '', namespace, ...role };
    return mapMaybe(authorizer.authorize({ user, verb, resource }), ({ decision }) => decision === 'allow');
  };

  const checkRole = (request: AdmissionRequest): MaybePromise<void> => {
    const { name, object, oldObject } = request;
    const { resource } = request.resource;
    return mapMaybe(isAllowed(request, 'escalate', { resource, name }), (mayEscalate) => {
      if (mayEscalate) return;
      checkHeld(rbac, request, policyRules(object));
      if (!isAggregated(object) && !isAggregated(oldObject)) return;
      if (uncoveredRules(rbac.heldRules(request.user, '').rules, everything).length === 0) return;
      throw refusal(request, 'must have cluster-admin privileges to use the aggregationRule');
    });
  };

  const checkBinding = (request: AdmissionRequest): MaybePromise<void> => {
    const { namespace, object } = request;
    const role = roleRefOf(object);
    const resource = resourceOf(role, namespace);
    // Validation reports the error. Such a binding grants nothing.
    if (resource === undefined) return;
    return mapMaybe(isAllowed(request, 'bind', { resource, name: role.name }), (mayBind) => {
      if (mayBind) return;
      const rules = rbac.roleRules(role, namespace);
      // Named after the resource of the request, as kube-apiserver does.
      if (rules === undefined) throw notFound(request.resource, role.name);
      checkHeld(rbac, request, rules);
    });
  };

  return {
    name: 'RoleEscalation',
    rules: [
      {
        operations: ['CREATE', 'UPDATE'],
        resources: ['roles', 'clusterroles', 'rolebindings', 'clusterrolebindings'].map((name) => `${group}/${name}`),
      },
    ],
    mutate(request) {
      const { object, oldObject, user } = request;
      const { resource } = request.resource;
      if (user.groups.includes('system:masters')) return;
      if (oldObject !== undefined && grantsTheSame(object, oldObject)) return;
      return resource.endsWith('bindings') ? checkBinding(request) : checkRole(request);
    },
  };
}

/** The resource that a binding in this scope may refer to. */
function resourceOf({ kind }: RoleRef, namespace: string): 'roles' | 'clusterroles' | undefined {
  if (kind === 'ClusterRole') return 'clusterroles';
  return kind === 'Role' && namespace !== '' ? 'roles' : undefined;
}

function isAggregated(role: ResourceObject | undefined): boolean {
  const rule = role?.aggregationRule as { readonly clusterRoleSelectors?: readonly unknown[] } | null | undefined;
  return (rule?.clusterRoleSelectors?.length ?? 0) > 0;
}

/**
 * Whether only owners and finalizers change, which the garbage collector must be able to do. Label changes do not
 * qualify: labels aggregate roles into others.
 */
function grantsTheSame(object: ResourceObject, oldObject: ResourceObject): boolean {
  return isDeepStrictEqual(grantRelevantFields(object), grantRelevantFields(oldObject));
}

function grantRelevantFields({ metadata, ...object }: ResourceObject): object {
  const { labels = {}, annotations = {} } = metadata;
  const { rules, aggregationRule, subjects, roleRef } = object;
  return { labels, annotations, rules: rules ?? [], aggregationRule, subjects: subjects ?? [], roleRef };
}

function checkHeld(rbac: RbacRules, request: AdmissionRequest, wanted: readonly PolicyRule[]): void {
  const { user, namespace } = request;
  const { resource } = request.resource;
  const { rules, missing } = rbac.heldRules(user, namespace);
  const who = `user ${goQuote(user.name)} (groups=${goQuoteList(user.groups)}) is attempting to grant`;
  let uncovered: PolicyRule[];
  try {
    uncovered = uncoveredRules(rules, wanted);
  } catch (error) {
    if (!(error instanceof TooManyRulesError)) throw error;
    throw refusal(request, `${who} more RBAC permissions than can be compared with those currently held`);
  }
  if (uncovered.length === 0) return;
  // Named after the resource of the request, as kube-apiserver does.
  const errors = missing.map((role) => missingRoleText(role, resource));
  const more = errors.length === 0 ? '' : `; resolution errors: [${joinedErrors(errors)}]`;
  throw refusal(request, `${who} RBAC permissions not currently held:\n${rulesText(uncovered)}${more}`);
}

function refusal({ resource, object }: AdmissionRequest, detail: string): StatusError {
  return forbidden(resource, object.metadata.name ?? '', detail);
}
