import type { TypeTexts } from './type-texts.ts';

export const nodeV1: TypeTexts = {
  Overhead: {
    '': 'Resources that running a pod costs beside its containers.',
    podFixed: 'Amount of each resource for every pod.',
  },
  RuntimeClass: {
    '': 'A way of running pods, such as in a sandbox.',
    handler: 'Name of the handler in the configuration of the container runtime of the nodes. It cannot be changed.',
    overhead: 'Resources that pods of the class cost beside their containers.',
    scheduling: 'Restricts pods of the class to nodes that support it. Default: all nodes do.',
  },
  Scheduling: {
    '': 'Nodes that support a runtime class.',
    nodeSelector: 'Labels of the nodes, joined with the node selector of each pod. A contradiction refuses the pod.',
    tolerations: 'Tolerations that are added to each pod.',
  },
};
