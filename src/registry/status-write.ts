import type { ResourceObject } from '../meta/object.ts';
import type { UserInfo } from '../meta/user.ts';
import type { FollowUp } from '../store/index.ts';

export interface StatusWrite {
  /** The object that gets the status, as the writer has read it. */
  readonly object: ResourceObject;
  readonly status: object;
  readonly user: UserInfo;
  readonly fieldManager: string;
}

/** A status that is stored together with a new object. */
export interface FirstStatus extends Omit<StatusWrite, 'object'>, Pick<FollowUp, 'settled'> {}
