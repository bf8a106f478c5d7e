import type { Container } from '../container-types.ts';
import type { EnvVar } from '../environment-types.ts';
import type { Handler, HTTPGetAction, Probe } from '../probe-types.ts';
import type { ObjectFieldSelector } from '../reference-types.ts';
import { roundResources } from '../resource-list.ts';
import { isLatestImage } from './image-reference.ts';

export function setContainerDefaults(container: Container): void {
  container.imagePullPolicy ??= isLatestImage(container.image ?? '') ? 'Always' : 'IfNotPresent';
  container.terminationMessagePath ??= '/dev/termination-log';
  container.terminationMessagePolicy ??= 'File';
  for (const variable of container.env ?? []) setVariableDefaults(variable);
  roundResources(container.resources?.limits);
  roundResources(container.resources?.requests);
  setProbeDefaults(container.livenessProbe);
  setProbeDefaults(container.readinessProbe);
  setProbeDefaults(container.startupProbe);
  setHandlerDefaults(container.lifecycle?.postStart);
  setHandlerDefaults(container.lifecycle?.preStop);
}

function setVariableDefaults({ valueFrom }: EnvVar): void {
  if (valueFrom === undefined) return;
  if (valueFrom.fieldRef !== undefined) valueFrom.fieldRef = withApiVersion(valueFrom.fieldRef);
  if (valueFrom.fileKeyRef !== undefined) valueFrom.fileKeyRef.optional ??= false;
}

/** Puts `apiVersion` first, which is its position in the canonical form. */
export function withApiVersion(reference: ObjectFieldSelector): ObjectFieldSelector {
  return reference.apiVersion === undefined ? { apiVersion: 'v1', ...reference } : reference;
}

function setProbeDefaults(probe: Probe | undefined): void {
  if (probe === undefined) return;
  setHandlerDefaults(probe);
  probe.timeoutSeconds ??= 1;
  probe.periodSeconds ??= 10;
  probe.successThreshold ??= 1;
  probe.failureThreshold ??= 3;
}

function setHandlerDefaults(handler: Handler | undefined): void {
  if (handler?.httpGet !== undefined) setHttpGetDefaults(handler.httpGet);
  if (handler?.grpc !== undefined) handler.grpc.service ??= '';
}

function setHttpGetDefaults(action: HTTPGetAction): void {
  action.path ??= '/';
  action.scheme ??= 'HTTP';
}
