import type { Container } from '../container-types.ts';
import type { PodSpec } from '../pod-types.ts';

/** Visits init containers, containers and ephemeral containers, in this order. */
export function eachContainer(spec: PodSpec, field: string, visit: (container: Container, path: string) => void): void {
  for (const kind of ['initContainers', 'containers', 'ephemeralContainers'] as const) {
    const containers = spec[kind] ?? [];
    for (let index = 0; index < containers.length; index++) {
      visit(containers[index]!, `${field === '' ? '' : `${field}.`}${kind}[${index}]`);
    }
  }
}
