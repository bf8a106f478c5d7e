import { createHash, timingSafeEqual } from 'node:crypto';
import { DecodeError } from '../meta/decode-error.ts';
import { type MaybePromise, mapMaybe } from '../meta/maybe-promise.ts';
import type { ResourceObject } from '../meta/object.ts';
import type { ObjectReader } from '../meta/object-reader.ts';
import { canonicalTime } from '../meta/time.ts';
import type { UserInfo } from '../meta/user.ts';
import type { TokenAuthenticator, TokenUser } from './token-authenticator.ts';

const secrets = { group: '', version: 'v1', resource: 'secrets' };
const tokenSyntax = /^([a-z0-9]{6})\.([a-z0-9]{16})$/;
const groupSyntax = /^system:bootstrappers:[a-z0-9:-]{0,255}[a-z0-9]$/;
const bootstrappersGroup = 'system:bootstrappers';

export interface BootstrapTokenOptions {
  readonly objects: ObjectReader;
  readonly now?: () => number;
}

/** Tokens for joining a cluster: `id.secret`, stored in the Secret `bootstrap-token-<id>` in kube-system. */
export class BootstrapTokenAuthenticator implements TokenAuthenticator {
  readonly #objects: ObjectReader;
  readonly #now: () => number;

  constructor({ objects, now = Date.now }: BootstrapTokenOptions) {
    this.#objects = objects;
    this.#now = now;
  }

  /** Returns undefined for a token whose Secret is missing or invalid, as kube-apiserver does. */
  authenticateToken(token: string): MaybePromise<TokenUser | undefined> {
    const match = tokenSyntax.exec(token);
    if (match === null) return undefined;
    const [, id, secret] = match;
    const item = { namespace: 'kube-system', name: `bootstrap-token-${id}` };
    return mapMaybe(this.#objects.get(secrets, item), (object) => {
      const found = object === undefined ? undefined : this.#validate(object, id!, secret!);
      // Objects are immutable and shared: the same reference means that nothing has changed.
      return found && { ...found, isStillValid: () => this.#objects.get(secrets, item) === object };
    });
  }

  #validate(object: ResourceObject, id: string, secret: string): TokenUser | undefined {
    if (object.metadata.deletionTimestamp !== undefined) return undefined;
    if (object.type !== 'bootstrap.kubernetes.io/token') return undefined;
    const data = (object.data ?? {}) as Record<string, string>;
    const value = (key: string): string => Buffer.from(data[key] ?? '', 'base64').toString();
    if (!isSame(value('token-secret'), secret) || value('token-id') !== id) return undefined;
    if (value('usage-bootstrap-authentication') !== 'true') return undefined;
    const expiresAt = expirationOf(value('expiration'));
    if (this.#now() >= expiresAt) return undefined;
    const groups = groupsOf(value('auth-extra-groups'));
    if (groups === undefined) return undefined;
    const user: UserInfo = { name: `system:bootstrap:${id}`, uid: '', groups, extra: {} };
    return { user, expiresAt };
  }
}

function isSame(left: string, right: string): boolean {
  return timingSafeEqual(digestOf(left), digestOf(right));
}

function digestOf(text: string): Buffer {
  return createHash('sha256').update(text).digest();
}

/** A malformed time counts as expired. */
function expirationOf(text: string): number {
  if (text === '') return Number.POSITIVE_INFINITY;
  try {
    return Date.parse(canonicalTime(text) ?? '') || 0;
  } catch (error) {
    if (error instanceof DecodeError) return 0;
    throw error;
  }
}

/** Returns undefined when a group does not have the bootstrap prefix. */
function groupsOf(extra: string): string[] | undefined {
  const more = extra === '' ? [] : extra.split(',');
  if (!more.every((group) => groupSyntax.test(group))) return undefined;
  return [...new Set([bootstrappersGroup, ...more])].sort();
}
