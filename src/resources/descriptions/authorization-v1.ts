import type { TypeTexts } from './type-texts.ts';

const resourceAttributes = 'The request, if it is for a resource. Excludes the other one.';
const nonResourceAttributes = 'The request, if it is for a path that is no resource. Excludes the other one.';
const decision = 'The answer.';
const rawSelector = 'The selector as text, as in the query of a request. Servers that cannot read it ignore it.';
const requirements =
  'The parsed selector. All conditions must hold; ones that are not understood are ignored. Excludes `rawSelector`.';

export const authorizationV1: TypeTexts = {
  FieldSelectorAttributes: { '': 'The field selector of a request. One of the two is set.', rawSelector, requirements },
  LabelSelectorAttributes: { '': 'The label selector of a request. One of the two is set.', rawSelector, requirements },
  LocalSubjectAccessReview: {
    '': 'Asks whether a user may do something in a namespace. It is not kept.',
    spec: 'The user and the request. Its namespace must be that of the review.',
    status: decision,
  },
  NonResourceAttributes: {
    '': 'A request for a path that is no resource.',
    path: 'The path.',
    verb: 'The HTTP method in lower case.',
  },
  NonResourceRule: {
    '': 'What may be done with paths that are no resources.',
    verbs: 'Allowed HTTP methods in lower case. `*` means all.',
    nonResourceURLs: 'The paths. `*` may stand for the last part.',
  },
  ResourceAttributes: {
    '': 'A request for a resource.',
    namespace: 'The namespace. Empty for cluster-wide resources, or for all namespaces.',
    verb: 'The verb, such as get, list or create. `*` means all.',
    group: 'API group. `*` means all.',
    version: 'API version. `*` means all.',
    resource: 'The resource. `*` means all.',
    subresource: 'The subresource. Empty for the resource itself.',
    name: 'Name of the object. Empty for all.',
    fieldSelector: 'Restricts the request to objects by fields.',
    labelSelector: 'Restricts the request to objects by labels.',
  },
  ResourceRule: {
    '': 'What may be done with resources.',
    verbs: 'Allowed verbs. `*` means all.',
    apiGroups: 'API groups. `*` means all.',
    resources: 'Resources and subresources. `*` means all.',
    resourceNames: 'Names of the objects. Empty: all.',
  },
  SelfSubjectAccessReview: {
    '': 'Asks whether you may do something. It is not kept.',
    spec: 'The request.',
    status: decision,
  },
  SelfSubjectAccessReviewSpec: {
    '': 'A request of the caller. Exactly one field is set.',
    resourceAttributes,
    nonResourceAttributes,
  },
  SelfSubjectRulesReview: {
    '': 'Asks what you may do in a namespace. It is not kept. For display; to decide, ask about the single request.',
    spec: 'The namespace.',
    status: decision,
  },
  SelfSubjectRulesReviewSpec: {
    '': 'The namespace that is asked about.',
    namespace: 'The namespace. Required.',
  },
  SubjectAccessReview: {
    '': 'Asks whether a user may do something. It is not kept.',
    spec: 'The user and the request.',
    status: decision,
  },
  SubjectAccessReviewSpec: {
    '': 'A user and a request. One of the two attributes is set, and at least a user or a group.',
    resourceAttributes,
    nonResourceAttributes,
    user: 'Name of the user.',
    groups: 'Groups of the user.',
    extra: 'Further information about the user.',
    uid: 'ID of the user.',
  },
  SubjectAccessReviewStatus: {
    '': 'Whether a request is allowed.',
    allowed: 'Whether it is allowed.',
    denied: 'Whether it is denied expressly. If both are false, no authorizer has an opinion, which is a no.',
    reason: 'Why, for people.',
    evaluationError: 'What went wrong in the check. The answer may be right all the same.',
  },
  SubjectRulesReviewStatus: {
    '': 'What the caller may do in a namespace.',
    resourceRules: 'What may be done with resources. The order has no meaning.',
    nonResourceRules: 'What may be done with other paths. The order has no meaning.',
    incomplete: 'Whether there may be more, for instance because an authorizer cannot list its rules.',
    evaluationError: 'What went wrong. The rules that were found are returned all the same.',
  },
};
