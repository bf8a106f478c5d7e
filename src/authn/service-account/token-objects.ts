import { createHash, timingSafeEqual } from 'node:crypto';
import { goQuote } from '../../meta/go-quote.ts';
import type { ResourceObject } from '../../meta/object.ts';
import { TokenError } from '../token-authenticator.ts';
import type { RequiredObject } from './required-objects.ts';
import {
  type AccountClaims,
  accountName,
  type ClaimedObject,
  leewaySeconds,
  legacyClaim,
  requiredClaim,
} from './token-claims.ts';

const accounts = { group: '', version: 'v1', resource: 'serviceaccounts' };
const pods = { group: '', version: 'v1', resource: 'pods' };
const secrets = { group: '', version: 'v1', resource: 'secrets' };
const nodes = { group: '', version: 'v1', resource: 'nodes' };
const invalidated = 'service account token has been invalidated';
const invalidSince = 'kubernetes.io/legacy-token-invalid-since';

/** Returns the objects that a token of the TokenRequest API depends on: its account and what it is bound to. */
export function boundTokenObjects(claims: AccountClaims, now: () => number): RequiredObject[] {
  const { namespace, account, pod, secret, node } = claims;
  const bound = (type: RequiredObject['type'], kind: string, { name, uid }: ClaimedObject): RequiredObject => ({
    type,
    namespace: type === nodes ? '' : namespace,
    name,
    problem(object) {
      if (object === undefined || isDeleted(object, now())) return invalidated;
      const { uid: present = '' } = object.metadata;
      if (present === uid) return undefined;
      return `${kind} UID (${present}) does not match service account ${kind} ref claim (${uid})`;
    },
  });
  const needed: RequiredObject[] = [
    {
      type: accounts,
      namespace,
      name: account.name,
      problem(object) {
        if (object === undefined) return `serviceaccounts ${goQuote(account.name)} not found`;
        if (isDeleted(object, now())) return `service account ${namespace}/${account.name} has been deleted`;
        const { uid = '' } = object.metadata;
        return uid === account.uid ? undefined : `service account UID (${uid}) does not match claim (${account.uid})`;
      },
    },
  ];
  if (secret !== undefined) needed.push(bound(secrets, 'secret', secret));
  if (pod !== undefined) needed.push(bound(pods, 'pod', pod));
  // Next to a pod, the node only records where the pod runs.
  else if (node !== undefined) needed.push(bound(nodes, 'node', node));
  return needed;
}

/** Returns the account of a legacy token, which a secret stores, and the objects that the token depends on. */
export function legacyTokenObjects(
  token: string,
  claims: Readonly<Record<string, unknown>>,
): { readonly account: AccountClaims; readonly needed: RequiredObject[] } {
  const sub = requiredClaim(claims, 'sub', 'sub');
  const namespace = requiredClaim(claims, legacyClaim.namespace, 'namespace');
  const secret = requiredClaim(claims, legacyClaim.secret, 'secretName');
  const name = requiredClaim(claims, legacyClaim.account, 'serviceAccountName');
  const uid = requiredClaim(claims, legacyClaim.accountUid, 'serviceAccountUID');
  if (sub !== accountName(namespace, name)) throw new TokenError('sub claim is invalid');
  const expected = digest(Buffer.from(token));
  const needed: RequiredObject[] = [
    { type: secrets, namespace, name: secret, problem: (object) => secretProblem(object, expected) },
    {
      type: accounts,
      namespace,
      name,
      problem(object) {
        if (object === undefined) return `serviceaccounts ${goQuote(name)} not found`;
        const { uid: present = '', deletionTimestamp } = object.metadata;
        if (deletionTimestamp !== undefined) return `ServiceAccount ${namespace}/${name} has been deleted`;
        return present === uid ? undefined : `ServiceAccount UID (${present}) does not match claim (${uid})`;
      },
    },
  ];
  const account = { namespace, account: { name, uid }, pod: undefined, secret: undefined, node: undefined };
  return { account, needed };
}

/** `deletionTimestamp` lies in the future while the grace period of a pod runs. */
function isDeleted({ metadata: { deletionTimestamp } }: ResourceObject, now: number): boolean {
  return deletionTimestamp !== undefined && Date.parse(deletionTimestamp) < now - leewaySeconds * 1000;
}

function secretProblem(secret: ResourceObject | undefined, expected: Buffer): string | undefined {
  if (secret === undefined || secret.metadata.deletionTimestamp !== undefined) return 'Token has been invalidated';
  const { token = '' } = (secret.data ?? {}) as Record<string, string>;
  const held = digest(Buffer.from(token, 'base64'));
  if (!timingSafeEqual(held, expected)) return "Token does not match server's copy";
  if (!secret.metadata.labels?.[invalidSince]) return undefined;
  return (
    `the token in secret ${secret.metadata.namespace}/${secret.metadata.name} has been marked invalid: remove the ` +
    `'${invalidSince}' label from the secret to allow its use for a while, or use tokens from the TokenRequest API`
  );
}

function digest(bytes: Buffer): Buffer {
  return createHash('sha256').update(bytes).digest();
}
