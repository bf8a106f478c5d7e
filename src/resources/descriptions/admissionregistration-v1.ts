import type { TypeTexts } from './type-texts.ts';

const policyFailure =
  'What happens if the policy itself fails: Fail refuses the request, Ignore goes on. Default Fail.';
const matchConditions =
  'CEL expressions that must all be true for it to apply. They are evaluated after everything else that matches. At ' +
  'most 64.';
const paramKind = 'Kind of the parameter objects. Absent: the policy has no parameters, and `params` is null.';
const matchConstraints = 'The requests that the policy applies to.';
const variables =
  'Named expressions for use in the others, as `variables.<name>`. Evaluated at most once; each may use those before ' +
  'it.';
const bindingMatch = 'Restricts the policy further. Absent: all requests of the policy.';
const policyName = 'The policy that is put into effect. If there is none of that name, the binding does nothing.';
const paramRef = 'The parameters of the policy. Required if and only if the policy has a kind of parameters.';

const webhook = {
  name: 'Name of the webhook as a domain name with at least three labels, such as `check.example.com`.',
  clientConfig: 'How the webhook is called.',
  rules:
    'The requests that are sent to it. One match is enough. Policies and webhook configurations themselves are never ' +
    'sent.',
  failurePolicy: 'What happens if the call fails: Fail refuses the request, Ignore goes on. Default Fail.',
  matchPolicy:
    'Exact compares with the rules literally, Equivalent also matches other versions of a resource and converts the ' +
    'object. Default Equivalent.',
  namespaceSelector:
    'Only objects in namespaces with matching labels; for a namespace, its own labels. Cluster-wide objects always ' +
    'match. Default: all.',
  objectSelector:
    'Only objects with matching labels, old or new. Users can evade it by changing the labels. Default: all.',
  sideEffects:
    'Whether the webhook changes something elsewhere: None, or NoneOnDryRun if it refrains from that for dry runs.',
  timeoutSeconds: 'Seconds until the call counts as failed, 1 to 30. Default 10.',
  admissionReviewVersions:
    'Versions of AdmissionReview that the webhook understands, the preferred one first. One must be known to the ' +
    'server.',
  matchConditions,
};

