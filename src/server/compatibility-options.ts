import { type Compatibility, type CompatibilityName, compatibilityOf } from '../meta/compatibility.ts';
import { forbidsAnonymous, type IdentityOptions } from './identity-options.ts';

/** The profile, and the options for single decisions of it. */
interface CompatibilityOptions extends IdentityOptions {
  readonly compatibility?: CompatibilityName;
  readonly postCreateStatus?: 200 | 201;
  readonly allowPrivileged?: boolean;
}

interface Decisions {
  readonly compatibility: Compatibility;
  /** Whether anonymous access was requested, or is the default of the profile, and is disabled all the same. */
  readonly resetsAnonymous: boolean;
}

/** The decisions of the profile. Options for single ones take precedence. Throws a RangeError for bad options. */
export function decisionsOf(options: CompatibilityOptions): Decisions {
  const profile = compatibilityOf(options.compatibility ?? 'specification');
  const {
    postCreateStatus: createdStatus = profile.createdStatus,
    allowPrivileged = profile.allowPrivileged,
    anonymousAuth = profile.anonymousAuth,
  } = options;
  if (createdStatus !== 200 && createdStatus !== 201) {
    throw new RangeError('the status of a create must be 200 or 201');
  }
  const resetsAnonymous = anonymousAuth && forbidsAnonymous(options);
  const compatibility = {
    ...profile,
    createdStatus,
    allowPrivileged,
    anonymousAuth: anonymousAuth && !resetsAnonymous,
  };
  return { compatibility, resetsAnonymous };
}
