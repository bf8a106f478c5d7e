import { goQuote } from '../../meta/go-quote.ts';
import type { UserInfo } from '../../meta/user.ts';
import { type Attributes, type Authorizer, type Decision, noOpinion, type ResourceAttributes } from '../authorizer.ts';
import type { PolicyRule } from '../rbac/index.ts';
import { matchesGroup, matchesName, matchesResource, matchesVerb, resourceForms } from '../rbac/rule-matches.ts';
import type { RuleResolver, UserRules } from '../rule-resolver.ts';
import { unlistedRules } from '../union-rule-resolver.ts';
import type { NodeGraph, UsedResource } from './node-graph.ts';
import { isNode, nodeOf } from './node-identity.ts';
import { ownCsiNode, ownLease, ownNode } from './own-objects.ts';
import { allowed, refused } from './verdicts.ts';

export interface NodeAuthorizerOptions {
  readonly graph: NodeGraph;
  /** What every node may do with resources that are not looked at one by one. */
  readonly rules: readonly PolicyRule[];
}

/** What a node asks, as those who decide see it. */
type Decide = (asked: ResourceAttributes, node: string) => Decision;

/** Nodes may do what they need for the pods that run on them, and see themselves. Has no opinion about other users. */
export class NodeAuthorizer implements Authorizer, RuleResolver {
  readonly #graph: NodeGraph;
  readonly #rules: readonly PolicyRule[];
  readonly #unlisted = unlistedRules('node', isNode);
  readonly #decisions: Readonly<Record<string, Decide>> = {
    '/secrets': (asked, node) => this.#read('secrets', asked, node),
    '/configmaps': (asked, node) => this.#read('configmaps', asked, node),
    '/persistentvolumeclaims': (asked, node) => this.#claim(asked, node),
    '/persistentvolumes': (asked, node) => this.#get('persistentvolumes', asked, node),
    '/serviceaccounts': (asked, node) => this.#serviceAccount(asked, node),
    '/pods': (asked, node) => this.#pod(asked, node),
    '/nodes': ownNode,
    'coordination.k8s.io/leases': ownLease,
    'storage.k8s.io/csinodes': ownCsiNode,
    'storage.k8s.io/volumeattachments': (asked, node) => this.#get('volumeattachments', asked, node),
    'resource.k8s.io/resourceclaims': (asked, node) => this.#get('resourceclaims', asked, node),
    'resource.k8s.io/resourceslices': (asked, node) => this.#slice(asked, node),
  };

  constructor({ graph, rules }: NodeAuthorizerOptions) {
    this.#graph = graph;
    this.#rules = rules;
  }

  authorize(attributes: Attributes): Decision {
    const node = nodeOf(attributes.user);
    if (node === undefined) return noOpinion;
    if (node === '') return refused(`unknown node for user ${goQuote(attributes.user.name)}`);
    if (attributes.resource === undefined) return noOpinion;
    const key = `${attributes.resource.group}/${attributes.resource.resource}`;
    if (Object.hasOwn(this.#decisions, key)) return this.#decisions[key]!(attributes, node);
    return this.#byRule(attributes);
  }

  rulesFor(user: UserInfo, namespace: string): UserRules {
    return this.#unlisted.rulesFor(user, namespace) as UserRules;
  }

  #byRule({ verb, resource: { group, resource, subresource, name } }: ResourceAttributes): Decision {
    const forms = resourceForms(resource, subresource);
    const isAllowed = this.#rules.some(
      (rule) =>
        matchesVerb(rule, verb) && matchesGroup(rule, group) && matchesResource(rule, forms) && matchesName(rule, name),
    );
    return isAllowed ? allowed : noOpinion;
  }

  #used(type: UsedResource, { resource }: ResourceAttributes, node: string): Decision {
    if (resource.name === '') return refused('No Object name found');
    if (this.#graph.isUsed(node, type, resource)) return allowed;
    return refused(`no relationship found between node '${node}' and this object`);
  }

  #get(type: UsedResource, asked: ResourceAttributes, node: string): Decision {
    if (asked.verb !== 'get') return refused('can only get individual resources of this type');
    if (asked.resource.subresource !== '') return refused('cannot get subresource');
    return this.#used(type, asked, node);
  }

  /** A list or a watch of one object by its name is no more than a look at it. */
  #read(type: UsedResource, asked: ResourceAttributes, node: string): Decision {
    const { verb, resource } = asked;
    if (!['get', 'list', 'watch'].includes(verb)) return refused('can only read resources of this type');
    if (resource.subresource !== '') return refused('cannot read subresource');
    if (resource.namespace === '') return refused('can only read namespaced object of this type');
    return this.#used(type, asked, node);
  }

  #claim(asked: ResourceAttributes, node: string): Decision {
    if (asked.resource.subresource !== 'status') return this.#get('persistentvolumeclaims', asked, node);
    if (asked.verb !== 'update' && asked.verb !== 'patch') return refused('can only get/update/patch this type');
    return this.#used('persistentvolumeclaims', asked, node);
  }

  #serviceAccount(asked: ResourceAttributes, node: string): Decision {
    const { verb, resource } = asked;
    if (verb === 'get' && resource.subresource === '') return this.#used('serviceaccounts', asked, node);
    if (verb !== 'create' || resource.name === '') {
      return refused('can only create tokens for individual service accounts');
    }
    if (resource.subresource !== 'token') return refused('can only create token subresource of serviceaccount');
    return this.#used('serviceaccounts', asked, node);
  }

  /** What is made, reported and removed is looked at again when it is admitted: only then it is known what it is. */
  #pod(asked: ResourceAttributes, node: string): Decision {
    const { verb, resource } = asked;
    switch (`${verb} ${resource.subresource}`) {
      case 'get ':
        return this.#get('pods', asked, node);
      case 'list ':
      case 'watch ':
        if (selects(asked, node)) return allowed;
        if (resource.name !== '') return this.#used('pods', asked, node);
        return refused('can only list/watch pods with spec.nodeName field selector');
      case 'create ':
      case 'delete ':
      case 'update status':
      case 'patch status':
      case 'create eviction':
        return allowed;
      default:
        return noOpinion;
    }
  }

  #slice(asked: ResourceAttributes, node: string): Decision {
    if (asked.resource.subresource !== '') return refused('cannot authorize ResourceSlice subresources');
    switch (asked.verb) {
      case 'create':
        return allowed;
      case 'get':
      case 'update':
      case 'patch':
      case 'delete':
        return this.#used('resourceslices', asked, node);
      case 'watch':
      case 'list':
      case 'deletecollection':
        if (selects(asked, node)) return allowed;
        return refused('can only list/watch/deletecollection resourceslices with nodeName field selector');
      default:
        return refused(
          'only the following verbs are allowed for a ResourceSlice: get, watch, list, create, update, patch, delete, deletecollection',
        );
    }
  }
}

/** Whether a collection is narrowed down to what is on the node. */
function selects({ selectors }: ResourceAttributes, node: string): boolean {
  const requirements = selectors?.().fieldSelector ?? [];
  return requirements.some(
    ({ key, operator, values = [] }) =>
      key === 'spec.nodeName' && operator === 'In' && values.length === 1 && values[0] === node,
  );
}