export const admissionregistrationV1: TypeTexts = {
  ApplyConfiguration: {
    '': 'A change of an object by server-side apply.',
    expression:
      'CEL expression that yields the fields to apply, as `Object{…}`. It may use object, oldObject, request, ' +
      'params, namespaceObject, variables, authorizer.',
  },
  AuditAnnotation: {
    '': 'An annotation for the audit event of a request.',
    key: 'Key of the annotation; the name of the policy is put before it. Unique in the policy.',
    valueExpression:
      'CEL expression that yields a text, or null for no annotation. At most 5 KiB; what it yields is cut at 10 KiB.',
  },
  ExpressionWarning: {
    '': 'A problem that type checking has found in an expression.',
    fieldRef: 'Path of the field with the expression.',
    warning: 'What is wrong, and for which types.',
  },
  JSONPatch: {
    '': 'A change of an object by a JSON patch.',
    expression:
      'CEL expression that yields a list of `JSONPatch{op, path, …}`. It may use the same variables as an apply ' +
      'configuration.',
  },
  MatchCondition: {
    '': 'A condition on a request.',
    name: 'Name of the condition, unique among its siblings. It appears in errors and metrics.',
    expression:
      'CEL expression that yields a boolean. It may use object, oldObject, request and authorizer, and params in ' +
      'policies.',
  },
  MatchResources: {
    '': 'Selects requests. Everything that is set must match.',
    namespaceSelector: webhook.namespaceSelector,
    objectSelector: webhook.objectSelector,
    resourceRules: 'Operations and resources. One match is enough.',
    excludeResourceRules: 'Operations and resources that never match. They win over `resourceRules`.',
    matchPolicy:
      'Exact compares with the rules literally, Equivalent also matches other versions of a resource. Default ' +
      'Equivalent.',
  },
  MutatingAdmissionPolicy: {
    '': 'Changes objects before they are written, by CEL expressions. A binding puts it into effect.',
    spec: 'What is changed, and when.',
  },
  MutatingAdmissionPolicyBinding: {
    '': 'Puts a mutating policy into effect, with parameters if it has any.',
    spec: 'The policy, its parameters, and where it applies.',
  },
  MutatingAdmissionPolicyBindingSpec: {
    '': 'The policy, its parameters, and where it applies.',
    policyName,
    paramRef,
    matchResources: bindingMatch,
  },
  MutatingAdmissionPolicySpec: {
    '': 'What a mutating policy changes, and when.',
    paramKind,
    matchConstraints,
    variables,
    mutations: 'The changes, made in order. Each sees the result of those before it.',
    failurePolicy: policyFailure,
    matchConditions,
    reinvocationPolicy:
      'Never evaluates the policy once for each request, IfNeeded again if a later change by others may concern it.',
  },
  MutatingWebhook: {
    '': 'A webhook that may change objects before they are written.',
    ...webhook,
    reinvocationPolicy:
      'Never calls it once for each request, IfNeeded again if a later webhook has changed the object. Default Never.',
  },
  MutatingWebhookConfiguration: {
    '': 'Webhooks that may change objects before they are written.',
    webhooks: 'The webhooks, called one after the other.',
  },
  Mutation: {
    '': 'One change. The field that belongs to `patchType` is set.',
    patchType: 'ApplyConfiguration or JSONPatch.',
    applyConfiguration: 'The change by server-side apply.',
    jsonPatch: 'The change by a JSON patch.',
  },
  NamedRuleWithOperations: {
    '': 'Operations on resources, perhaps only on objects of certain names.',
    resourceNames: 'Only objects with these names. Empty: all.',
  },
  ParamKind: {
    '': 'Kind of the parameter objects of a policy.',
    apiVersion: 'API version, such as `v1` or `example.com/v1`.',
    kind: 'Name of the kind.',
  },
  ParamRef: {
    '': 'The parameter objects of a binding, by name or by selector. The policy is evaluated with each of them.',
    name: 'Name of the object. Excludes `selector`.',
    namespace: 'Namespace of the objects. Absent for a namespaced kind: the namespace of the request.',
    selector: 'Selects the objects by label. Empty: all. Excludes `name`.',
    parameterNotFoundAction:
      'What happens if there is no such object: Allow passes the request, Deny applies the failure policy.',
  },
  Rule: {
    '': 'Resources of a request.',
    apiGroups: 'API groups. `*` means all; then it is the only one.',
    apiVersions: 'API versions. `*` means all; then it is the only one.',
    resources: 'Resources such as `pods`, `pods/log`, `pods/*`, `*/scale`, `*` (all without subresources) or `*/*`.',
    scope: 'Cluster, Namespaced or `*` for both. Namespaces themselves are Cluster. Default `*`.',
  },
  RuleWithOperations: {
    '': 'Operations on resources.',
    operations: 'CREATE, UPDATE, DELETE, CONNECT, or `*` for all.',
  },
  ServiceReference: {
    '': 'A service that is called over HTTPS.',
    namespace: 'Namespace of the service.',
    name: 'Name of the service.',
    path: 'Path of the request.',
    port: 'Port of the service. Default 443.',
  },
  TypeChecking: {
    '': 'What type checking of a policy has found.',
    expressionWarnings: 'A problem each.',
  },
  ValidatingAdmissionPolicy: {
    '': 'Judges requests by CEL expressions. A binding puts it into effect.',
    spec: 'What is judged, and how.',
    status: 'What the server has found about the policy.',
  },
  ValidatingAdmissionPolicyBinding: {
    '': 'Puts a validating policy into effect, with parameters if it has any.',
    spec: 'The policy, its parameters, where it applies, and what follows.',
  },
  ValidatingAdmissionPolicyBindingSpec: {
    '': 'The policy, its parameters, where it applies, and what follows.',
    policyName,
    paramRef,
    matchResources: bindingMatch,
    validationActions:
      'What a failed validation does: Deny refuses the request, Warn warns the client, Audit notes it in the audit ' +
      'event. Not Deny and Warn together.',
  },
  ValidatingAdmissionPolicySpec: {
    '': 'What a validating policy judges, and how. It has validations or audit annotations, or both.',
    paramKind,
    matchConstraints,
    validations: 'Expressions that must be true.',
    failurePolicy: `${policyFailure} It does not apply to validations that are false.`,
    auditAnnotations: 'Annotations for the audit event. At most 20.',
    matchConditions,
    variables,
  },
  ValidatingAdmissionPolicyStatus: {
    '': 'What the server has found about a policy.',
    observedGeneration: 'Generation that was checked.',
    typeChecking: 'Result of type checking. Absent until it is done.',
    conditions: 'Conditions that describe the state.',
  },
  ValidatingWebhook: { '': 'A webhook that allows or refuses requests.', ...webhook },
  ValidatingWebhookConfiguration: {
    '': 'Webhooks that allow or refuse requests and change nothing.',
    webhooks: 'The webhooks, called at the same time.',
  },
  Validation: {
    '': 'An expression that must be true.',
    expression:
      'CEL expression that yields a boolean. It may use object, oldObject, request, params, namespaceObject, ' +
      'variables and authorizer.',
    message: 'Text of the error if it is false. One line. Default: `failed expression: <expression>`.',
    reason:
      'Reason of the refusal: Unauthorized, Forbidden, Invalid or RequestEntityTooLarge. It decides the HTTP status. ' +
      'Default Invalid.',
    messageExpression: 'CEL expression that yields the message. It wins over `message`, which is used if it fails.',
  },
  Variable: {
    '': 'A named expression.',
    name: 'Name of the variable, unique in the policy. A CEL identifier.',
    expression: 'CEL expression that yields the value.',
  },
  WebhookClientConfig: {
    '': 'How a webhook is called. Either `url` or `service` is set.',
    url: 'Address beginning with `https://`, without user, query and fragment.',
    service: 'A service in the cluster.',
    caBundle: 'CA certificates in PEM, as base64, for the certificate of the webhook. Default: those of the system.',
  },
};
