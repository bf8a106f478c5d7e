import type { ResourceObject } from '../../meta/object.ts';
import type { FieldSelectorRules } from '../../registry/resource-definition.ts';
import { textAt, textFields, valueAt } from '../select-field.ts';

const nodeName = textAt('spec.nodeName');
const podIP = textAt('status.podIP');
const firstOfPodIPs = textAt('status.podIPs.0.ip');

export const podSelectors: FieldSelectorRules = {
  fields: {
    ...textFields('spec.restartPolicy', 'spec.schedulerName', 'spec.serviceAccountName'),
    ...textFields('status.phase', 'status.nominatedNodeName'),
    'spec.nodeName': nodeName,
    'spec.host': nodeName,
    'spec.hostNetwork': valueAt('spec.hostNetwork', 'false'),
    // `podIP` and `podIPs[0]` are the same address. One of them may be unset.
    'status.podIP': (pod: ResourceObject) => podIP(pod) || firstOfPodIPs(pod),
    // kube-apiserver accepts this field but never sets its value.
    'status.podIPs': () => '',
  },
  refusal: 'notSupported',
  indexed: ['spec.nodeName'],
};

export const nodeSelectors: FieldSelectorRules = {
  fields: { 'spec.unschedulable': valueAt('spec.unschedulable', 'false') },
  refusal: 'notSupported',
  metadataNamespace: false,
};

export const namespaceSelectors: FieldSelectorRules = {
  fields: textFields('status.phase'),
  refusal: 'notSupported',
  metadataNamespace: false,
};

export const serviceSelectors: FieldSelectorRules = {
  fields: textFields('spec.clusterIP', 'spec.type'),
  refusal: 'notSupported',
};

export const secretSelectors: FieldSelectorRules = {
  fields: textFields('type'),
  refusal: 'notSupported',
};

export const replicationControllerSelectors: FieldSelectorRules = {
  fields: { 'status.replicas': valueAt('status.replicas', '0') },
  refusal: 'notSupported',
};

const sourceComponent = textAt('source.component');
const reportingComponent = textAt('reportingComponent');

export const eventSelectors: FieldSelectorRules = {
  fields: {
    ...textFields('involvedObject.kind', 'involvedObject.namespace', 'involvedObject.name', 'involvedObject.uid'),
    ...textFields('involvedObject.apiVersion', 'involvedObject.resourceVersion', 'involvedObject.fieldPath'),
    ...textFields('reason', 'type'),
    reportingComponent,
    // Events of events.k8s.io set only the reporting component.
    source: (event: ResourceObject) => sourceComponent(event) || reportingComponent(event),
  },
  refusal: 'notSupported',
};
