import type { TokenIssuer } from '../../authn/index.ts';
import { encodeJson } from '../../codec/json/index.ts';
import { type FieldError, invalidValue } from '../../meta/field-error.ts';
import type { ResourceObject } from '../../meta/object.ts';
import { badRequest, conflict, invalid, notFound } from '../../meta/status-error.ts';
import { formatTime } from '../../meta/time.ts';
import { decodeObject, type ResourceSet, subresourceKind, type Verbs } from '../../registry/index.ts';
import { isBuiltInKind, TokenRequest } from '../../resources/index.ts';
import { Findings } from '../../schema/normalize/index.ts';

const kind = { group: 'authentication.k8s.io', kind: 'TokenRequest' };
const tokenRequests = subresourceKind({ ...kind, version: 'v1', schema: TokenRequest, isKind: isBuiltInKind });
const shortest = 10 * 60;
const longest = 2 ** 32;
const defaultSeconds = 3600;

interface BoundObject {
  readonly kind?: string;
  readonly apiVersion?: string;
  readonly name?: string;
  readonly uid?: string;
}

interface TokenRequestSpec {
  readonly audiences?: readonly string[] | null;
  readonly expirationSeconds?: number | null;
  readonly boundObjectRef?: BoundObject | null;
}

interface Named {
  readonly namespace: string;
  readonly name: string;
}

/** `serviceaccounts/token`: gives out a token for the account. Nothing is stored. */
export function serviceAccountToken(objects: ResourceSet, issuer: TokenIssuer): Verbs {
  return {
    async create(request) {
      const { namespace, name } = request;
      const { metadata, spec: sent } = decodeObject(tokenRequests, request).object;
      const account = await objects.get(core('serviceaccounts'), { namespace, name });
      if (account === undefined) throw notFound({ group: '', resource: 'serviceaccounts' }, name);
      checkName(metadata, name);
      const spec = (sent ?? {}) as TokenRequestSpec;
      const expirationSeconds = spec.expirationSeconds ?? defaultSeconds;
      const boundObjectRef = spec.boundObjectRef ?? undefined;
      const audiences = spec.audiences?.length ? spec.audiences : [issuer.issuer];
      refuse('', durationErrors(expirationSeconds));
      const { uid = '' } = account.metadata;
      const bound = boundObjectRef === undefined ? {} : await boundClaims(objects, boundObjectRef, { namespace, name });
      const { token, expires } = issuer.issue({ namespace, name, uid, audiences, expirationSeconds, bound });
      const answer = tokenRequests.compiled.normalize(
        {
          metadata: { name, namespace, uid, creationTimestamp: formatTime(new Date()) },
          spec: { audiences, expirationSeconds, boundObjectRef },
          status: { token, expirationTimestamp: formatTime(expires) },
        },
        new Findings(),
      );
      return { bytes: Buffer.from(`${encodeJson(answer)}\n`), created: true };
    },
  };
}

const core = (resource: string) => ({ group: '', version: 'v1', resource });

function checkName({ name: given }: ResourceObject['metadata'], name: string): void {
  if (!given || given === name) return;
  refuse(name, [invalidValue('metadata.name', given, 'must match the service account name if specified')]);
}

function durationErrors(seconds: number): FieldError[] {
  const field = 'spec.expirationSeconds';
  if (seconds < shortest) return [invalidValue(field, seconds, 'may not specify a duration less than 10 minutes')];
  if (seconds > longest) return [invalidValue(field, seconds, 'may not specify a duration larger than 2^32 seconds')];
  return [];
}

function refuse(name: string, errors: readonly FieldError[]): void {
  if (errors.length > 0) throw invalid(kind, name, errors);
}

type Claims = Record<string, { name: string; uid: string }>;

const bindable: Readonly<Record<string, { readonly resource: string; readonly namespaced: boolean }>> = {
  Pod: { resource: 'pods', namespaced: true },
  Secret: { resource: 'secrets', namespaced: true },
  Node: { resource: 'nodes', namespaced: false },
};

/** The token is good as long as this object is there. */
async function boundClaims(objects: ResourceSet, reference: BoundObject, account: Named): Promise<Claims> {
  const { kind: boundKind = '', apiVersion = '', name = '', uid } = reference;
  const type = apiVersion === 'v1' ? bindable[boundKind] : undefined;
  if (type === undefined) {
    const version = apiVersion.includes('/') ? apiVersion : `/${apiVersion}`;
    throw badRequest(`cannot bind token to object of type ${version}, Kind=${boundKind}`);
  }
  const { resource, namespaced } = type;
  const found = await objects.get(core(resource), { namespace: namespaced ? account.namespace : '', name });
  if (found === undefined) throw notFound({ group: '', resource }, name);
  if (uid && uid !== found.metadata.uid) {
    const detail = `the UID in the bound object reference (${uid}) does not match the UID in record. The object might have been deleted and then recreated`;
    throw conflict({ group: '', resource: boundKind }, name, detail);
  }
  const claims: Claims = { [boundKind.toLowerCase()]: { name, uid: found.metadata.uid ?? '' } };
  if (boundKind !== 'Pod') return claims;
  const { serviceAccountName = '', nodeName } = (found.spec ?? {}) as Record<string, string | undefined>;
  if (serviceAccountName !== account.name) {
    throw badRequest(
      `cannot bind token for serviceaccount "${account.name}" to pod running with different serviceaccount name.`,
    );
  }
  const node = nodeName ? await objects.get(core('nodes'), { namespace: '', name: nodeName }) : undefined;
  return node === undefined ? claims : { ...claims, node: { name: nodeName!, uid: node.metadata.uid ?? '' } };
}
