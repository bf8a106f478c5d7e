import { invalidValue } from '../meta/field-error.ts';
import type { ResourceObject } from '../meta/object.ts';
import { invalid, StatusError } from '../meta/status-error.ts';
import {
  mayHaveNodePorts,
  needsHealthCheckNodePort,
  needsNodePorts,
  specOf,
} from '../resources/core/service/service-spec.ts';
import type { ServicePort, ServiceSpec } from '../resources/core/service-types.ts';
import type { PortOperation } from './port-operation.ts';

/** Allocates the node ports of a new service. Throws a StatusError. */
export async function allocatePorts(object: ResourceObject, operation: PortOperation): Promise<void> {
  const spec = specOf(object);
  if (mayHaveNodePorts(spec)) await allocateNodePorts(object, operation);
  if (needsHealthCheckNodePort(spec)) await allocateHealthCheckPort(spec, operation);
}

/** Allocates the ports that the new spec needs. Ports that it no longer needs are released after the write. */
export async function updatePorts(
  object: ResourceObject,
  before: ServiceSpec,
  operation: PortOperation,
): Promise<void> {
  const spec = specOf(object);
  const old = numbersOf(before);
  if (mayHaveNodePorts(spec)) {
    await allocateNewNodePorts(object, old, operation);
    const kept = numbersOf(spec);
    for (const port of old) if (!kept.includes(port)) operation.releaseLater(port);
  } else if (mayHaveNodePorts(before)) {
    for (const port of old) operation.releaseLater(port);
  }
  const [needs, needed] = [needsHealthCheckNodePort(spec), needsHealthCheckNodePort(before)];
  if (needs && !needed) await allocateHealthCheckPort(spec, operation);
  if (needed && !needs) operation.releaseLater(before.healthCheckNodePort ?? 0);
}

function numbersOf({ ports = [] }: ServiceSpec): number[] {
  return ports.flatMap(({ nodePort }) => nodePort || []);
}

/** Ports with the same number, such as 53 for TCP and UDP, share a node port. */
async function allocateNodePorts(object: ResourceObject, operation: PortOperation): Promise<void> {
  const spec = specOf(object);
  const { ports = [] } = spec;
  const byNumber = new Map<number, number>();
  for (const [index, port] of ports.entries()) {
    if (!port.nodePort && !needsNodePorts(spec)) continue;
    const number = port.port ?? 0;
    const shared = byNumber.get(number);
    if (shared === undefined) {
      const wanted = ports.find((other) => other.port === port.port && other.nodePort)?.nodePort;
      port.nodePort = wanted ?? (await anyPort(operation));
      if (wanted !== undefined) await allocate(object, { wanted, index, operation });
      byNumber.set(number, port.nodePort);
    } else if (!port.nodePort) {
      port.nodePort = shared;
    } else if (port.nodePort !== shared) {
      await allocate(object, { wanted: port.nodePort, index, operation });
    }
  }
}

async function allocateNewNodePorts(
  object: ResourceObject,
  old: readonly number[],
  operation: PortOperation,
): Promise<void> {
  const spec = specOf(object);
  const allocated = new Set<number>();
  const seen = new Set<string>();
  for (const [index, port] of (spec.ports ?? []).entries()) {
    if (!port.nodePort && !needsNodePorts(spec)) continue;
    if (!port.nodePort) {
      port.nodePort = await anyPort(operation);
    } else if (!old.includes(port.nodePort) && !allocated.has(port.nodePort)) {
      await allocate(object, { wanted: port.nodePort, index, operation });
      allocated.add(port.nodePort);
    }
    refuseRepetition(port, seen);
  }
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

async function allocate(
  { metadata: { name = '' } }: ResourceObject,
  { wanted, index, operation }: WantedPort,
): Promise<void> {
  const problem = await operation.allocate(wanted);
  if (problem === undefined) return;
  const finding = invalidValue(`spec.ports[${index}].nodePort`, wanted, problem);
  throw invalid({ group: '', kind: 'Service' }, name, [finding]);
}

async function anyPort(operation: PortOperation): Promise<number> {
  const port = await operation.allocateNext();
  if (port === undefined) throw internal('failed to allocate a nodePort: range is full');
  return port;
}

async function allocateHealthCheckPort(spec: ServiceSpec, operation: PortOperation): Promise<void> {
  const wanted = spec.healthCheckNodePort;
  if (wanted) {
    const problem = await operation.allocate(wanted);
    if (problem === undefined) return;
    throw internal(`failed to allocate requested HealthCheck NodePort ${wanted}: ${problem}`);
  }
  const port = await operation.allocateNext();
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
