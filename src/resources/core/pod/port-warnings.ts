import type { ContainerPort } from '../container-types.ts';
import type { PodSpec } from '../pod-types.ts';
import { eachContainer } from './each-container.ts';

interface SeenPort {
  readonly container: string;
  readonly index: number;
  readonly port: ContainerPort;
}

/** Warns about conflicting ports within a pod. */
export function portWarnings(spec: PodSpec, field: string): string[] {
  const warnings: string[] = [];
  /** Keyed by port number. */
  const seen = new Map<number, SeenPort[]>();
  eachContainer(spec, field, ({ ports = [] }, container) => {
    for (let index = 0; index < ports.length; index++) {
      const port = ports[index]!;
      const added = { container, index, port };
      if (port.hostIP && !port.hostPort)
        warnings.push(`${fieldOf(added)}: hostIP set without hostPort: ${shown(port)}`);
      const others = seen.get(port.containerPort ?? 0);
      if (others === undefined) {
        seen.set(port.containerPort ?? 0, [added]);
        continue;
      }
      for (const other of others) {
        const problem = conflict(port, other.port);
        if (problem !== undefined)
          warnings.push(`${fieldOf(added)}: ${problem} port definition with ${fieldOf(other)}`);
      }
      others.push(added);
    }
  });
  return warnings;
}

function fieldOf({ container, index }: SeenPort): string {
  return `${container}.ports[${index}]`;
}

function conflict(one: ContainerPort, other: ContainerPort): string | undefined {
  if ((one.protocol ?? '') !== (other.protocol ?? '')) return undefined;
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
