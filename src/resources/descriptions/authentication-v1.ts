import type { TypeTexts } from './type-texts.ts';

export const authenticationV1: TypeTexts = {
  BoundObjectReference: {
    '': 'The object that a token is bound to. The token is invalid once the object is gone.',
    kind: 'Pod, Secret or Node.',
    apiVersion: 'API version of the object.',
    name: 'Name of the object.',
    uid: 'UID of the object. If it is set, it must match.',
  },
  SelfSubjectReview: {
    '': 'Asks who the server takes you for. It is not kept.',
    status: 'The answer.',
  },
  SelfSubjectReviewStatus: {
    '': 'Who the server takes the caller for.',
    userInfo: 'The caller, after impersonation if there was any.',
  },
  TokenRequest: {
    '': 'Asks for a token of a service account. It is not kept.',
    spec: 'Properties of the token.',
    status: 'The token.',
  },
  TokenRequestSpec: {
    '': 'Properties of a token.',
    audiences: 'Intended audiences of the token. Default: the API server.',
    expirationSeconds: 'Requested lifetime in seconds, at least 600. Default 3600. The server may choose another.',
    boundObjectRef: 'Bind the token to this object.',
  },
  TokenRequestStatus: {
    '': 'A token.',
    token: 'The token.',
    expirationTimestamp: 'When the token expires.',
  },
  TokenReview: {
    '': 'Asks whether a token is valid, and whose it is. It is not kept.',
    spec: 'The token.',
    status: 'The answer.',
  },
  TokenReviewSpec: {
    '': 'A token to verify.',
    token: 'The token.',
    audiences: 'Who asks. The token must be for at least one of them. Default: the API server.',
  },
  TokenReviewStatus: {
    '': 'Whose token it is.',
    authenticated: 'Whether the token is valid.',
    user: 'Who the token belongs to.',
    audiences: 'Those of the asked audiences that the token is for.',
    error: 'Why the token could not be verified.',
  },
  UserInfo: {
    '': 'A user, or a program that acts like one.',
    username: 'Name of the user, unique among all active users.',
    uid: 'ID of the user over time. A new user of the same name has another one.',
    groups: 'Groups of the user.',
    extra: 'Further information from the authenticator.',
  },
};
