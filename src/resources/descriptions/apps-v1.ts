import { conditionTexts } from './condition-texts.ts';
import type { TypeTexts } from './type-texts.ts';

const template = 'Template for new pods. Its labels must match the selector.';
const selector = 'Selects the pods that belong to it. It must match the labels of the template and cannot be changed.';
const minReadySeconds = 'Seconds that a pod must be ready without interruption to count as available. Default 0.';
const observedGeneration = 'Generation that the controller has seen.';
const conditions = 'Conditions that describe the state.';
const availableReplicas = 'Number of pods that have been ready for `minReadySeconds`.';
const terminatingReplicas = 'Number of pods that are being deleted but have not stopped yet.';
const collisionCount = 'How often the name of a new revision was already taken. Makes the next name different.';
const revisionHistoryLimit = 'How many old revisions are kept to roll back to. Default 10.';

export const appsV1: TypeTexts = {
  ControllerRevision: {
    '': 'A former state of a DaemonSet or StatefulSet, kept to roll back to.',
    data: 'The state. It cannot be changed.',
    revision: 'Number of the revision. Higher is newer.',
  },
  DaemonSet: {
    '': 'Runs a pod on every node, or on some of them.',
    spec: 'Which pods, and how they are replaced.',
    status: 'How many pods there are, and in which state.',
  },
  DaemonSetCondition: {
    '': 'One aspect of the state of a DaemonSet.',
    type: 'Name of the condition.',
    ...conditionTexts,
  },
  DaemonSetSpec: {
    '': 'The pods of a DaemonSet.',
    selector,
    template: `${template} Node selector and tolerations decide on which nodes they run.`,
    updateStrategy: 'How pods are replaced when the template changes.',
    minReadySeconds,
    revisionHistoryLimit,
  },
  DaemonSetStatus: {
    '': 'The state of a DaemonSet, in numbers of nodes.',
    currentNumberScheduled: 'Number of nodes that run a pod and should.',
    numberMisscheduled: 'Number of nodes that run a pod and should not.',
    desiredNumberScheduled: 'Number of nodes that should run a pod.',
    numberReady: 'Number of nodes with a pod that is ready.',
    observedGeneration,
    updatedNumberScheduled: 'Number of nodes with a pod of the current template.',
    numberAvailable: 'Number of nodes with a pod that has been ready for `minReadySeconds`.',
    numberUnavailable: 'Number of nodes that should run a pod and have none that is available.',
    collisionCount,
    conditions,
  },
  DaemonSetUpdateStrategy: {
    '': 'How the pods of a DaemonSet are replaced.',
    type: 'RollingUpdate replaces them step by step, OnDelete only when someone deletes them. Default RollingUpdate.',
    rollingUpdate: 'Settings of the rolling update.',
  },
  Deployment: {
    '': 'Keeps a number of pods running and replaces them step by step when their template changes.',
    spec: 'How many pods, which, and how they are replaced.',
    status: 'How many pods there are, and in which state.',
  },
  DeploymentCondition: {
    '': 'One aspect of the state of a Deployment.',
    type: 'Name of the condition: Available, Progressing or ReplicaFailure.',
    ...conditionTexts,
    lastUpdateTime: 'When the condition was last written.',
  },
  DeploymentSpec: {
    '': 'The pods of a Deployment, and how they are replaced.',
    replicas: 'How many pods. Default 1.',
    selector,
    template: `${template} A change starts a rollout. The only allowed restart policy is Always.`,
    strategy: 'How pods are replaced when the template changes.',
    minReadySeconds,
    revisionHistoryLimit: 'How many old ReplicaSets are kept to roll back to. Default 10.',
    paused: 'Do not roll out changes of the template for now. Default false.',
    progressDeadlineSeconds:
      'Seconds without progress after which a rollout is reported as failed. It goes on all the same. Default 600.',
  },
  DeploymentStatus: {
    '': 'The state of a Deployment.',
    observedGeneration,
    replicas: 'Number of pods.',
    updatedReplicas: 'Number of pods of the current template.',
    readyReplicas: 'Number of pods that are ready.',
    availableReplicas,
    unavailableReplicas: 'Number of pods that are still missing: not created yet, or not available.',
    terminatingReplicas,
    conditions,
    collisionCount,
  },
  DeploymentStrategy: {
    '': 'How the pods of a Deployment are replaced.',
    type:
      'RollingUpdate replaces them step by step, Recreate stops all old pods before it starts new ones. Default ' +
      'RollingUpdate.',
    rollingUpdate: 'Settings of the rolling update. Only with type RollingUpdate.',
  },
  ReplicaSet: {
    '': 'Keeps a number of pods running. Mostly made by a Deployment.',
    spec: 'How many pods, and which.',
    status: 'How many pods there are, and in which state.',
  },
  ReplicaSetCondition: {
    '': 'One aspect of the state of a ReplicaSet.',
    type: 'Name of the condition, such as ReplicaFailure.',
    ...conditionTexts,
  },
  ReplicaSetSpec: {
    '': 'The pods of a ReplicaSet.',
    replicas: 'How many pods. Default 1.',
    minReadySeconds,
    selector,
    template,
  },
  ReplicaSetStatus: {
    '': 'The state of a ReplicaSet.',
    replicas: 'Number of pods.',
    fullyLabeledReplicas: 'Number of pods that have all labels of the template.',
    readyReplicas: 'Number of pods that are ready.',
    availableReplicas,
    terminatingReplicas,
    observedGeneration,
    conditions,
  },
  RollingUpdateDaemonSet: {
    '': 'Settings of the rolling update of a DaemonSet. One of the two must not be zero.',
    maxUnavailable: 'How many nodes may be without an available pod at a time. A number or percentage. Default 1.',
    maxSurge: 'How many nodes may run an old and a new pod at a time. A number or percentage. Default 0.',
  },
  RollingUpdateDeployment: {
    '': 'Settings of the rolling update of a Deployment. One of the two must not be zero.',
    maxUnavailable: 'How many pods may be unavailable at a time. A number or percentage, rounded down. Default 25%.',
    maxSurge: 'How many pods there may be beyond `replicas`. A number or percentage, rounded up. Default 25%.',
  },
  RollingUpdateStatefulSetStrategy: {
    '': 'Settings of the rolling update of a StatefulSet.',
    partition: 'Only pods with this ordinal or a higher one are replaced. Default 0.',
    maxUnavailable:
      'How many pods may be unavailable at a time. A number or percentage, rounded up; not zero. Default 1.',
  },
  StatefulSet: {
    '': 'Runs pods with stable names, ordinals and volumes.',
    spec: 'How many pods, which, and their volumes.',
    status: 'How many pods there are, and in which state.',
  },
  StatefulSetCondition: {
    '': 'One aspect of the state of a StatefulSet.',
    type: 'Name of the condition.',
    ...conditionTexts,
  },
  StatefulSetOrdinals: {
    '': 'How the pods are numbered.',
    start: 'The first ordinal. Default 0.',
  },
  StatefulSetPersistentVolumeClaimRetentionPolicy: {
    '': 'What happens to the claims of a StatefulSet.',
    whenDeleted: 'When the StatefulSet is deleted: Retain or Delete. Default Retain.',
    whenScaled: 'When it is scaled down, to the claims of the removed pods: Retain or Delete. Default Retain.',
  },
  StatefulSetSpec: {
    '': 'The pods of a StatefulSet, and their volumes.',
    replicas: 'How many pods. Default 1.',
    selector,
    template: `${template} A pod is named \`<set>-<ordinal>\`. The only allowed restart policy is Always.`,
    volumeClaimTemplates:
      'Claims that each pod gets. They stay with its ordinal. Each takes precedence over a volume of the same name.',
    serviceName: 'Headless service that gives the pods their DNS names. It must exist beforehand.',
    podManagementPolicy:
      'OrderedReady starts pods one after the other and stops them in reverse, Parallel all at once. Default ' +
      'OrderedReady.',
    updateStrategy: 'How pods are replaced when the template changes.',
    revisionHistoryLimit,
    minReadySeconds,
    persistentVolumeClaimRetentionPolicy: 'What happens to claims that are no longer needed. Default: they are kept.',
    ordinals: 'How the pods are numbered. Default: from 0.',
  },
  StatefulSetStatus: {
    '': 'The state of a StatefulSet.',
    observedGeneration,
    replicas: 'Number of pods.',
    readyReplicas: 'Number of pods that are ready.',
    currentReplicas: 'Number of pods of `currentRevision`.',
    updatedReplicas: 'Number of pods of `updateRevision`.',
    currentRevision: 'Revision from which an update started.',
    updateRevision: 'Revision that an update moves to.',
    collisionCount,
    conditions,
    availableReplicas,
  },
  StatefulSetUpdateStrategy: {
    '': 'How the pods of a StatefulSet are replaced.',
    type: 'RollingUpdate replaces them in reverse order, OnDelete when someone deletes them. Default RollingUpdate.',
    rollingUpdate: 'Settings of the rolling update.',
  },
};
