import type { TokenIssuer } from '../authn/index.ts';
import { encodeJson } from '../codec/json/index.ts';
import { timestamp } from '../meta/clock.ts';
import { type FieldError, invalidValue } from '../meta/field-error.ts';
import type { ResourceObject } from '../meta/object.ts';
import { conflict, invalid, notFound } from '../meta/status-error.ts';
import { formatTime } from '../meta/time.ts';
import { virtualTarget } from '../registry/admit-write.ts';
import { type DecodedObject, decodeObject } from '../registry/decode-object.ts';
import { FieldOwnership } from '../registry/field-ownership.ts';
import { type ResourceSet, subresourceKind, type Verbs } from '../registry/index.ts';
import { checkObjectNamespace } from '../registry/match-request.ts';
import type { TokenRequestSpec } from '../resources/authentication/token-request-types.ts';
import { builtInKind, TokenRequest } from '../resources/index.ts';
import { Findings } from '../schema/normalize/index.ts';
import { boundClaims, type Named } from './bound-claims.ts';
import { admitAll, creationRequest, type VirtualAdmission } from './virtual-admission.ts';

const kind = { group: 'authentication.k8s.io', kind: 'TokenRequest' };
const tokenRequests = subresourceKind({ ...kind, version: 'v1', schema: TokenRequest, knownKind: builtInKind });
const ownership = new FieldOwnership({
  group: '',
  resource: 'serviceaccounts',
  schema: TokenRequest,
  apiVersion: tokenRequests.apiVersion,
  hasStatus: false,
});
const accounts = { group: '', version: 'v1', resource: 'serviceaccounts' };
const target = virtualTarget(tokenRequests, { resource: accounts, subresource: 'token', namespaced: true });
const minSeconds = 10 * 60;
const maxSeconds = 2 ** 32;
const defaultSeconds = 3600;

/** `serviceaccounts/token`: issues a token for the account. Nothing is stored. */
export function serviceAccountToken(
  objects: ResourceSet,
  issuer: TokenIssuer,
  admission: VirtualAdmission = admitAll,
): Verbs {
  return {
    async create(request) {
      const { namespace, name } = request;
      const owned = ownedByWriter(await decodeObject(tokenRequests, request), request.fieldManager);
      checkObjectNamespace(owned, namespace);
      const sent = await admission.mutate(creationRequest(target, owned, request));
      checkNames(sent, request);
      const account = await objects.current.get(accounts, { namespace, name });
      if (account === undefined) throw notFound({ group: '', resource: 'serviceaccounts' }, name);
      const { uid = '' } = account.metadata;
      checkUid(sent.metadata, { name, uid });
      const tokenRequest = completedRequest(sent, {
        namespace,
        name,
        uid,
        audiences: issuer.audiences,
        now: timestamp(objects.clock),
      });
      const { audiences, expirationSeconds, boundObjectRef } = tokenRequest.spec;
      refuse('', durationErrors(expirationSeconds));
      await admission.validate(creationRequest(target, tokenRequest, request));
      const bound =
        boundObjectRef === undefined ? {} : await boundClaims(objects.current, boundObjectRef, { namespace, name });
      const issued = issuer.issue({ namespace, name, uid, audiences, expirationSeconds, bound });
      if (issued.expirationSeconds < expirationSeconds) {
        const shortened = `shortened to ${issued.expirationSeconds} seconds`;
        request.warn(`requested expiration of ${expirationSeconds} seconds ${shortened}`);
      }
      const { token, expires } = issued;
      const response = tokenRequests.compiled.normalize(
        {
          ...tokenRequest,
          spec: { ...tokenRequest.spec, expirationSeconds: issued.expirationSeconds },
          status: { token, expirationTimestamp: formatTime(expires) },
        },
        new Findings(),
      );
      return { bytes: Buffer.from(`${encodeJson(response)}\n`), created: true };
    },
  };
}

/** The writer owns the fields that it sent and their defaults, as in stored objects. */
function ownedByWriter({ object, sentEntries }: DecodedObject, manager: string): ResourceObject {
  const sent = (object.spec ?? {}) as TokenRequestSpec;
  const next = { ...object, spec: { ...sent, expirationSeconds: sent.expirationSeconds ?? defaultSeconds } };
  return ownership.tracked({ live: undefined, next, sentEntries }, { manager, subresource: 'token' });
}

interface TokenAccount extends Named {
  readonly uid: string;
  /** The audiences of a token request that names none. */
  readonly audiences: readonly string[];
}

function completedRequest({ metadata, spec: sent }: ResourceObject, account: TokenAccount & { readonly now: string }) {
  const { namespace, name, uid, audiences, now } = account;
  const { audiences: wanted, expirationSeconds, boundObjectRef } = sent as TokenRequestSpec;
  return {
    apiVersion: tokenRequests.apiVersion,
    kind: kind.kind,
    metadata: { ...metadata, name, namespace, uid, creationTimestamp: now },
    spec: {
      audiences: wanted?.length ? wanted : audiences,
      expirationSeconds: expirationSeconds ?? defaultSeconds,
      boundObjectRef: boundObjectRef ?? undefined,
    },
  };
}

function checkNames(sent: ResourceObject, { namespace, name }: Named): void {
  checkObjectNamespace(sent, namespace);
  const { name: given } = sent.metadata;
  if (!given || given === name) return;
  refuse(name, [invalidValue('metadata.name', given, 'must match the service account name if specified')]);
}

function checkUid({ uid: given }: ResourceObject['metadata'], { name, uid }: { name: string; uid: string }): void {
  if (!given || given === uid) return;
  const detail = `the UID in the token request (${given}) does not match the UID of the service account (${uid})`;
  throw conflict({ group: kind.group, resource: kind.kind }, name, detail);
}

function durationErrors(seconds: number): FieldError[] {
  const field = 'spec.expirationSeconds';
  if (seconds < minSeconds) return [invalidValue(field, seconds, 'may not specify a duration less than 10 minutes')];
  if (seconds > maxSeconds)
    return [invalidValue(field, seconds, 'may not specify a duration larger than 2^32 seconds')];
  return [];
}

function refuse(name: string, errors: readonly FieldError[]): void {
  if (errors.length > 0) throw invalid(kind, name, errors);
}
