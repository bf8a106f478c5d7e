import type { TokenIssuer } from '../authn/index.ts';
import type { ResourceObject } from '../meta/object.ts';
import type { ObjectReader } from '../meta/object-reader.ts';
import { badRequest, conflict, notFound } from '../meta/status-error.ts';

/** A reference to the object to which a token is bound. */
export interface BoundObject {
  readonly kind?: string;
  readonly apiVersion?: string;
  readonly name?: string;
  readonly uid?: string;
}

export interface Named {
  readonly namespace: string;
  readonly name: string;
}

type BoundClaims = Parameters<TokenIssuer['issue']>[0]['bound'];

const bindable = {
  Pod: { resource: 'pods', claim: 'pod', namespaced: true },
  Secret: { resource: 'secrets', claim: 'secret', namespaced: true },
  Node: { resource: 'nodes', claim: 'node', namespaced: false },
} as const;
const core = (resource: string) => ({ group: '', version: 'v1', resource });

/** The claims that bind a token to an object. Throws when the object does not exist or does not use the account. */
export async function boundClaims(objects: ObjectReader, reference: BoundObject, account: Named): Promise<BoundClaims> {
  const { name = '', uid: wanted } = reference;
  const { resource, claim, namespaced } = boundType(reference);
  const found = await objects.get(core(resource), { namespace: namespaced ? account.namespace : '', name });
  if (found === undefined) throw notFound({ group: '', resource }, name);
  const placed = claim === 'pod' ? await nodeClaim(objects, found, account) : {};
  const { uid = '' } = found.metadata;
  if (wanted && wanted !== uid) {
    const detail = `the UID in the bound object reference (${wanted}) does not match the UID in record. The object might have been deleted and then recreated`;
    throw conflict({ group: '', resource: reference.kind ?? '' }, name, detail);
  }
  return { ...placed, [claim]: { name, uid } };
}

function boundType({ kind: boundKind = '', apiVersion = '' }: BoundObject) {
  const [group, version, ...rest] = apiVersion.includes('/') ? apiVersion.split('/') : ['', apiVersion];
  // A malformed apiVersion has no group.
  const isCore = group === '' || rest.length > 0;
  if (isCore && Object.hasOwn(bindable, boundKind)) return bindable[boundKind as keyof typeof bindable];
  const printed = rest.length > 0 ? '/' : `${group}/${version}`;
  throw badRequest(`cannot bind token to object of type ${printed}, Kind=${boundKind}`);
}

/** The node of the pod. The claim has no uid when the Node object does not exist. */
async function nodeClaim(objects: ObjectReader, { spec }: ResourceObject, account: Named): Promise<BoundClaims> {
  const { serviceAccountName = '', nodeName } = (spec ?? {}) as Record<string, string | undefined>;
  if (serviceAccountName !== account.name) {
    throw badRequest(
      `cannot bind token for serviceaccount "${account.name}" to pod running with different serviceaccount name.`,
    );
  }
  if (!nodeName) return {};
  const node = await objects.get(core('nodes'), { namespace: '', name: nodeName });
  return { node: { name: nodeName, ...(node?.metadata.uid !== undefined && { uid: node.metadata.uid }) } };
}
