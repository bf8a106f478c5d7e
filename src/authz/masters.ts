import { type Attributes, type Authorizer, allowed, type Decision, noOpinion } from './authorizer.ts';

/**
 * Allows everything to members of `system:masters`. First in the chain, so that no other authorizer can refuse them.
 */
export const mastersAuthorizer: Authorizer = {
  authorize({ user }: Attributes): Decision {
    return user.groups.includes('system:masters') ? allowed : noOpinion;
  },
};
