import type { Handler, SecuredContainer } from './secured-pod.ts';
import { distinct, namesOf, pluralized, type SecurityCheck, subjectsSetting, useVerb, withNames } from './violation.ts';

export const hostNamespaces: SecurityCheck = ({ spec }) => {
  const used = (['hostNetwork', 'hostPID', 'hostIPC'] as const).filter((name) => spec[name] === true);
  if (used.length === 0) return undefined;
  return { reason: 'host namespaces', detail: used.map((name) => `${name}=true`).join(', ') };
};

export const hostPathVolumes: SecurityCheck = ({ spec }) => {
  const found = (spec.volumes ?? []).filter(({ hostPath }) => hostPath !== undefined);
  if (found.length === 0) return undefined;
  return {
    reason: 'hostPath volumes',
    detail: withNames(
      'volume',
      found.map(({ name = '' }) => name),
    ),
  };
};

export const hostPorts: SecurityCheck = ({ containers }) => {
  const portsOf = ({ ports = [] }: SecuredContainer): string[] =>
    ports.flatMap(({ hostPort }) => (hostPort ? [String(hostPort)] : []));
  const using = containers.filter((container) => portsOf(container).length > 0);
  if (using.length === 0) return undefined;
  const ports = distinct(using.flatMap(portsOf));
  const names = namesOf(using);
  return {
    reason: 'hostPort',
    detail: `${withNames('container', names)} ${useVerb(names)} ${pluralized('hostPort', ports)} ${ports.join(', ')}`,
  };
};

export const hostProbes: SecurityCheck = ({ containers }) => {
  const found = containers.filter((container) => probedHosts(container).length > 0);
  if (found.length === 0) return undefined;
  const names = distinct(namesOf(found));
  const hosts = distinct(found.flatMap(probedHosts));
  return {
    reason: 'probe or lifecycle host',
    detail: `${withNames('container', names)} ${useVerb(names)} ${withNames('probe or lifecycle host', hosts)}`,
  };
};

function probedHosts({ livenessProbe, readinessProbe, startupProbe, lifecycle }: SecuredContainer): string[] {
  const handlers: (Handler | undefined)[] = [
    livenessProbe,
    readinessProbe,
    startupProbe,
    lifecycle?.postStart,
    lifecycle?.preStop,
  ];
  const hosts = handlers.flatMap((handler) => [handler?.httpGet?.host, handler?.tcpSocket?.host]);
  return hosts.filter((host): host is string => !!host);
}

export const windowsHostProcess: SecurityCheck = (pod) => {
  const subject = subjectsSetting(pod, ({ windowsOptions }) => windowsOptions?.hostProcess === true);
  if (subject === '') return undefined;
  return { reason: 'hostProcess', detail: `${subject} must not set securityContext.windowsOptions.hostProcess=true` };
};
