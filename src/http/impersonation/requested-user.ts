import { headerValues, valuesByPrefix } from '../../authn/index.ts';
import { goQuote } from '../../meta/go-quote.ts';
import { goStringLists, goStrings, goStruct } from '../../meta/go-syntax.ts';
import { badRequest } from '../../meta/status-error.ts';

/** The user that a request wants to impersonate. */
export interface RequestedUser {
  readonly name: string;
  readonly uid: string;
  readonly groups: readonly string[];
  readonly extra: Readonly<Record<string, readonly string[]>>;
}

const prefix = 'impersonate-';

/** Undefined without impersonation headers. Throws a 400 for headers that name no user. */
export function requestedUser(rawHeaders: readonly string[]): RequestedUser | undefined {
  if (!hasImpersonationHeader(rawHeaders)) return undefined;
  const [name = ''] = headerValues(rawHeaders, 'impersonate-user');
  const [uid = ''] = headerValues(rawHeaders, 'impersonate-uid');
  const groups = headerValues(rawHeaders, 'impersonate-group');
  const extra = valuesByPrefix(rawHeaders, 'impersonate-extra-');
  if (name === '') {
    if (uid === '' && groups.length === 0 && extra === undefined) return undefined;
    throw badRequest(`requested ${formatUser({ uid, groups, extra })} without impersonating a user name`);
  }
  return { name, uid, groups, extra: extra ?? {} };
}

function hasImpersonationHeader(rawHeaders: readonly string[]): boolean {
  for (let at = 0; at < rawHeaders.length; at += 2) {
    const name = rawHeaders[at]!;
    if (name.length > prefix.length && name.slice(0, prefix.length).toLowerCase() === prefix) return true;
  }
  return false;
}

interface Nameless extends Omit<RequestedUser, 'name' | 'extra'> {
  readonly extra: RequestedUser['extra'] | undefined;
}

/** Formats the value as kube-apiserver's message does. */
function formatUser({ uid, groups, extra }: Nameless): string {
  return goStruct('&user.DefaultInfo', {
    Name: goQuote(''),
    UID: goQuote(uid),
    Groups: goStrings(groups),
    Extra: goStringLists(extra),
  });
}
