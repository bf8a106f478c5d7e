import type { UserInfo } from '../meta/user.ts';
import type { AuditUser } from './audit-event.ts';
import { redacted } from './redacted.ts';
import { sortedRecord } from './sorted-record.ts';

/** Somebody may have put a credential among what is known of a user. */
const secretExtra = /(^|[^a-z0-9])(token|secret|password|cookie)$/i;

/** Somebody as events show them; nobody is empty. */
export function auditUser(user: UserInfo | undefined): AuditUser {
  const shown: AuditUser = {};
  if (user === undefined) return shown;
  if (user.name !== '') shown.username = user.name;
  if (user.uid !== '') shown.uid = user.uid;
  if (user.groups.length > 0) shown.groups = user.groups;
  const extra = new Map(Object.entries(user.extra).map(([key, values]) => [key, shownExtra(key, values)] as const));
  if (extra.size > 0) shown.extra = sortedRecord(extra);
  return shown;
}

function shownExtra(key: string, values: readonly string[]): readonly string[] {
  return secretExtra.test(key) ? values.map(() => redacted) : values;
}
