import { conditionTexts } from './condition-texts.ts';
import type { TypeTexts } from './type-texts.ts';

const lendablePercent = 'Percentage of its seats that other levels may borrow, 0 to 100. Default 0.';

export const flowcontrolV1: TypeTexts = {
  ExemptPriorityLevelConfiguration: {
    '': 'A level whose requests are never held back.',
    nominalConcurrencyShares: 'Its share of the seats of the server, which other levels may borrow. Default 0.',
    lendablePercent,
  },
  FlowDistinguisherMethod: {
    '': 'How the requests of a schema are divided into flows.',
    type: 'ByUser or ByNamespace.',
  },
  FlowSchema: {
    '': 'Assigns requests to a priority level and divides them into flows.',
    spec: 'Which requests, and which level.',
    status: 'State of the schema.',
  },
  FlowSchemaCondition: {
    '': 'One aspect of the state of a flow schema.',
    type: 'Name of the condition, such as Dangling.',
    ...conditionTexts,
  },
  FlowSchemaSpec: {
    '': 'Which requests belong to a schema, and their level.',
    priorityLevelConfiguration: 'The priority level. If there is none of that name, the schema is ignored.',
    matchingPrecedence: 'Among schemas that match a request the lowest number wins. 1 to 10000. Default 1000.',
    distinguisherMethod: 'How the requests are divided into flows. Absent: all are one flow.',
    rules: 'The requests. One match is enough. Empty: none match.',
  },
  FlowSchemaStatus: {
    '': 'The state of a flow schema.',
    conditions: 'Conditions that describe the state.',
  },
  GroupSubject: {
    '': 'A group of users.',
    name: 'Name of the group. `*` means all.',
  },
  LimitResponse: {
    '': 'What happens to requests that cannot be executed at once.',
    type: 'Queue lets them wait, Reject refuses them.',
    queuing: 'Settings of the queues. Only with type Queue.',
  },
  LimitedPriorityLevelConfiguration: {
    '': 'A level whose requests are limited.',
    nominalConcurrencyShares:
      'Its share of the seats of the server, relative to the shares of the other levels. Default 30.',
    limitResponse: 'What happens to requests that cannot be executed at once.',
    lendablePercent,
    borrowingLimitPercent: 'How many seats it may borrow from others, in percent of its own. Absent: no limit.',
  },
  NonResourcePolicyRule: {
    '': 'Requests for paths that are no resources.',
    verbs: 'HTTP methods in lower case. `*` means all.',
    nonResourceURLs: 'Paths; `*` may stand for everything below a path, and alone for all.',
  },
  PolicyRulesWithSubjects: {
    '': 'Who asks for what. A subject and one of the rules must match.',
    subjects: 'Who asks. One match is enough.',
    resourceRules: 'Requests for resources.',
    nonResourceRules: 'Requests for other paths.',
  },
  PriorityLevelConfiguration: {
    '': 'A level of requests that share a part of the capacity of the server.',
    spec: 'How the level is limited.',
    status: 'State of the level.',
  },
  PriorityLevelConfigurationCondition: {
    '': 'One aspect of the state of a priority level.',
    type: 'Name of the condition.',
    ...conditionTexts,
  },
  PriorityLevelConfigurationReference: {
    '': 'Names a priority level.',
    name: 'Name of the level.',
  },
  PriorityLevelConfigurationSpec: {
    '': 'How a priority level is limited.',
    type: 'Exempt is not limited, Limited is.',
    limited: 'The limits. Only with type Limited.',
    exempt: 'What others may borrow. Only with type Exempt.',
  },
  PriorityLevelConfigurationStatus: {
    '': 'The state of a priority level.',
    conditions: 'Conditions that describe the state.',
  },
  QueuingConfiguration: {
    '': 'Queues of a priority level.',
    queues: 'Number of queues. 1 switches the separation of flows off. Default 64.',
    handSize: 'Number of queues dealt to each flow, of which the shortest is used. Not more than `queues`. Default 8.',
    queueLengthLimit: 'How many requests may wait in a queue. Default 50.',
  },
  ResourcePolicyRule: {
    '': 'Requests for resources. Everything must match.',
    verbs: 'Verbs. `*` means all.',
    apiGroups: 'API groups. `*` means all.',
    resources: 'Resources and subresources, such as `pods/status`. `*` means all.',
    clusterScope: 'Match requests without a namespace too. Default false.',
    namespaces: 'Namespaces of the requests. `*` means all. May be empty only with `clusterScope`.',
  },
  ServiceAccountSubject: {
    '': 'A service account.',
    namespace: 'Namespace of the account.',
    name: 'Name of the account. `*` means all of the namespace.',
  },
  Subject: {
    '': 'Who makes requests. The field that belongs to `kind` is set.',
    kind: 'User, Group or ServiceAccount.',
    user: 'A user.',
    group: 'A group.',
    serviceAccount: 'A service account.',
  },
  UserSubject: {
    '': 'A user.',
    name: 'Name of the user. `*` means all.',
  },
};
