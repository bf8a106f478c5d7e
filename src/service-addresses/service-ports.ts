import { invalidValue } from '../meta/field-error.ts';
import type { ResourceObject } from '../meta/object.ts';
import { invalid, StatusError } from '../meta/status-error.ts';
import {
  needsHealthCheckNodePort,
  needsNodePorts,
  type ServicePort,
  type ServiceSpec,
  specOf,
} from '../resources/core/service/service-spec.ts';
import type { PortOperation } from './port-operation.ts';

/** Allocates the node ports of a new service. Throws a StatusError. */
export function takePorts(object: ResourceObject, operation: PortOperation): void {
  const spec = specOf(object);
  if (hasNodePorts(spec)) takeNodePorts(object, operation);
  if (needsHealthCheckNodePort(spec)) takeHealthCheckPort(spec, operation);
}

/** Allocates the ports that the new spec needs. Ports that it no longer needs are released after the write. */
export function updatePorts(object: ResourceObject, before: ServiceSpec, operation: PortOperation): void {
  const spec = specOf(object);
  const old = numbersOf(before);
  if (hasNodePorts(spec)) {
    takeNewNodePorts(object, old, operation);
    const kept = numbersOf(spec);
    for (const port of old) if (!kept.includes(port)) operation.releaseLater(port);
  } else if (hasNodePorts(before)) {
    for (const port of old) operation.releaseLater(port);
  }
  const [needs, needed] = [needsHealthCheckNodePort(spec), needsHealthCheckNodePort(before)];
  if (needs && !needed) takeHealthCheckPort(spec, operation);
  if (needed && !needs) operation.releaseLater(before.healthCheckNodePort ?? 0);
}

function hasNodePorts({ type }: ServiceSpec): boolean {
  return type === 'NodePort' || type === 'LoadBalancer';
}

function numbersOf({ ports = [] }: ServiceSpec): number[] {
  return ports.flatMap(({ nodePort }) => nodePort || []);
}

/** Ports with the same number, such as 53 for TCP and UDP, share a node port. */
function takeNodePorts(object: ResourceObject, operation: PortOperation): void {
  const spec = specOf(object);
  const { ports = [] } = spec;
  const byNumber = new Map<number, number>();
  ports.forEach((port, index) => {
    if (!port.nodePort && !needsNodePorts(spec)) return;
    const number = port.port ?? 0;
    const shared = byNumber.get(number);
    if (shared === undefined) {
      const wanted = ports.find((other) => other.port === port.port && other.nodePort)?.nodePort;
      port.nodePort = wanted ?? anyPort(operation);
      if (wanted !== undefined) take(object, { wanted, index, operation });
      byNumber.set(number, port.nodePort);
    } else if (!port.nodePort) {
      port.nodePort = shared;
    } else if (port.nodePort !== shared) {
      take(object, { wanted: port.nodePort, index, operation });
    }
  });
}

function takeNewNodePorts(object: ResourceObject, old: readonly number[], operation: PortOperation): void {
  const spec = specOf(object);
  const taken = new Set<number>();
  const seen = new Set<string>();
  (spec.ports ?? []).forEach((port, index) => {
    if (!port.nodePort && !needsNodePorts(spec)) return;
    if (!port.nodePort) {
      port.nodePort = anyPort(operation);
    } else if (!old.includes(port.nodePort) && !taken.has(port.nodePort)) {
      take(object, { wanted: port.nodePort, index, operation });
      taken.add(port.nodePort);
    }
    refuseRepetition(port, seen);
  });
}

function refuseRepetition({ protocol = '', nodePort }: ServicePort, seen: Set<string>): void {
  const shown = `{${protocol} ${nodePort}}`;
  if (seen.has(shown)) throw new StatusError({ code: 500, reason: '', message: `duplicate nodePort: ${shown}` });
  seen.add(shown);
}

interface WantedPort {
  readonly wanted: number;
  readonly index: number;
  readonly operation: PortOperation;
}

function take({ metadata: { name = '' } }: ResourceObject, { wanted, index, operation }: WantedPort): void {
  const problem = operation.take(wanted);
  if (problem === undefined) return;
  const finding = invalidValue(`spec.ports[${index}].nodePort`, wanted, problem);
  throw invalid({ group: '', kind: 'Service' }, name, [finding]);
}

function anyPort(operation: PortOperation): number {
  const port = operation.takeAny();
  if (port === undefined) throw internal('failed to allocate a nodePort: range is full');
  return port;
}

function takeHealthCheckPort(spec: ServiceSpec, operation: PortOperation): void {
  const wanted = spec.healthCheckNodePort;
  if (wanted) {
    const problem = operation.take(wanted);
    if (problem === undefined) return;
    throw internal(`failed to allocate requested HealthCheck NodePort ${wanted}: ${problem}`);
  }
  const port = operation.takeAny();
  if (port === undefined) throw internal('failed to allocate a HealthCheck NodePort 0: range is full');
  spec.healthCheckNodePort = port;
}

function internal(message: string): StatusError {
  const details = { causes: [{ message }] };
  return new StatusError({
    code: 500,
    reason: 'InternalError',
    message: `Internal error occurred: ${message}`,
    details,
  });
}
