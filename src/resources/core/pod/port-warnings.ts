import { eachContainer } from './each-container.ts';
import type { ContainerPort, PodSpec } from './pod-shapes.ts';

interface SeenPort {
  readonly field: string;
  readonly port: ContainerPort;
}

/** Ports of one pod that get in each other's way. */
export function portWarnings(spec: PodSpec, field: string): string[] {
  const warnings: string[] = [];
  let seen: Map<string, SeenPort[]> | undefined;
  eachContainer(spec, field, ({ ports }, path) => {
    if (ports === undefined) return;
    seen ??= new Map();
    for (const [index, port] of ports.entries()) {
      const at = `${path}.ports[${index}]`;
      if (port.hostIP && !port.hostPort) warnings.push(`${at}: hostIP set without hostPort: ${shown(port)}`);
      const key = `${port.containerPort ?? 0}/${port.protocol ?? ''}`;
      const others = seen.get(key) ?? [];
      for (const other of others) {
        const problem = conflict(port, other.port);
        if (problem !== undefined) warnings.push(`${at}: ${problem} port definition with ${other.field}`);
      }
      seen.set(key, [...others, { field: at, port }]);
    }
  });
  return warnings;
}

function conflict(one: ContainerPort, other: ContainerPort): string | undefined {
  const { hostIP: address = '', hostPort: port = 0 } = one;
  const { hostIP: otherAddress = '', hostPort: otherPort = 0 } = other;
  if (address === otherAddress && port === otherPort) return 'duplicate';
  if (port === 0 || otherPort === 0) return 'overlapping';
  if (port === otherPort && (address === '') !== (otherAddress === '')) return 'dangerously ambiguous';
  return undefined;
}

function shown({ name = '', hostPort = 0, containerPort = 0, protocol = '', hostIP = '' }: ContainerPort): string {
  return `{Name:${name} HostPort:${hostPort} ContainerPort:${containerPort} Protocol:${protocol} HostIP:${hostIP}}`;
}
