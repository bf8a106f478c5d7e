import { allowed, type Decision, noOpinion, notAllowed, type ResourceAttributes } from '../authorizer.ts';

const itemVerbs: ReadonlySet<string> = new Set(['get', 'create', 'update', 'patch', 'delete']);
const readVerbs: ReadonlySet<string> = new Set(['get', 'list', 'watch']);
const leases = 'kube-node-lease';

// The name of the object is unknown before admission, so `create` is allowed here for any name.

export function ownNode({ verb, resource: { subresource, name } }: ResourceAttributes, node: string): Decision {
  if (subresource === '' && readVerbs.has(verb)) {
    if (name === node) return allowed;
    const what = name === '' ? 'all nodes' : `'${name}'`;
    return notAllowed(`node '${node}' cannot read ${what}, only its own Node object`);
  }
  const writes = verb === 'update' || verb === 'patch';
  if (subresource === '' && (writes || verb === 'create')) return allowed;
  return subresource === 'status' && writes ? allowed : noOpinion;
}

export function ownLease({ verb, resource: { namespace, name } }: ResourceAttributes, node: string): Decision {
  if (!itemVerbs.has(verb)) return notAllowed('can only get, create, update, patch, or delete a node lease');
  if (namespace !== leases) return notAllowed(`can only access leases in the "${leases}" system namespace`);
  if (verb === 'create' || name === node) return allowed;
  return notAllowed('can only access node lease with the same name as the requesting node');
}

export function ownCsiNode({ verb, resource: { subresource, name } }: ResourceAttributes, node: string): Decision {
  if (!itemVerbs.has(verb)) return notAllowed('can only get, create, update, patch, or delete a CSINode');
  if (subresource !== '') return notAllowed('cannot authorize CSINode subresources');
  if (verb === 'create' || name === node) return allowed;
  return notAllowed('can only access CSINode with the same name as the requesting node');
}
