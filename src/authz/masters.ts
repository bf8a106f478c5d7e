import { type Attributes, type Authorizer, type Decision, noOpinion } from './authorizer.ts';

const allowed: Decision = { decision: 'allow', reason: '' };

/** Members of `system:masters` may do everything, whatever other authorizers would say: it stands first in a chain. */
export const mastersAuthorizer: Authorizer = {
  authorize({ user }: Attributes): Decision {
    return user.groups.includes('system:masters') ? allowed : noOpinion;
  },
};
