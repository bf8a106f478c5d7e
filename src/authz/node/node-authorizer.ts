import { goQuote } from '../../meta/go-quote.ts';
import type { UserInfo } from '../../meta/user.ts';
import {
  type Attributes,
  type Authorizer,
  allowed,
  type Decision,
  noOpinion,
  notAllowed,
  type ResourceAttributes,
} from '../authorizer.ts';
import type { PolicyRule } from '../rbac/index.ts';
import { matchesGroup, matchesName, matchesResource, matchesVerb, resourcePatterns } from '../rbac/rule-matches.ts';
import type { RuleResolver, UserRules } from '../rule-resolver.ts';
import { incompleteRules } from '../union-rule-resolver.ts';
import type { NodeGraph, UsedResource } from './node-graph.ts';
import { isNode, nodeOf } from './node-identity.ts';
import { ownCsiNode, ownLease, ownNode } from './own-objects.ts';

export interface NodeAuthorizerOptions {
  readonly graph: NodeGraph;
  /** Permissions of every node on resources that need no check of the individual object. */
  readonly rules: readonly PolicyRule[];
}

type Decide = (attributes: ResourceAttributes, node: string) => Decision;

/**
 * Allows nodes to access what they need for the pods that run on them, and their own objects. No opinion on other
 * users.
 */
export class NodeAuthorizer implements Authorizer, RuleResolver {
  readonly #graph: NodeGraph;
  readonly #rules: readonly PolicyRule[];
  readonly #incompleteRules = incompleteRules('node', isNode);
  readonly #decisions: Readonly<Record<string, Decide>> = {
    '/secrets': (attributes, node) => this.#read('secrets', attributes, node),
    '/configmaps': (attributes, node) => this.#read('configmaps', attributes, node),
    '/persistentvolumeclaims': (attributes, node) => this.#claim(attributes, node),
    '/persistentvolumes': (attributes, node) => this.#get('persistentvolumes', attributes, node),
    '/serviceaccounts': (attributes, node) => this.#serviceAccount(attributes, node),
    '/pods': (attributes, node) => this.#pod(attributes, node),
    '/nodes': ownNode,
    'coordination.k8s.io/leases': ownLease,
    'storage.k8s.io/csinodes': ownCsiNode,
    'storage.k8s.io/volumeattachments': (attributes, node) => this.#get('volumeattachments', attributes, node),
    'resource.k8s.io/resourceclaims': (attributes, node) => this.#get('resourceclaims', attributes, node),
    'resource.k8s.io/resourceslices': (attributes, node) => this.#slice(attributes, node),
  };

  constructor({ graph, rules }: NodeAuthorizerOptions) {
    this.#graph = graph;
    this.#rules = rules;
  }

  authorize(attributes: Attributes): Decision {
    const node = nodeOf(attributes.user);
    if (node === undefined) return noOpinion;
    if (node === '') return notAllowed(`unknown node for user ${goQuote(attributes.user.name)}`);
    if (attributes.resource === undefined) return noOpinion;
    const key = `${attributes.resource.group}/${attributes.resource.resource}`;
    if (Object.hasOwn(this.#decisions, key)) return this.#decisions[key]!(attributes, node);
    return this.#byRule(attributes);
  }

  rulesFor(user: UserInfo, namespace: string): UserRules {
    return this.#incompleteRules.rulesFor(user, namespace) as UserRules;
  }

  #byRule({ verb, resource: { group, resource, subresource, name } }: ResourceAttributes): Decision {
    const patterns = resourcePatterns(resource, subresource);
    const isAllowed = this.#rules.some(
      (rule) =>
        matchesVerb(rule, verb) &&
        matchesGroup(rule, group) &&
        matchesResource(rule, patterns) &&
        matchesName(rule, name),
    );
    return isAllowed ? allowed : noOpinion;
  }

  #used(type: UsedResource, { resource }: ResourceAttributes, node: string): Decision {
    if (resource.name === '') return notAllowed('No Object name found');
    if (this.#graph.isUsed(node, type, resource)) return allowed;
    return notAllowed(`no relationship found between node '${node}' and this object`);
  }

  #get(type: UsedResource, attributes: ResourceAttributes, node: string): Decision {
    if (attributes.verb !== 'get') return notAllowed('can only get individual resources of this type');
    if (attributes.resource.subresource !== '') return notAllowed('cannot get subresource');
    return this.#used(type, attributes, node);
  }

  /** List and watch are allowed for a single object selected by name, which reveals no more than a get. */
  #read(type: UsedResource, attributes: ResourceAttributes, node: string): Decision {
    const { verb, resource } = attributes;
    if (!['get', 'list', 'watch'].includes(verb)) return notAllowed('can only read resources of this type');
    if (resource.subresource !== '') return notAllowed('cannot read subresource');
    if (resource.namespace === '') return notAllowed('can only read namespaced object of this type');
    return this.#used(type, attributes, node);
  }

  #claim(attributes: ResourceAttributes, node: string): Decision {
    if (attributes.resource.subresource !== 'status') return this.#get('persistentvolumeclaims', attributes, node);
    if (attributes.verb !== 'update' && attributes.verb !== 'patch')
      return notAllowed('can only get/update/patch this type');
    return this.#used('persistentvolumeclaims', attributes, node);
  }

  #serviceAccount(attributes: ResourceAttributes, node: string): Decision {
    const { verb, resource } = attributes;
    if (verb === 'get' && resource.subresource === '') return this.#used('serviceaccounts', attributes, node);
    if (verb !== 'create' || resource.name === '') {
      return notAllowed('can only create tokens for individual service accounts');
    }
    if (resource.subresource !== 'token') return notAllowed('can only create token subresource of serviceaccount');
    return this.#used('serviceaccounts', attributes, node);
  }

  /** Admission checks creates, status updates and deletes again, because only then the object is known. */
  #pod(attributes: ResourceAttributes, node: string): Decision {
    const { verb, resource } = attributes;
    switch (`${verb} ${resource.subresource}`) {
      case 'get ':
        return this.#get('pods', attributes, node);
      case 'list ':
      case 'watch ':
        if (selectsNode(attributes, node)) return allowed;
        if (resource.name !== '') return this.#used('pods', attributes, node);
        return notAllowed('can only list/watch pods with spec.nodeName field selector');
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

  #slice(attributes: ResourceAttributes, node: string): Decision {
    if (attributes.resource.subresource !== '') return notAllowed('cannot authorize ResourceSlice subresources');
    switch (attributes.verb) {
      case 'create':
        return allowed;
      case 'get':
      case 'update':
      case 'patch':
      case 'delete':
        return this.#used('resourceslices', attributes, node);
      case 'watch':
      case 'list':
      case 'deletecollection':
        if (selectsNode(attributes, node)) return allowed;
        return notAllowed('can only list/watch/deletecollection resourceslices with nodeName field selector');
      default:
        return notAllowed(
          'only the following verbs are allowed for a ResourceSlice: get, watch, list, create, update, patch, delete, deletecollection',
        );
    }
  }
}

/** Whether a collection request is limited to objects on the node. */
function selectsNode({ selectors }: ResourceAttributes, node: string): boolean {
  const requirements = selectors?.().fieldSelector ?? [];
  return requirements.some(
    ({ key, operator, values = [] }) =>
      key === 'spec.nodeName' && operator === 'In' && values.length === 1 && values[0] === node,
  );
}
